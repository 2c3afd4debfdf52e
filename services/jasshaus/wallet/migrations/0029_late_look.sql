-- A start of the server that nobody looked at until a later checkpoint: where it began is not known any more.

-- A checkpoint as long after the start as this is a later one than that which ended the shutdown or the repair.
CREATE FUNCTION wallet.later_checkpoint_after()
RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '30 seconds' $$;

-- Where this start of the server began; NULL when a later checkpoint has overwritten what tells it.
CREATE OR REPLACE FUNCTION wallet.boot_position(p_here wallet.place)
RETURNS bigint LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT CASE WHEN checkpoint_time < pg_postmaster_start_time() + later_checkpoint_after()
        THEN least(p_here.flushed, (checkpoint_lsn - '0/0'::pg_lsn)::bigint) END
    FROM pg_control_checkpoint()
$$;

-- p_witness: it is CheckLedger that asks. p_boot: the start in which a wallet saw that position itself, NULL for none.
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
    -- A new database has no time before. A wallet that has gone on running remembers it as well as Redis does.
    opens := p_witness OR known.id IS NULL OR (before AND known.name = p_seen);
    reason := taken_back(compared, p_seen, p_flushed);
    -- Nobody knows where this start began, so nobody can tell a copy from a restart: everything is compared, once.
    unknown := before AND this.begun IS NULL AND known.name = p_seen;
    IF reason IS NULL AND unknown THEN
        reason := 'position';
    END IF;
    IF reason IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
        -- Somebody else may have been faster.
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
            -- Taken back again before everything was compared: the comparison begins again.
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
        'boot', this.started_at,
        'position', jsonb_build_object('lineage', known.name, 'timeline', known.timeline, 'flushed', here.flushed),
        'recovery', CASE WHEN under_way.id IS NOT NULL THEN describe_recovery(under_way) END);
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
