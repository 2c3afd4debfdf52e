"""The table service: a match from its first deal to the payout. State lives in Redis; any replica serves any table."""
