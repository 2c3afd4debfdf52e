-- ReconcilePot.

-- p_fact: 'playing', 'won' (with p_winners and p_digest) or 'aborted'. Never takes a stake, and works during a recovery. An
-- open pot is one whose later history the ledger has lost: with exactly the table's stakes it is locked, otherwise every stake in it is
-- refunded. Refusals, with the pot: TABLE_MISMATCH, SETTLEMENT_CONFLICT, POT_SETTLED, POT_REFUNDED, OWN_TABLE.
CREATE OR REPLACE FUNCTION wallet.reconcile_pot(
    p_pot uuid, p_table uuid, p_seats jsonb, p_fact text, p_winners smallint[], p_digest bytea, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    repaired boolean := false;
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    ELSIF target.state = 'OPEN' THEN
        repaired := true;
        IF seats_matching(p_pot, p_seats) = 4 THEN
            UPDATE pot SET state = 'LOCKED', locked_at = clock_timestamp(), table_id = p_table
            WHERE id = p_pot RETURNING * INTO target;
        ELSE
            PERFORM give_back(target, 'STAKES_MISSING', p_table);
            SELECT * INTO target FROM pot WHERE id = p_pot;
        END IF;
    ELSIF NOT belongs(target, p_table, p_seats)
        -- Refunded for missing stakes, it belongs to this table although the four are not in it.
        AND NOT (target.state = 'REFUNDED' AND coalesce(target.table_id = p_table, true)) THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF target.table_id IS NULL AND target.state = 'LOCKED' THEN
        UPDATE pot SET table_id = p_table WHERE id = p_pot RETURNING * INTO target;
    END IF;

    IF target.state = 'LOCKED' AND p_fact <> 'playing' THEN
        repaired := true;
        IF p_fact = 'won' THEN
            PERFORM pay(target, p_winners, p_digest, p_table);
        ELSE
            PERFORM give_back(target, 'TABLE_ABORTED', p_table);
        END IF;
    ELSIF target.state = 'SETTLED' AND p_fact <> 'won' THEN
        RETURN refused('POT_SETTLED', p_pot);
    ELSIF target.state = 'SETTLED' AND (target.winning_seats, target.result_digest::bytea) <> (p_winners, p_digest) THEN
        RETURN refused('SETTLEMENT_CONFLICT', p_pot);
    ELSIF target.state = 'REFUNDED' AND p_fact <> 'aborted' AND target.refund_reason <> 'STAKES_MISSING' THEN
        RETURN refused('POT_REFUNDED', p_pot);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot), 'repaired', repaired);
END
$$;

GRANT EXECUTE ON FUNCTION wallet.reconcile_pot TO jasshaus_wallet;
