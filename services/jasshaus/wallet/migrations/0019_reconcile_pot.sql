-- ReconcilePot: a pot put in order by what its table knows. ListPots: which pots there are.

-- p_fact: 'playing', 'won' (with p_winners and p_digest) or 'aborted'. Never takes a stake, and works while the ledger recovers. An
-- open pot is one that the ledger forgot the rest of: with exactly the table's stakes it is locked, otherwise every stake in it goes
-- back. Refusals, with the pot: TABLE_MISMATCH, SETTLEMENT_CONFLICT, POT_SETTLED, POT_REFUNDED, OWN_TABLE.
CREATE FUNCTION wallet.reconcile_pot(
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
        -- Refunded for missing stakes, it is this table's although the four are not in it.
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

CREATE INDEX pot_underway_by_age ON wallet.pot (created_at, id) WHERE state IN ('OPEN', 'LOCKED');
DROP INDEX wallet.pot_underway;
CREATE INDEX pot_by_age ON wallet.pot (created_at, id);

-- The p_limit pots after the one opened at p_after_us (microseconds since 1970) with the id p_after, oldest first; NULL: from the
-- oldest. p_states empty: all; p_tenant '': all; p_before_us NULL: however young. Pots under way are found by an index of their own.
CREATE FUNCTION wallet.list_pots(
    p_states text[], p_tenant text, p_before_us bigint, p_after_us bigint, p_after uuid, p_limit integer)
RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    unit CONSTANT interval := interval '1 microsecond';
    younger timestamptz := coalesce(timestamptz 'epoch' + p_after_us * unit, '-infinity');
    older timestamptz := coalesce(timestamptz 'epoch' + p_before_us * unit, 'infinity');
    after_id uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
    found uuid[];
BEGIN
    IF p_states <> '{}' AND p_states <@ ARRAY['OPEN', 'LOCKED'] THEN
        SELECT array_agg(id ORDER BY created_at, id) INTO found FROM (
            SELECT id, created_at FROM pot
            WHERE state IN ('OPEN', 'LOCKED') AND state = ANY (p_states::pot_state[]) AND (p_tenant = '' OR tenant = p_tenant)
                AND (created_at, id) > (younger, after_id) AND created_at < older
            ORDER BY created_at, id LIMIT p_limit) AS page;
    ELSE
        SELECT array_agg(id ORDER BY created_at, id) INTO found FROM (
            SELECT id, created_at FROM pot
            WHERE (p_states = '{}' OR state = ANY (p_states::pot_state[])) AND (p_tenant = '' OR tenant = p_tenant)
                AND (created_at, id) > (younger, after_id) AND created_at < older
            ORDER BY created_at, id LIMIT p_limit) AS page;
    END IF;
    RETURN jsonb_build_object('pots', coalesce(
        (SELECT jsonb_agg(describe_pot(id) ORDER BY place) FROM unnest(found) WITH ORDINALITY AS page (id, place)), '[]'));
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wallet.reconcile_pot, wallet.list_pots TO jasshaus_wallet;
