-- ListPots.

-- Up to p_limit pots after the one opened at p_after_us (microseconds since 1970) with the id p_after, oldest first; NULL: from the
-- oldest. p_states empty: all; p_tenant '': all; p_before_us NULL: of any age. Open and locked pots have their own index.
CREATE OR REPLACE FUNCTION wallet.list_pots(
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

GRANT EXECUTE ON FUNCTION wallet.list_pots TO jasshaus_wallet;
