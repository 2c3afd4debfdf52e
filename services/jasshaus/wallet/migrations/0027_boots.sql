-- What the ledger knows of each start of its server: where it stood then, and whether anybody who remembers the time before has
-- been heard. A copy of the data folder put back looks like a restart to a wallet that is new; so no money goes out after a
-- start until somebody has said how far the ledger was seen to go. See "Recovery" in docs/ledger.md.

-- `begun`: the position at the start, NULL where it is not known. `heard`: the gate is open. `witnessed`: CheckLedger was asked;
-- what it is shown from then on may be of this start itself, and says nothing about the time before.
CREATE TABLE wallet.boot (
    started_at timestamptz PRIMARY KEY,
    begun bigint,
    heard boolean NOT NULL,
    witnessed boolean NOT NULL
);

-- The start under way was looked at by nobody, and what is kept may be of it: it is compared with where the ledger stands.
INSERT INTO wallet.boot (started_at, heard, witnessed) SELECT pg_postmaster_start_time(), false, true WHERE EXISTS (SELECT FROM wallet.lineage);

-- Where this start of the server began. The checkpoint that ended the last shutdown, or the repair after a crash, lies behind all
-- that was on disk before; until the next checkpoint it is known exactly, however much others have written meanwhile.
CREATE FUNCTION wallet.boot_position(p_here wallet.place)
RETURNS bigint LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT least(p_here.flushed, (checkpoint_lsn - '0/0'::pg_lsn)::bigint) FROM pg_control_checkpoint()
$$;

-- Only reads: it is the first statement of each call that takes money out of the tables' pots, or out of the house.
CREATE OR REPLACE FUNCTION wallet.require_standing()
RETURNS void LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM recovery WHERE ended_at IS NULL)
        OR coalesce(taken_back(position_now(), NULL, NULL), 'first') <> 'first'
        OR (EXISTS (SELECT FROM lineage)
            AND NOT EXISTS (SELECT FROM boot WHERE started_at = pg_postmaster_start_time() AND heard)) THEN
        RAISE EXCEPTION 'LEDGER_RECOVERING' USING ERRCODE = 'lock_not_available';
    END IF;
END
$$;

-- p_witness: it is CheckLedger that asks. p_boot: the start in which a wallet saw that position itself, NULL for none.
CREATE FUNCTION wallet.compare_ledger(p_seen text, p_flushed bigint, p_witness boolean, p_boot timestamptz)
RETURNS jsonb LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    here place := position_now();
    compared place := here;
    this boot;
    before boolean;
    opens boolean;
    reason text;
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
    IF reason IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
        -- Somebody else may have been faster.
        reason := taken_back(compared, p_seen, p_flushed);
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

-- CheckLedger: p_seen and p_flushed are the highest position the caller has kept, NULL for none. Begins a recovery where one is due.
CREATE OR REPLACE FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT compare_ledger(p_seen, p_flushed, true, NULL)
$$;

-- The same for a wallet's own memory, which is no witness while it has none from before this start.
CREATE FUNCTION wallet.look_again(p_seen text, p_flushed bigint, p_boot timestamptz)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT compare_ledger(p_seen, p_flushed, false, p_boot)
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT SELECT ON wallet.boot TO jasshaus_wallet;
GRANT EXECUTE ON FUNCTION wallet.look_again TO jasshaus_wallet;
