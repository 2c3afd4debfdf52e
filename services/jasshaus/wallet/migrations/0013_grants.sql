-- Owns what the service's role may do: read, and call the operations. It writes to no table.

REVOKE ALL ON ALL TABLES IN SCHEMA wallet FROM PUBLIC, jasshaus_wallet;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC, jasshaus_wallet;
GRANT USAGE ON SCHEMA wallet TO jasshaus_wallet;
GRANT SELECT ON ALL TABLES IN SCHEMA wallet TO jasshaus_wallet;
GRANT EXECUTE ON FUNCTION
    wallet.quote_pots, wallet.ensure_fee_schedule, wallet.deposit, wallet.open_pot, wallet.hold_stake, wallet.release_stake,
    wallet.lock_pot, wallet.settle_pot, wallet.refund_pot, wallet.describe_pot, wallet.balances, wallet.entries,
    wallet.imbalance, wallet.trial_balance, wallet.roll_up
TO jasshaus_wallet;
