-- CheckPots.

-- p_ended: [{"pot", "table", "winners": [seat, ...], "digest": hexadecimal}, ...], no winners for an aborted match. Returns the pots that
-- are unknown, not over, another table's, or ended differently, in the order given.
CREATE OR REPLACE FUNCTION wallet.check_pots(p_ended jsonb)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('pots', coalesce(jsonb_agg(ended.pot ORDER BY ended.place), '[]'))
    FROM ROWS FROM (
        jsonb_to_recordset(p_ended) AS (pot uuid, "table" uuid, winners smallint[], digest text)
    ) WITH ORDINALITY AS ended (pot, "table", winners, digest, place)
    LEFT JOIN pot ON pot.id = ended.pot AND coalesce(pot.table_id = ended."table", true) AND CASE
        WHEN ended.winners = '{}' THEN pot.state = 'REFUNDED'
        ELSE pot.state = 'SETTLED' AND pot.winning_seats = ended.winners
            AND pot.result_digest::bytea = decode(ended.digest, 'hex')
    END
    WHERE pot.id IS NULL
$$;

GRANT EXECUTE ON FUNCTION wallet.check_pots TO jasshaus_wallet;
