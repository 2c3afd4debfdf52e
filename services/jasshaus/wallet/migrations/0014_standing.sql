-- Where the ledger stands, and what happens after its database was taken back in time. See "Recovery" in docs/ledger.md.
--
-- The database cannot know by itself that it is a copy of an earlier time, but three things give it away: it runs on another
-- server (another cluster, database or schema: a dump restored), on another timeline (a restore to a point in time, a promoted
-- standby), or at an earlier position of its write-ahead log than somebody has seen (a copy of the data folder put back). Until
-- the tables, which live in Redis, have been compared with the pots, nothing is done that takes money out of them.

-- Each stretch of the ledger's life between two restores has a name that no other has: a copy put back twice runs on two lineages.
CREATE TABLE wallet.lineage (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    server text NOT NULL,
    timeline bigint NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- `seen`: the lineage of the position that gave it away, if the ledger did not know it: it is not held against it twice.
CREATE TABLE wallet.recovery (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cause text NOT NULL CHECK (cause IN ('server', 'timeline', 'position')),
    lineage_id bigint NOT NULL REFERENCES wallet.lineage,
    flushed bigint NOT NULL,
    seen text,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at timestamptz,
    repaired bigint NOT NULL DEFAULT 0 CHECK (repaired >= 0),
    unmatched bigint NOT NULL DEFAULT 0 CHECK (unmatched >= 0)
);
CREATE UNIQUE INDEX one_recovery_under_way ON wallet.recovery ((true)) WHERE ended_at IS NULL;

CREATE TYPE wallet.place AS (server text, timeline bigint, flushed bigint);

-- Where the database is. The position is the last one on disk: it does not fall in a crash, as the insert position does.
CREATE FUNCTION wallet.position_now()
RETURNS wallet.place LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    here place;
BEGIN
    IF pg_is_in_recovery() THEN
        RAISE EXCEPTION 'the server is a standby' USING ERRCODE = 'read_only_sql_transaction';
    END IF;
    here.server := concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
        (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('wallet.lineage')::oid);
    here.timeline := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;
    here.flushed := pg_current_wal_flush_lsn() - '0/0'::pg_lsn;
    RETURN here;
END
$$;

-- What shows that the database was taken back in time: a cause, 'first' when nothing is known yet, NULL for nothing.
CREATE FUNCTION wallet.taken_back(p_here wallet.place, p_seen text, p_flushed bigint)
RETURNS text LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    known lineage;
BEGIN
    SELECT * INTO known FROM lineage ORDER BY id DESC LIMIT 1;
    RETURN CASE
        WHEN known.id IS NULL THEN 'first'
        WHEN known.server <> p_here.server THEN 'server'
        WHEN known.timeline <> p_here.timeline THEN 'timeline'
        WHEN known.name = p_seen AND p_flushed > p_here.flushed THEN 'position'
        -- Seen on a stretch of its life that this database knows nothing of: it is the copy.
        WHEN p_seen IS NOT NULL AND NOT EXISTS (SELECT FROM lineage WHERE name = p_seen)
            AND NOT EXISTS (SELECT FROM recovery WHERE seen = p_seen) THEN 'server'
    END;
END
$$;

-- Raised, not returned: nothing at all is left of the call, and it has the code of "not now" that each release repeats calls on.
CREATE FUNCTION wallet.require_standing()
RETURNS void LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM recovery WHERE ended_at IS NULL)
        OR coalesce(taken_back(position_now(), NULL, NULL), 'first') <> 'first' THEN
        RAISE EXCEPTION 'LEDGER_RECOVERING' USING ERRCODE = 'lock_not_available';
    END IF;
END
$$;

CREATE FUNCTION wallet.describe_recovery(p_recovery wallet.recovery)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'recovery_id', p_recovery.id, 'cause', p_recovery.cause,
        'begun_us', (extract(epoch FROM p_recovery.begun_at) * 1000000)::bigint,
        'ended_us', (extract(epoch FROM p_recovery.ended_at) * 1000000)::bigint,
        'position', jsonb_build_object('lineage', name, 'timeline', timeline, 'flushed', p_recovery.flushed),
        'repaired', p_recovery.repaired, 'unmatched', p_recovery.unmatched)
    FROM lineage WHERE id = p_recovery.lineage_id
