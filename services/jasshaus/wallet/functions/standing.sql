-- The ledger's position, and recovery after its database went back in time. See "Recovery" in docs/ledger.md.

-- The database's position: the last one on disk, which does not fall in a crash as the insert position does.
CREATE OR REPLACE FUNCTION wallet.position_now()
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

-- Evidence that the database went back in time: a cause, 'first' if nothing is known yet, NULL for none.
CREATE OR REPLACE FUNCTION wallet.taken_back(p_here wallet.place, p_seen text, p_flushed bigint)
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
        -- Seen on a lineage that this database does not know: this database is the copy.
        WHEN p_seen IS NOT NULL AND NOT EXISTS (SELECT FROM lineage WHERE name = p_seen)
            AND NOT EXISTS (SELECT FROM recovery WHERE seen = p_seen) THEN 'server'
    END;
END
$$;

-- The position at which this start of the server began; NULL if a later checkpoint has overwritten the evidence. The checkpoint that ends a
-- shutdown or a crash recovery is the only one whose redo record is itself: any other writes something in between. (Before PostgreSQL 17 not
-- with wal_level minimal; there the position is unknown.)
CREATE OR REPLACE FUNCTION wallet.boot_position(p_here wallet.place)
RETURNS bigint LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT CASE WHEN redo_lsn = checkpoint_lsn
            AND (current_setting('server_version_num')::integer >= 170000 OR current_setting('wal_level') <> 'minimal')
        THEN least(p_here.flushed, (checkpoint_lsn - '0/0'::pg_lsn)::bigint) END
    FROM pg_control_checkpoint()
$$;

-- Whether nobody has reported the highest seen position since this start of the server.
CREATE OR REPLACE FUNCTION wallet.waits_for_tables()
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT EXISTS (SELECT FROM lineage)
        AND NOT EXISTS (SELECT FROM boot WHERE started_at = pg_postmaster_start_time() AND heard)
$$;

-- Only reads: the first statement of each call that takes money out of the tables' pots, or out of the house.
CREATE OR REPLACE FUNCTION wallet.require_standing()
RETURNS void LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM recovery WHERE ended_at IS NULL)
        OR coalesce(taken_back(position_now(), NULL, NULL), 'first') <> 'first'
        OR waits_for_tables() THEN
        RAISE EXCEPTION 'LEDGER_RECOVERING' USING ERRCODE = 'lock_not_available';
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION wallet.describe_recovery(p_recovery wallet.recovery)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'recovery_id', p_recovery.id, 'cause', p_recovery.cause,
        'begun_us', (extract(epoch FROM p_recovery.begun_at) * 1000000)::bigint,
        'ended_us', (extract(epoch FROM p_recovery.ended_at) * 1000000)::bigint,
        'position', jsonb_build_object('lineage', name, 'timeline', timeline, 'flushed', p_recovery.flushed),
        'repaired', p_recovery.repaired, 'unmatched', p_recovery.unmatched, 'ended_by', coalesce(p_recovery.ended_by, ''))
    FROM lineage WHERE id = p_recovery.lineage_id
$$;

-- p_witness: whether this is CheckLedger. p_boot: the start in which a wallet saw that position itself, NULL for none.
CREATE OR REPLACE FUNCTION wallet.compare_ledger(p_seen text, p_flushed bigint, p_witness boolean, p_boot timestamptz)
RETURNS jsonb LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    here place := position_now();
    compared place := here;
    this boot;
    before boolean;
    opens boolean;
    reason text;
    unknown boolean;
    known lineage;
    under_way recovery;
BEGIN
    SELECT * INTO this FROM boot WHERE started_at = pg_postmaster_start_time();
    IF NOT FOUND THEN
        this := ROW (pg_postmaster_start_time(), boot_position(here), false, false)::boot;
        INSERT INTO boot VALUES (this.*) ON CONFLICT DO NOTHING;
        SELECT * INTO STRICT this FROM boot WHERE started_at = pg_postmaster_start_time();
    END IF;
    SELECT * INTO known FROM lineage ORDER BY id DESC LIMIT 1;
    -- Is the position from before this start of the server?
    before := CASE WHEN p_witness THEN NOT this.witnessed ELSE coalesce(p_boot <> this.started_at, false) END;
    IF before THEN
        compared.flushed := least(here.flushed, this.begun);
    END IF;
    -- A new database has no earlier time. A wallet that kept running remembers its position as well as Redis does.
    opens := p_witness OR known.id IS NULL OR (before AND known.name = p_seen);
    reason := taken_back(compared, p_seen, p_flushed);
    -- Without the start position, a copy cannot be told from a restart: everything is compared, once.
    unknown := before AND this.begun IS NULL AND known.name = p_seen;
    IF reason IS NULL AND unknown THEN
        reason := 'position';
    END IF;
    IF reason IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
        -- Another call may have been faster.
        reason := taken_back(compared, p_seen, p_flushed);
        IF reason IS NULL AND unknown AND known.id = (SELECT max(id) FROM lineage) THEN
            reason := 'position';
        END IF;
        IF reason IS NOT NULL THEN
            INSERT INTO lineage (name, server, timeline)
            VALUES (split_part(here.server, '/', 1) || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12), here.server, here.timeline)
            RETURNING * INTO known;
            IF reason = 'first' THEN
                reason := taken_back(compared, p_seen, p_flushed);
            END IF;
        END IF;
        IF reason IS NOT NULL THEN
            -- Went back again before everything was compared: the comparison starts over.
            UPDATE recovery SET ended_at = clock_timestamp() WHERE ended_at IS NULL;
            INSERT INTO recovery (cause, lineage_id, flushed, seen) VALUES (reason, known.id, here.flushed, p_seen);
        END IF;
    END IF;
    IF (opens AND NOT this.heard) OR (p_witness AND NOT this.witnessed) THEN
        UPDATE boot SET heard = heard OR opens, witnessed = witnessed OR p_witness WHERE started_at = this.started_at;
    END IF;
    SELECT * INTO STRICT known FROM lineage ORDER BY id DESC LIMIT 1;
    SELECT * INTO under_way FROM recovery WHERE ended_at IS NULL;
    RETURN jsonb_build_object(
        'boot', this.started_at, 'waits', waits_for_tables(),
        'position', jsonb_build_object('lineage', known.name, 'timeline', known.timeline, 'flushed', here.flushed),
        'recovery', CASE WHEN under_way.id IS NOT NULL THEN describe_recovery(under_way) END);
