-- SettlePot.

-- SettlePot. p_winners: the winning seats, in seat order. p_seats: the table's seats as in seats_matching. Idempotent by the pot,
-- the table and the result. Refusals, with the pot: POT_NOT_LOCKED, TABLE_MISMATCH, POT_REFUNDED, SETTLEMENT_CONFLICT, OWN_TABLE.
-- Also works during a recovery: the pot is bound to its match.
CREATE OR REPLACE FUNCTION wallet.settle_pot(
    p_pot uuid, p_winners smallint[], p_digest bytea, p_table uuid, p_seats jsonb, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'OPEN' THEN
        RETURN refused('POT_NOT_LOCKED', p_pot);
    ELSIF target.state = 'REFUNDED' AND target.table_id IS NULL THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF NOT belongs(target, p_table, p_seats) THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    ELSIF target.state = 'REFUNDED' THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF target.state = 'SETTLED' AND (target.winning_seats, target.result_digest::bytea) <> (p_winners, p_digest) THEN
        RETURN refused('SETTLEMENT_CONFLICT', p_pot);
    ELSIF target.state = 'LOCKED' THEN
        PERFORM pay(target, p_winners, p_digest, p_table);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

GRANT EXECUTE ON FUNCTION wallet.settle_pot TO jasshaus_wallet;
