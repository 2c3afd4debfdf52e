-- LockPot.

-- LockPot. p_table NULL: from a matchmaking service that does not name it. p_subject: the caller. Refusals, with the pot: OWN_TABLE,
-- HOLDS_DIFFER, POT_NOT_OPEN, TABLE_MISMATCH.
CREATE OR REPLACE FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb, p_table uuid, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    same boolean;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;
    same := holds_exactly(target, p_holds);
    IF target.state = 'REFUNDED' OR (target.state = 'SETTLED' AND NOT same) THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF NOT same THEN
        RETURN refused('HOLDS_DIFFER', p_pot);
    ELSIF target.table_id <> p_table THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    END IF;
    UPDATE pot SET state = 'LOCKED', locked_at = coalesce(locked_at, clock_timestamp()), table_id = coalesce(table_id, p_table)
    WHERE id = p_pot AND (state = 'OPEN' OR (state = 'LOCKED' AND table_id IS NULL AND p_table IS NOT NULL));
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

GRANT EXECUTE ON FUNCTION wallet.lock_pot TO jasshaus_wallet;