END
$$;

-- CheckLedger: p_seen and p_flushed are the highest position the caller has stored, NULL for none. Begins a recovery if one is due.
CREATE OR REPLACE FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT compare_ledger(p_seen, p_flushed, true, NULL)
$$;

-- The same for a wallet's own memory, which is not evidence while it has none from before this start.
CREATE OR REPLACE FUNCTION wallet.look_again(p_seen text, p_flushed bigint, p_boot timestamptz)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT compare_ledger(p_seen, p_flushed, false, p_boot)
$$;

-- EndRecovery. Refusal: RECOVERY_NOT_CURRENT if another one has begun, or is about to.
CREATE OR REPLACE FUNCTION wallet.end_recovery(p_recovery bigint, p_repaired bigint, p_unmatched bigint)
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

-- ForceEndRecovery: an operator opens the gate before every table has been compared. p_recovery 0: no recovery is running, but no table
-- service has reported since the server started; it is recorded as a recovery that began and ended at once. Refusals:
-- RECOVERY_NOT_CURRENT if another one has begun or is about to, this one is over otherwise, or nothing is waiting; REQUEST_ID_REUSED.
CREATE OR REPLACE FUNCTION wallet.force_end_recovery(
    p_recovery bigint, p_request uuid, p_reason text, p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    here CONSTANT place := position_now();
    under_way recovery;
    ended recovery;
    done operator_act;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
    SELECT * INTO done FROM operator_act WHERE request_id = p_request AND kind = 'end_recovery';
    IF FOUND THEN
        IF (done.subject, done.subject_tenant, done.reason) IS DISTINCT FROM (p_subject, p_subject_tenant, p_reason)
                OR p_recovery::text NOT IN ('0', done.object) THEN
            RETURN refused('REQUEST_ID_REUSED');
        END IF;
        SELECT * INTO ended FROM recovery WHERE id = done.object::bigint;
        RETURN jsonb_build_object('recovery', describe_recovery(ended));
    END IF;
    SELECT * INTO under_way FROM recovery WHERE ended_at IS NULL;
    IF coalesce(under_way.id, 0) <> p_recovery OR taken_back(here, NULL, NULL) IS NOT NULL
            OR (p_recovery = 0 AND NOT waits_for_tables()) THEN
        RETURN refused('RECOVERY_NOT_CURRENT');
    END IF;
    IF p_recovery = 0 THEN
        INSERT INTO recovery (cause, lineage_id, flushed, ended_at, ended_by)
        SELECT 'position', max(id), here.flushed, clock_timestamp(), p_subject FROM lineage RETURNING * INTO ended;
    ELSE
        UPDATE recovery SET ended_at = clock_timestamp(), ended_by = p_subject WHERE id = p_recovery RETURNING * INTO ended;
    END IF;
    -- If a table service reports later after all, its position is compared with that of this start.
    INSERT INTO boot VALUES (pg_postmaster_start_time(), boot_position(here), true, false)
    ON CONFLICT (started_at) DO UPDATE SET heard = true;
    PERFORM record_act('end_recovery', ROW(p_subject, p_subject_tenant, p_request)::actor, '', ended.id::text, p_reason, NULL);
    RETURN jsonb_build_object('recovery', describe_recovery(ended));
END
$$;

-- Up to p_limit recoveries before p_before (NULL: from the newest), newest first.
CREATE OR REPLACE FUNCTION wallet.recoveries(p_before bigint, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('recoveries', coalesce(jsonb_agg(describe_recovery(page) ORDER BY page.id DESC), '[]'))
    FROM (SELECT recovery.* FROM recovery WHERE id < coalesce(p_before, 9223372036854775807) ORDER BY id DESC LIMIT p_limit) AS page
$$;

GRANT EXECUTE ON FUNCTION wallet.check_ledger, wallet.look_again, wallet.end_recovery, wallet.force_end_recovery, wallet.recoveries TO jasshaus_wallet;
