"""The table service: a match from its first deal to the payout, its state in Redis, served by any replica."""