$$;

-- CheckLedger: p_seen and p_flushed are the highest position the caller has kept, NULL for none. Begins a recovery where one is due.
CREATE FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    here place := position_now();
    reason text := taken_back(here, p_seen, p_flushed);
    known lineage;
    under_way recovery;
BEGIN
    IF reason IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
        -- Somebody else may have been faster.
        reason := taken_back(here, p_seen, p_flushed);
        IF reason IS NOT NULL THEN
            INSERT INTO lineage (name, server, timeline)
            VALUES (split_part(here.server, '/', 1) || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12), here.server, here.timeline)
            RETURNING * INTO known;
            IF reason = 'first' THEN
                reason := taken_back(here, p_seen, p_flushed);
            END IF;
        END IF;
        IF reason IS NOT NULL THEN
            -- Taken back again before everything was compared: the comparison begins again.
            UPDATE recovery SET ended_at = clock_timestamp() WHERE ended_at IS NULL;
            INSERT INTO recovery (cause, lineage_id, flushed, seen) VALUES (reason, known.id, here.flushed, p_seen);
        END IF;
    END IF;
    SELECT * INTO STRICT known FROM lineage ORDER BY id DESC LIMIT 1;
    SELECT * INTO under_way FROM recovery WHERE ended_at IS NULL;
    RETURN jsonb_build_object(
        'position', jsonb_build_object('lineage', known.name, 'timeline', known.timeline, 'flushed', here.flushed),
        'recovery', CASE WHEN under_way.id IS NOT NULL THEN describe_recovery(under_way) END);
END
$$;

-- EndRecovery. Refusal: RECOVERY_NOT_CURRENT when another one has begun, or is about to.
CREATE FUNCTION wallet.end_recovery(p_recovery bigint, p_repaired bigint, p_unmatched bigint)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    latest recovery;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
    SELECT * INTO latest FROM recovery ORDER BY id DESC LIMIT 1;
    IF latest.id IS DISTINCT FROM p_recovery OR taken_back(position_now(), NULL, NULL) IS NOT NULL THEN
        RETURN refused('RECOVERY_NOT_CURRENT');
    END IF;
    IF latest.ended_at IS NULL THEN
        UPDATE recovery SET ended_at = clock_timestamp(), repaired = p_repaired, unmatched = p_unmatched
        WHERE id = p_recovery RETURNING * INTO latest;
    END IF;
    RETURN jsonb_build_object('recovery', describe_recovery(latest));
END
$$;

-- The p_limit recoveries before p_before (NULL: from the newest), newest first.
CREATE FUNCTION wallet.recoveries(p_before bigint, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('recoveries', coalesce(jsonb_agg(describe_recovery(page) ORDER BY page.id DESC), '[]'))
    FROM (SELECT recovery.* FROM recovery WHERE id < coalesce(p_before, 9223372036854775807) ORDER BY id DESC LIMIT p_limit) AS page
$$;

-- What must be zero, or small, or looked at. `open_since_restore`: pots that are not over, from before the latest recovery began.
CREATE FUNCTION wallet.watch()
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT imbalance() || jsonb_build_object(
        'recoveries', (SELECT count(*) FROM recovery),
        'recovering', EXISTS (SELECT FROM recovery WHERE ended_at IS NULL),
        'repaired', (SELECT coalesce(sum(repaired), 0) FROM recovery),
        'unmatched', (SELECT coalesce(sum(unmatched), 0) FROM recovery),
        'open_since_restore', (
            SELECT count(*) FROM pot
            WHERE state IN ('OPEN', 'LOCKED') AND created_at < (SELECT begun_at FROM recovery ORDER BY id DESC LIMIT 1)))
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT SELECT ON wallet.lineage, wallet.recovery TO jasshaus_wallet;
GRANT EXECUTE ON FUNCTION wallet.check_ledger, wallet.end_recovery, wallet.recoveries, wallet.watch TO jasshaus_wallet;
