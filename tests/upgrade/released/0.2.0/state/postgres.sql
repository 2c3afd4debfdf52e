


SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;


CREATE SCHEMA matchmaking;



CREATE SCHEMA wallet;



CREATE TYPE wallet.account_kind AS ENUM (
    'player',
    'pot',
    'house',
    'cashier'
);



CREATE TYPE wallet.actor AS (
	subject text,
	tenant text,
	request_id uuid
);



CREATE DOMAIN wallet.currency_code AS text
	CONSTRAINT currency_code_check CHECK ((VALUE ~ '^[A-Z][A-Z0-9]{2,7}$'::text));



CREATE DOMAIN wallet.digest AS bytea
	CONSTRAINT digest_check CHECK ((octet_length(VALUE) = 32));



CREATE TYPE wallet.hold_state AS ENUM (
    'HELD',
    'PAID',
    'RELEASED',
    'REFUNDED',
    'REFUSED'
);



CREATE TYPE wallet.journal_kind AS ENUM (
    'deposit',
    'stake',
    'release',
    'payout',
    'refund',
    'withdrawal',
    'correction'
);



CREATE TYPE wallet.place AS (
	server text,
	timeline bigint,
	flushed bigint
);



CREATE TYPE wallet.pot_state AS ENUM (
    'OPEN',
    'LOCKED',
    'SETTLED',
    'REFUNDED'
);



CREATE DOMAIN wallet.tenant_name AS text
	CONSTRAINT tenant_name_check CHECK ((VALUE ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text));



CREATE FUNCTION matchmaking.count_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    age bigint := least(extract(epoch FROM clock_timestamp() - NEW.open_time)::bigint, 1048576);
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.changes := greatest(NEW.changes, 1, age);
    ELSE
        NEW.changes := greatest(OLD.changes + 1, age);
    END IF;
    RETURN NEW;
END
$$;



CREATE FUNCTION wallet.account_of(p_kind wallet.account_kind, p_tenant text, p_owner text, p_currency text) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    account_id bigint;
BEGIN
    SELECT id INTO account_id FROM account
    WHERE tenant = p_tenant AND kind = p_kind AND owner = p_owner AND currency = p_currency;
    IF account_id IS NULL THEN
        INSERT INTO account (kind, tenant, owner, currency, chain)
        VALUES (p_kind, p_tenant, p_owner, p_currency,
                sha256(convert_to(jsonb_build_array(p_kind, p_tenant, p_owner, p_currency)::text, 'UTF8')))
        ON CONFLICT (tenant, kind, owner, currency) DO NOTHING;
        SELECT id INTO account_id FROM account
        WHERE tenant = p_tenant AND kind = p_kind AND owner = p_owner AND currency = p_currency;
    END IF;
    RETURN account_id;
END
$$;



CREATE FUNCTION wallet.balances(p_tenant text, p_player text, p_currency text) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object('balances', coalesce(jsonb_agg(jsonb_build_object(
        'currency', account.currency, 'available', account.balance,
        'in_pots', (SELECT coalesce(sum(pot.stake), 0) FROM hold JOIN pot ON pot.id = hold.pot_id
                    WHERE hold.account_id = account.id AND hold.state = 'HELD')) ORDER BY account.currency), '[]'))
    FROM account
    WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player AND (p_currency = '' OR currency = p_currency)
$$;



CREATE FUNCTION wallet.begin_request(p_tenant text, p_request uuid, p_body bytea) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO idempotency (tenant, request_id, body_digest) VALUES (p_tenant, p_request, p_body) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN 'new';
    END IF;
    RETURN CASE WHEN body_digest = p_body THEN 'same' ELSE 'reused' END
    FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;


CREATE TABLE wallet.pot (
    id uuid NOT NULL,
    tenant wallet.tenant_name NOT NULL,
    currency wallet.currency_code NOT NULL,
    stake bigint NOT NULL,
    fee bigint NOT NULL,
    fee_schedule_version bigint NOT NULL,
    account_id bigint NOT NULL,
    state wallet.pot_state DEFAULT 'OPEN'::wallet.pot_state NOT NULL,
    winning_seats smallint[],
    result_digest wallet.digest,
    table_id uuid,
    refund_reason text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    locked_at timestamp with time zone,
    closed_at timestamp with time zone,
    CONSTRAINT closed_when_over CHECK (((state = ANY (ARRAY['SETTLED'::wallet.pot_state, 'REFUNDED'::wallet.pot_state])) = (closed_at IS NOT NULL))),
    CONSTRAINT pot_check CHECK (((fee >= 0) AND (fee <= (4 * stake)))),
    CONSTRAINT pot_stake_check CHECK (((stake >= 1) AND (stake <= '1000000000000'::bigint))),
    CONSTRAINT refunded_for_a_reason CHECK (((state = 'REFUNDED'::wallet.pot_state) = (refund_reason IS NOT NULL))),
    CONSTRAINT settled_with_a_result CHECK (((state = 'SETTLED'::wallet.pot_state) = ((winning_seats IS NOT NULL) AND (result_digest IS NOT NULL))))
);



CREATE FUNCTION wallet.belongs(p_pot wallet.pot, p_table uuid, p_seats jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT p_table IS NOT NULL AND coalesce(p_pot.table_id = p_table, jsonb_array_length(p_seats) = 4)
        AND seats_matching(p_pot.id, p_seats) = jsonb_array_length(p_seats)
$$;



CREATE FUNCTION wallet.boot_position(p_here wallet.place) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT CASE WHEN redo_lsn = checkpoint_lsn
            AND (current_setting('server_version_num')::integer >= 170000 OR current_setting('wal_level') <> 'minimal')
        THEN least(p_here.flushed, (checkpoint_lsn - '0/0'::pg_lsn)::bigint) END
    FROM pg_control_checkpoint()
$$;



CREATE FUNCTION wallet.cashier_entry(p_kind wallet.journal_kind, p_act text, p_tenant text, p_player text, p_currency text, p_amount bigint, p_reference text, p_actor wallet.actor) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    balance_limit CONSTANT bigint := 1000000000000000;
    asked CONSTANT jsonb := jsonb_build_array(p_kind, p_player, p_currency, abs(p_amount), p_reference)
        || CASE p_kind WHEN 'correction' THEN jsonb_build_array(sign(p_amount)) ELSE '[]' END;
    request CONSTANT uuid := p_actor.request_id;
    recorded text;
    player account;
    cashier bigint;
    written uuid;
    line entry;
BEGIN
    IF p_kind <> 'deposit' THEN
        PERFORM require_standing();
    END IF;
    recorded := begin_request(p_tenant, request, sha256(convert_to(asked::text, 'UTF8')));
    IF recorded = 'reused' THEN
        RETURN refused('REQUEST_ID_REUSED');
    ELSIF recorded = 'same' THEN
        SELECT entry.* INTO line FROM entry JOIN idempotency ON entry.id = entry_id
        WHERE tenant = p_tenant AND request_id = request;
        IF NOT FOUND THEN
            RETURN refused('REQUEST_ID_REUSED');
        END IF;
        RETURN jsonb_build_object('entry', describe_entry(line));
    END IF;

    -- Should the row above ever have been lost, the journal still knows its request.
    SELECT entry.* INTO line FROM journal JOIN entry ON journal_id = journal.id JOIN account ON account.id = account_id
    WHERE journal.tenant = p_tenant AND request_id = request AND account.kind = 'player';
    IF FOUND THEN
        PERFORM FROM journal JOIN account ON account.id = line.account_id
        WHERE journal.id = line.journal_id
            AND (journal.kind, owner, line.currency, line.amount, reference)
                = (p_kind, p_player, p_currency, p_amount, p_reference);
        IF NOT FOUND THEN
            RETURN refused_unrecorded(p_tenant, request, 'REQUEST_ID_REUSED');
        END IF;
        UPDATE idempotency SET entry_id = line.id WHERE tenant = p_tenant AND request_id = request;
        RETURN jsonb_build_object('entry', describe_entry(line));
    END IF;

    IF p_reference <> '' THEN
        -- Two at once with one reference: the second one sees the first one's journal.
        PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'wallet.reference', p_tenant, p_kind, without_capitals(p_reference)), 0));
        SELECT id INTO written FROM journal
        WHERE tenant = p_tenant AND kind = p_kind AND pot_id IS NULL AND reference <> ''
            AND without_capitals(reference) = without_capitals(p_reference);
        IF FOUND THEN
            RETURN refused_unrecorded(p_tenant, request, 'REFERENCE_USED') || jsonb_build_object('journal_id', written);
        END IF;
    END IF;

    IF p_amount > 0 THEN
        PERFORM account_of('player', p_tenant, p_player, p_currency);
    END IF;
    SELECT * INTO player FROM account
    WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player AND currency = p_currency FOR NO KEY UPDATE;
    IF coalesce(player.balance, 0) + p_amount < 0 THEN
        RETURN refused_unrecorded(p_tenant, request, 'BALANCE_TOO_LOW');
    ELSIF p_amount > 0 AND player.balance + p_amount > balance_limit THEN
        RETURN refused_unrecorded(p_tenant, request, 'BALANCE_LIMIT');
    END IF;

    cashier := account_of('cashier', p_tenant, '', p_currency);
    written := post_by(p_kind, NULL, p_reference, ARRAY[cashier, player.id], ARRAY[-p_amount, p_amount], p_tenant, p_actor);
    SELECT * INTO STRICT line FROM entry WHERE journal_id = written AND account_id = player.id;
    UPDATE idempotency SET entry_id = line.id WHERE tenant = p_tenant AND request_id = request;
    PERFORM record_act(p_act, p_actor, p_tenant, p_player, p_reference, written);
    RETURN jsonb_build_object('entry', describe_entry(line));
END
$$;



CREATE FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT compare_ledger(p_seen, p_flushed, true, NULL)
$$;



CREATE FUNCTION wallet.check_pots(p_ended jsonb) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.compare_ledger(p_seen text, p_flushed bigint, p_witness boolean, p_boot timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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
        'boot', this.started_at, 'waits', waits_for_tables(),
        'position', jsonb_build_object('lineage', known.name, 'timeline', known.timeline, 'flushed', here.flushed),
        'recovery', CASE WHEN under_way.id IS NOT NULL THEN describe_recovery(under_way) END);
END
$$;



CREATE FUNCTION wallet.correct(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT cashier_entry('correction', 'correct', p_tenant, p_player, p_currency, p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;



CREATE FUNCTION wallet.deposit(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT cashier_entry('deposit', 'deposit', p_tenant, p_player, p_currency, p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;



CREATE TABLE wallet.entry (
    id bigint NOT NULL,
    journal_id uuid NOT NULL,
    account_id bigint NOT NULL,
    currency wallet.currency_code NOT NULL,
    amount bigint NOT NULL,
    sequence bigint,
    balance_after numeric(38,0),
    chain wallet.digest,
    CONSTRAINT chained_whole_or_not CHECK ((((sequence IS NULL) = (balance_after IS NULL)) AND ((sequence IS NULL) = (chain IS NULL)))),
    CONSTRAINT entry_amount_check CHECK ((amount <> 0)),
    CONSTRAINT entry_balance_after_check CHECK ((balance_after >= (0)::numeric)),
    CONSTRAINT entry_sequence_check CHECK ((sequence >= 1))
);



CREATE FUNCTION wallet.describe_entry(p_entry wallet.entry) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'journal_id', journal.id, 'sequence', p_entry.sequence, 'currency', p_entry.currency,
        'amount', p_entry.amount, 'balance_after', p_entry.balance_after, 'kind', journal.kind,
        'pot_id', journal.pot_id, 'reference', journal.reference,
        'created_us', (extract(epoch FROM journal.created_at) * 1000000)::bigint)
    FROM journal WHERE journal.id = p_entry.journal_id
$$;



CREATE FUNCTION wallet.describe_pot(p_pot uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'pot_id', pot.id, 'tenant', pot.tenant, 'state', pot.state,
        'quote', quote(pot.currency, pot.stake, pot.fee, schedule),
        'holds', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'seat', seat, 'player', player, 'reservation_id', reservation_id,
                'currency', pot.currency, 'amount', pot.stake) ORDER BY seat)
            FROM hold WHERE pot_id = pot.id AND hold.state = 'HELD'), '[]'),
        'payouts', coalesce((
            SELECT jsonb_agg(jsonb_build_object('seat', seat, 'player', player, 'amount', payout) ORDER BY seat)
            FROM hold WHERE pot_id = pot.id AND payout IS NOT NULL), '[]'),
        'fee_taken', CASE WHEN pot.state = 'SETTLED' THEN pot.fee END,
        'result_digest', encode(pot.result_digest, 'hex'),
        'table_id', pot.table_id, 'refund_reason', pot.refund_reason,
        'created_us', (extract(epoch FROM pot.created_at) * 1000000)::bigint,
        'locked_us', (extract(epoch FROM pot.locked_at) * 1000000)::bigint,
        'closed_us', (extract(epoch FROM pot.closed_at) * 1000000)::bigint)
    FROM pot JOIN fee_schedule AS schedule ON schedule.version = pot.fee_schedule_version
    WHERE pot.id = p_pot
$$;



CREATE TABLE wallet.recovery (
    id bigint NOT NULL,
    cause text NOT NULL,
    lineage_id bigint NOT NULL,
    flushed bigint NOT NULL,
    seen text,
    begun_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    ended_at timestamp with time zone,
    repaired bigint DEFAULT 0 NOT NULL,
    unmatched bigint DEFAULT 0 NOT NULL,
    ended_by text,
    CONSTRAINT recovery_cause_check CHECK ((cause = ANY (ARRAY['server'::text, 'timeline'::text, 'position'::text]))),
    CONSTRAINT recovery_repaired_check CHECK ((repaired >= 0)),
    CONSTRAINT recovery_unmatched_check CHECK ((unmatched >= 0))
);



CREATE FUNCTION wallet.describe_recovery(p_recovery wallet.recovery) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'recovery_id', p_recovery.id, 'cause', p_recovery.cause,
        'begun_us', (extract(epoch FROM p_recovery.begun_at) * 1000000)::bigint,
        'ended_us', (extract(epoch FROM p_recovery.ended_at) * 1000000)::bigint,
        'position', jsonb_build_object('lineage', name, 'timeline', timeline, 'flushed', p_recovery.flushed),
        'repaired', p_recovery.repaired, 'unmatched', p_recovery.unmatched, 'ended_by', coalesce(p_recovery.ended_by, ''))
    FROM lineage WHERE id = p_recovery.lineage_id
$$;



CREATE TABLE wallet.fee_schedule (
    version bigint NOT NULL,
    tenant text DEFAULT ''::text NOT NULL,
    fee_bps integer NOT NULL,
    fee_min bigint NOT NULL,
    fee_max bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    start_at timestamp with time zone,
    created_by text DEFAULT ''::text NOT NULL,
    request_id uuid,
    CONSTRAINT fee_schedule_check CHECK ((fee_max >= fee_min)),
    CONSTRAINT fee_schedule_fee_bps_check CHECK (((fee_bps >= 0) AND (fee_bps <= 10000))),
    CONSTRAINT fee_schedule_fee_min_check CHECK ((fee_min >= 0))
);



CREATE FUNCTION wallet.describe_schedule(p_schedule wallet.fee_schedule) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'version', p_schedule.version, 'tenant', p_schedule.tenant, 'fee_bps', p_schedule.fee_bps,
        'fee_min', p_schedule.fee_min, 'fee_max', p_schedule.fee_max,
        'start_us', (extract(epoch FROM coalesce(p_schedule.start_at, p_schedule.created_at)) * 1000000)::bigint,
        'created_us', (extract(epoch FROM p_schedule.created_at) * 1000000)::bigint,
        'created_by', p_schedule.created_by)
$$;



CREATE FUNCTION wallet.end_recovery(p_recovery bigint, p_repaired bigint, p_unmatched bigint) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.ensure_fee_schedule(p_fee_bps integer, p_fee_min bigint, p_fee_max bigint) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    latest bigint;
BEGIN
    -- Replicas start together: one of them writes.
    PERFORM pg_advisory_xact_lock(hashtext('wallet.fee_schedule'));
    SELECT max(version) INTO latest FROM fee_schedule WHERE tenant = '';
    IF latest IS NULL THEN
        INSERT INTO fee_schedule (fee_bps, fee_min, fee_max) VALUES (p_fee_bps, p_fee_min, p_fee_max)
        RETURNING version INTO latest;
    END IF;
    RETURN jsonb_build_object('version', latest);
END
$$;



CREATE FUNCTION wallet.entries(p_tenant text, p_player text, p_currency text, p_before bigint, p_limit integer) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object('entries', coalesce(jsonb_agg(describe_entry(page) ORDER BY page.sequence DESC), '[]'))
    FROM (
        SELECT entry.* FROM entry
        WHERE account_id = (SELECT id FROM account WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player
                            AND currency = p_currency)
            AND sequence < coalesce(p_before, 9223372036854775807)
        ORDER BY sequence DESC LIMIT p_limit
    ) AS page
$$;



CREATE FUNCTION wallet.fee(p_pot bigint, p_schedule wallet.fee_schedule) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT least(greatest(p_pot * p_schedule.fee_bps / 10000, p_schedule.fee_min), p_schedule.fee_max, p_pot)
$$;



CREATE FUNCTION wallet.fee_schedules(p_before bigint, p_limit integer) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object('schedules', coalesce(jsonb_agg(describe_schedule(page) ORDER BY page.version DESC), '[]'))
    FROM (SELECT fee_schedule.* FROM fee_schedule WHERE version < coalesce(p_before, 9223372036854775807)
          ORDER BY version DESC LIMIT p_limit) AS page
$$;



CREATE FUNCTION wallet.force_end_recovery(p_recovery bigint, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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
    -- Should a table service be heard all the same, what it saw is compared with where this start began.
    INSERT INTO boot VALUES (pg_postmaster_start_time(), boot_position(here), true, false)
    ON CONFLICT (started_at) DO UPDATE SET heard = true;
    PERFORM record_act('end_recovery', ROW(p_subject, p_subject_tenant, p_request)::actor, '', ended.id::text, p_reason, NULL);
    RETURN jsonb_build_object('recovery', describe_recovery(ended));
END
$$;



CREATE FUNCTION wallet.force_pot(p_pot uuid, p_winners smallint[], p_reason text, p_actor wallet.actor) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    act CONSTANT text := CASE WHEN p_winners IS NULL THEN 'refund_pot' ELSE 'settle_pot' END;
    asked CONSTANT bytea := sha256(convert_to(jsonb_build_array(act, p_pot, p_winners, p_reason)::text, 'UTF8'));
    request CONSTANT uuid := p_actor.request_id;
    target pot;
    refusal text;
    written uuid;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;
    CASE begin_request(target.tenant, request, asked)
        WHEN 'reused' THEN RETURN refused('REQUEST_ID_REUSED');
        WHEN 'same' THEN RETURN jsonb_build_object('pot', describe_pot(p_pot));
        ELSE NULL;
    END CASE;
    SELECT * INTO STRICT target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    refusal := CASE
        WHEN plays_for(p_pot, p_actor.subject) THEN 'OWN_TABLE'
        WHEN target.state = 'SETTLED' THEN 'POT_SETTLED'
        WHEN p_winners IS NOT NULL AND target.state = 'OPEN' THEN 'POT_NOT_LOCKED'
        WHEN p_winners IS NOT NULL AND target.state = 'REFUNDED' THEN 'POT_REFUNDED' END;
    IF refusal IS NOT NULL THEN
        RETURN refused_unrecorded(target.tenant, request, refusal, p_pot);
    ELSIF p_winners IS NOT NULL THEN
        written := pay(target, p_winners, asked, NULL, p_actor);
    ELSIF target.state <> 'REFUNDED' THEN
        written := give_back(target, 'OPERATOR', NULL, p_actor);
    END IF;
    PERFORM record_act(act, p_actor, target.tenant, p_pot::text, p_reason, written);
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;



CREATE FUNCTION wallet.force_refund_pot(p_pot uuid, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT force_pot(p_pot, NULL, p_reason, ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;



CREATE FUNCTION wallet.force_settle_pot(p_pot uuid, p_request uuid, p_winners smallint[], p_reason text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT force_pot(p_pot, p_winners, p_reason, ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;



CREATE FUNCTION wallet.give_back(p_pot wallet.pot, p_reason text, p_table uuid, p_actor wallet.actor DEFAULT NULL::wallet.actor) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    payees bigint[];
    written uuid;
BEGIN
    SELECT array_agg(account_id ORDER BY seat) INTO payees FROM hold WHERE pot_id = p_pot.id AND state = 'HELD';
    IF payees IS NOT NULL THEN
        written := post_by('refund', p_pot.id, p_reason,
            ARRAY[p_pot.account_id] || payees,
            ARRAY[-p_pot.stake * cardinality(payees)] || array_fill(p_pot.stake, ARRAY[cardinality(payees)]),
            CASE WHEN p_actor.subject IS NOT NULL THEN p_pot.tenant END, p_actor);
        UPDATE hold SET state = 'REFUNDED', payout = p_pot.stake WHERE pot_id = p_pot.id AND state = 'HELD';
    END IF;
    UPDATE pot SET state = 'REFUNDED', refund_reason = p_reason, table_id = coalesce(table_id, p_table),
                   closed_at = clock_timestamp()
    WHERE id = p_pot.id;
    RETURN written;
END
$$;



CREATE FUNCTION wallet.hold_stake(p_pot uuid, p_reservation uuid, p_seat integer, p_player text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    target pot;
    held hold;
    payer account;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused(CASE WHEN EXISTS (SELECT FROM fenced_pot WHERE id = p_pot) THEN 'POT_NOT_OPEN' ELSE 'POT_NOT_FOUND' END);
    END IF;

    SELECT * INTO held FROM hold WHERE reservation_id = p_reservation;
    IF NOT FOUND THEN
        SELECT * INTO payer FROM account
        WHERE tenant = target.tenant AND kind = 'player' AND owner = p_player AND currency = target.currency;
        PERFORM lock_accounts(ARRAY[payer.id, target.account_id]);
        SELECT * INTO payer FROM account WHERE id = payer.id;

        INSERT INTO hold (reservation_id, pot_id, seat, player, account_id, refusal, state)
        SELECT p_reservation, p_pot, p_seat, p_player, payer.id, refusal,
               CASE WHEN refusal IS NULL THEN 'HELD' ELSE 'REFUSED' END::hold_state
        FROM (SELECT CASE
            WHEN target.state <> 'OPEN' THEN 'POT_NOT_OPEN'
            WHEN EXISTS (SELECT FROM hold WHERE pot_id = p_pot AND player = p_player AND state = 'HELD')
                THEN 'PLAYER_ALREADY_HOLDS'
            WHEN EXISTS (SELECT FROM hold WHERE pot_id = p_pot AND seat = p_seat AND state = 'HELD') THEN 'SEAT_TAKEN'
            WHEN coalesce(payer.balance, 0) < target.stake THEN 'INSUFFICIENT_FUNDS'
        END) AS decided (refusal)
        ON CONFLICT (reservation_id) DO NOTHING;
        IF FOUND THEN
            SELECT * INTO STRICT held FROM hold WHERE reservation_id = p_reservation;
            IF held.state = 'HELD' THEN
                PERFORM post('stake', p_pot, '', ARRAY[payer.id, target.account_id], ARRAY[-target.stake, target.stake]);
            END IF;
        ELSE
            -- Taken for another pot at the same instant.
            SELECT * INTO STRICT held FROM hold WHERE reservation_id = p_reservation;
        END IF;
    END IF;

    RETURN CASE
        WHEN held.pot_id <> p_pot THEN refused('RESERVATION_MISMATCH')
        WHEN (held.seat, held.player) <> (p_seat, p_player) THEN refused('RESERVATION_MISMATCH')
        WHEN held.state = 'REFUSED' THEN refused(held.refusal)
        WHEN held.state IN ('RELEASED', 'REFUNDED') THEN refused('RESERVATION_RELEASED')
        ELSE jsonb_build_object('hold', jsonb_build_object(
            'seat', held.seat, 'player', held.player, 'reservation_id', held.reservation_id,
            'currency', target.currency, 'amount', target.stake))
    END;
END
$$;



CREATE FUNCTION wallet.holds_exactly(p_pot wallet.pot, p_holds jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT count(held.seat) = 4 AND count(named.seat) = 4 AND count(*) = 4
    FROM (SELECT seat, player, reservation_id, p_pot.currency::text AS currency, p_pot.stake AS amount
          FROM hold WHERE pot_id = p_pot.id AND state IN ('HELD', 'PAID')) AS held
    FULL JOIN jsonb_to_recordset(p_holds)
        AS named (seat smallint, player text, reservation_id uuid, currency text, amount bigint)
        USING (seat, player, reservation_id, currency, amount)
$$;



CREATE FUNCTION wallet.imbalance() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'imbalance', coalesce(sum(abs(total)), 0),
        'pending', (SELECT count(*) FROM pending_roll_up),
        'stale_pots', (SELECT count(*) FROM pot WHERE state IN ('OPEN', 'LOCKED') AND created_at < now() - interval '1 day'))
    FROM (
        SELECT sum(amount) AS total FROM (
            SELECT currency, balance AS amount FROM account WHERE kind <> 'pot'
            UNION ALL
            SELECT account.currency, account.balance FROM pot JOIN account ON account.id = pot.account_id
            WHERE pot.state IN ('OPEN', 'LOCKED')
            UNION ALL
            SELECT entry.currency, entry.amount FROM pending_roll_up AS waiting JOIN entry ON entry.id = waiting.entry_id
        ) AS parts GROUP BY currency
    ) AS currencies
$$;



CREATE TABLE wallet.journal (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind wallet.journal_kind NOT NULL,
    pot_id uuid,
    reference text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    written_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
    tenant text,
    request_id uuid,
    actor_subject text,
    actor_tenant text,
    CONSTRAINT pot_or_cashier CHECK (((pot_id IS NULL) = (kind = ANY (ARRAY['deposit'::wallet.journal_kind, 'withdrawal'::wallet.journal_kind, 'correction'::wallet.journal_kind])))),
    CONSTRAINT reference_without_look_alikes CHECK (((reference IS NFC NORMALIZED) AND (reference !~ ('^ | $|  |[\u0001-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e]'::text || '|[\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]'::text))))
);



CREATE FUNCTION wallet.link(p_chain bytea, p_entry wallet.entry, p_journal wallet.journal) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT sha256(p_chain || convert_to((jsonb_build_array(
        p_entry.account_id, p_entry.sequence, p_entry.journal_id, p_journal.kind, p_journal.pot_id, p_journal.reference,
        (extract(epoch FROM p_journal.created_at) * 1000000)::bigint,
        p_entry.currency, p_entry.amount, p_entry.balance_after)
        || CASE WHEN p_journal.request_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(
            p_journal.tenant, p_journal.request_id, p_journal.actor_subject, p_journal.actor_tenant) END)::text, 'UTF8'))
$$;



CREATE FUNCTION wallet.list_pots(p_states text[], p_tenant text, p_before_us bigint, p_after_us bigint, p_after uuid, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.lock_accounts(p_accounts bigint[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT FROM account WHERE id = ANY (p_accounts) AND kind IN ('player', 'pot') ORDER BY id FOR NO KEY UPDATE
$$;



CREATE FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb, p_table uuid, p_subject text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.look_again(p_seen text, p_flushed bigint, p_boot timestamp with time zone) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT compare_ledger(p_seen, p_flushed, false, p_boot)
$$;



CREATE FUNCTION wallet.open_pot(p_pot uuid, p_tenant text, p_currency text, p_stake bigint) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    schedule fee_schedule;
    same boolean;
BEGIN
    SELECT (tenant, currency, stake) = (p_tenant, p_currency, p_stake) INTO same FROM pot WHERE id = p_pot;
    IF NOT FOUND THEN
        IF EXISTS (SELECT FROM fenced_pot WHERE id = p_pot) THEN
            RETURN refused('POT_CONFLICT');
        END IF;
        schedule := schedule_of(p_tenant);
        INSERT INTO pot (id, tenant, currency, stake, fee, fee_schedule_version, account_id)
        VALUES (p_pot, p_tenant, p_currency, p_stake, fee(4 * p_stake, schedule), schedule.version,
                account_of('pot', p_tenant, p_pot::text, p_currency))
        ON CONFLICT (id) DO NOTHING;
        SELECT (tenant, currency, stake) = (p_tenant, p_currency, p_stake) INTO STRICT same FROM pot WHERE id = p_pot;
    END IF;
    IF NOT same THEN
        RETURN refused('POT_CONFLICT', p_pot);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;



CREATE FUNCTION wallet.operator_acts(p_subject text, p_before bigint, p_limit integer) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object('acts', coalesce(jsonb_agg(jsonb_build_object(
        'act_id', page.id, 'subject', subject, 'subject_tenant', subject_tenant, 'kind', kind, 'request_id', request_id,
        'tenant', tenant, 'object', object, 'reason', reason, 'journal_id', journal_id,
        'created_us', (extract(epoch FROM created_at) * 1000000)::bigint) ORDER BY page.id DESC), '[]'))
    FROM (
        SELECT operator_act.* FROM operator_act
        WHERE (p_subject = '' OR subject = p_subject) AND id < coalesce(p_before, 9223372036854775807)
        ORDER BY id DESC LIMIT p_limit) AS page
$$;



CREATE FUNCTION wallet.pay(p_pot wallet.pot, p_seats smallint[], p_digest bytea, p_table uuid, p_actor wallet.actor DEFAULT NULL::wallet.actor) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    shares bigint[] := split(4 * p_pot.stake - p_pot.fee, cardinality(p_seats));
    winners bigint[];
    written uuid;
BEGIN
    SELECT array_agg(account_id ORDER BY seat) INTO winners
    FROM hold WHERE pot_id = p_pot.id AND state = 'HELD' AND seat = ANY (p_seats);
    written := post_by('payout', p_pot.id, '',
        ARRAY[p_pot.account_id, account_of('house', p_pot.tenant, '', p_pot.currency)] || winners,
        ARRAY[-4 * p_pot.stake, p_pot.fee] || shares,
        CASE WHEN p_actor.subject IS NOT NULL THEN p_pot.tenant END, p_actor);
    UPDATE hold SET state = 'PAID', payout = shares[array_position(p_seats, seat)]
    WHERE pot_id = p_pot.id AND state = 'HELD';
    UPDATE pot SET state = 'SETTLED', winning_seats = p_seats, result_digest = p_digest,
                   table_id = coalesce(table_id, p_table), closed_at = clock_timestamp()
    WHERE id = p_pot.id;
    RETURN written;
END
$$;



CREATE FUNCTION wallet.plays_for(p_pot uuid, p_subject text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM stakes(p_pot) WHERE player = p_subject)
$$;



CREATE FUNCTION wallet.position_now() RETURNS wallet.place
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.post(p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[]) RETURNS uuid
    LANGUAGE sql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT post_by(p_kind, p_pot, p_reference, p_accounts, p_amounts, NULL, NULL)
$$;



CREATE FUNCTION wallet.post_by(p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[], p_tenant text, p_actor wallet.actor) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    written journal;
    posting record;
    posted account;
    line entry;
BEGIN
    PERFORM lock_accounts(p_accounts);
    INSERT INTO journal (kind, pot_id, reference, tenant, request_id, actor_subject, actor_tenant)
    VALUES (p_kind, p_pot, p_reference, p_tenant, p_actor.request_id, p_actor.subject, p_actor.tenant)
    RETURNING * INTO written;
    FOR posting IN
        SELECT each.account_id, each.amount FROM unnest(p_accounts, p_amounts) AS each (account_id, amount)
        WHERE each.amount <> 0 ORDER BY each.account_id
    LOOP
        SELECT * INTO STRICT posted FROM account WHERE id = posting.account_id;
        line := NULL;
        line.journal_id := written.id;
        line.account_id := posted.id;
        line.currency := posted.currency;
        line.amount := posting.amount;
        IF posted.kind IN ('player', 'pot') THEN
            line.sequence := posted.sequence + 1;
            line.balance_after := posted.balance + posting.amount;
            line.chain := link(posted.chain, line, written);
            UPDATE account SET balance = line.balance_after, sequence = line.sequence, chain = line.chain
            WHERE id = posted.id;
        END IF;
        INSERT INTO entry (journal_id, account_id, currency, amount, sequence, balance_after, chain)
        VALUES (line.journal_id, line.account_id, line.currency, line.amount,
                line.sequence, line.balance_after, line.chain)
        RETURNING id INTO line.id;
        IF posted.kind IN ('house', 'cashier') THEN
            INSERT INTO pending_roll_up (entry_id, account_id) VALUES (line.id, posted.id);
        END IF;
    END LOOP;
    RETURN written.id;
END
$$;



CREATE FUNCTION wallet.quote(p_currency text, p_stake bigint, p_fee bigint, p_schedule wallet.fee_schedule) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object(
        'currency', p_currency, 'stake', p_stake, 'pot', 4 * p_stake, 'fee', p_fee, 'net', 4 * p_stake - p_fee,
        'side_payouts', split(4 * p_stake - p_fee, 2),
        'fee_schedule_version', p_schedule.version, 'fee_bps', p_schedule.fee_bps)
$$;



CREATE FUNCTION wallet.quote_pots(p_tenant text, p_currencies text[], p_stakes bigint[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    schedule fee_schedule := schedule_of(p_tenant);
BEGIN
    RETURN jsonb_build_object('quotes', coalesce(
        (SELECT jsonb_agg(quote(currency, stake, fee(4 * stake, schedule), schedule) ORDER BY place)
         FROM unnest(p_currencies, p_stakes) WITH ORDINALITY AS asked (currency, stake, place)), '[]'));
END
$$;



CREATE FUNCTION wallet.reconcile_pot(p_pot uuid, p_table uuid, p_seats jsonb, p_fact text, p_winners smallint[], p_digest bytea, p_subject text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.record_act(p_kind text, p_actor wallet.actor, p_tenant text, p_object text, p_reason text, p_journal uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    INSERT INTO operator_act (subject, subject_tenant, kind, request_id, tenant, object, reason, journal_id)
    SELECT p_actor.subject, p_actor.tenant, p_kind, p_actor.request_id, p_tenant, p_object, p_reason, p_journal
    WHERE p_actor.subject IS NOT NULL
$$;



CREATE FUNCTION wallet.record_operator_act(p_kind text, p_request uuid, p_tenant text, p_object text, p_reason text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    act bigint;
BEGIN
    INSERT INTO operator_act (subject, subject_tenant, kind, request_id, tenant, object, reason)
    VALUES (p_subject, p_subject_tenant, p_kind, p_request, p_tenant, p_object, p_reason)
    ON CONFLICT DO NOTHING;
    SELECT id INTO act FROM operator_act
    WHERE request_id = p_request AND kind = p_kind AND subject = p_subject AND subject_tenant = p_subject_tenant
        AND tenant = p_tenant AND object = p_object AND reason = p_reason;
    IF NOT FOUND THEN
        RETURN refused('REQUEST_ID_REUSED');
    END IF;
    RETURN jsonb_build_object('act_id', act);
END
$$;



CREATE FUNCTION wallet.recoveries(p_before bigint, p_limit integer) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT jsonb_build_object('recoveries', coalesce(jsonb_agg(describe_recovery(page) ORDER BY page.id DESC), '[]'))
    FROM (SELECT recovery.* FROM recovery WHERE id < coalesce(p_before, 9223372036854775807) ORDER BY id DESC LIMIT p_limit) AS page
$$;



CREATE FUNCTION wallet.refund_pot(p_pot uuid, p_reason text, p_table uuid, p_seats jsonb, p_subject text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    target pot;
    mine boolean;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;
    mine := CASE target.state
        WHEN 'OPEN' THEN p_table IS NULL OR seats_matching(p_pot, p_seats) = (SELECT count(*) FROM stakes(p_pot))
        WHEN 'REFUNDED' THEN target.table_id IS NULL OR p_table IS NULL OR belongs(target, p_table, p_seats)
        ELSE belongs(target, p_table, p_seats) END;
    IF target.state = 'SETTLED' AND (mine OR p_table IS NULL) THEN
        RETURN refused('POT_SETTLED', p_pot);
    ELSIF target.state = 'LOCKED' AND (p_table IS NULL OR p_reason = 'GAME_CLOSED') THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF NOT mine THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    ELSIF target.state IN ('OPEN', 'LOCKED') THEN
        PERFORM give_back(target, p_reason, p_table);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;



CREATE FUNCTION wallet.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    RAISE EXCEPTION '% on wallet.% is refused: its rows are only ever added', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;



CREATE FUNCTION wallet.refuse_late_entry() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    IF (SELECT written_by FROM journal WHERE id = NEW.journal_id) <> pg_current_xact_id() THEN
        RAISE EXCEPTION 'journal % is complete', NEW.journal_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;



CREATE FUNCTION wallet.refuse_pot_return() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    IF OLD.state IN ('SETTLED', 'REFUNDED') OR (OLD.state = 'LOCKED' AND NEW.state = 'OPEN')
        OR (OLD.state = 'OPEN' AND NEW.state = 'SETTLED')
        OR (OLD.table_id IS NOT NULL AND NEW.table_id IS DISTINCT FROM OLD.table_id)
        OR (OLD.id, OLD.tenant, OLD.currency, OLD.stake, OLD.fee, OLD.fee_schedule_version, OLD.account_id)
            IS DISTINCT FROM
           (NEW.id, NEW.tenant, NEW.currency, NEW.stake, NEW.fee, NEW.fee_schedule_version, NEW.account_id) THEN
        RAISE EXCEPTION 'pot % cannot go from % to % or change its terms', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;



CREATE FUNCTION wallet.refused(p_reason text, p_pot uuid DEFAULT NULL::uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    RETURN jsonb_build_object('refusal', p_reason)
        || CASE WHEN p_pot IS NULL THEN '{}' ELSE jsonb_build_object('pot', describe_pot(p_pot)) END;
END
$$;



CREATE FUNCTION wallet.refused_unrecorded(p_tenant text, p_request uuid, p_reason text, p_pot uuid DEFAULT NULL::uuid) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
    RETURN refused(p_reason, p_pot);
END
$$;



CREATE FUNCTION wallet.release_stake(p_pot uuid, p_reservation uuid) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    target pot;
    held hold;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN CASE WHEN EXISTS (SELECT FROM fenced_pot WHERE id = p_pot)
            THEN jsonb_build_object('released', false) ELSE refused('POT_NOT_FOUND') END;
    END IF;

    INSERT INTO hold (reservation_id, pot_id, state) VALUES (p_reservation, p_pot, 'RELEASED')
    ON CONFLICT (reservation_id) DO NOTHING;
    SELECT * INTO STRICT held FROM hold WHERE reservation_id = p_reservation;
    IF held.pot_id <> p_pot THEN
        RETURN refused('RESERVATION_MISMATCH');
    END IF;

    IF held.state IN ('HELD', 'PAID') THEN
        IF target.state <> 'OPEN' THEN
            RETURN refused('POT_NOT_OPEN', p_pot);
        END IF;
        PERFORM post('release', p_pot, '', ARRAY[target.account_id, held.account_id], ARRAY[-target.stake, target.stake]);
        UPDATE hold SET state = 'RELEASED' WHERE reservation_id = p_reservation RETURNING * INTO held;
    END IF;
    RETURN jsonb_build_object(
        'released', held.state = 'REFUNDED' OR (held.state = 'RELEASED' AND held.account_id IS NOT NULL));
END
$$;



CREATE FUNCTION wallet.remove_unused_pots(p_days integer, p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    mark retention;
    target pot;
    looked integer := 0;
    removed integer := 0;
BEGIN
    PERFORM require_standing();
    SELECT * INTO mark FROM retention FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        FOR target IN
            SELECT * FROM pot
            WHERE (created_at, id) > (mark.created_at, mark.pot_id) AND created_at < now() - make_interval(days => p_days)
            ORDER BY created_at, id LIMIT p_limit
        LOOP
            looked := looked + 1;
            mark.created_at := target.created_at;
            mark.pot_id := target.id;
            IF NOT EXISTS (SELECT FROM journal WHERE pot_id = target.id) THEN
                PERFORM FROM pot WHERE id = target.id FOR UPDATE;
                IF NOT EXISTS (SELECT FROM journal WHERE pot_id = target.id) THEN
                    INSERT INTO fenced_pot (id) VALUES (target.id);
                    DELETE FROM hold WHERE pot_id = target.id;
                    DELETE FROM pot WHERE id = target.id;
                    DELETE FROM account WHERE id = target.account_id;
                    removed := removed + 1;
                END IF;
            END IF;
        END LOOP;
        UPDATE retention SET created_at = mark.created_at, pot_id = mark.pot_id WHERE looked > 0;
    END IF;
    RETURN jsonb_build_object('looked', looked, 'removed', removed);
END
$$;



CREATE FUNCTION wallet.require_balance() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    checked uuid := CASE TG_TABLE_NAME WHEN 'journal' THEN to_jsonb(NEW) ->> 'id' ELSE to_jsonb(NEW) ->> 'journal_id' END;
BEGIN
    IF (SELECT count(*) FROM entry WHERE journal_id = checked) < 2
        OR EXISTS (SELECT FROM entry WHERE journal_id = checked GROUP BY currency HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'journal % does not add to zero', checked USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;



CREATE FUNCTION wallet.require_standing() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
BEGIN
    IF EXISTS (SELECT FROM recovery WHERE ended_at IS NULL)
        OR coalesce(taken_back(position_now(), NULL, NULL), 'first') <> 'first'
        OR waits_for_tables() THEN
        RAISE EXCEPTION 'LEDGER_RECOVERING' USING ERRCODE = 'lock_not_available';
    END IF;
END
$$;



CREATE FUNCTION wallet.roll_up(p_limit integer) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    rolled integer := 0;
    batch record;
    target account;
    link_of record;
BEGIN
    FOR batch IN
        WITH taken AS (
            DELETE FROM pending_roll_up WHERE entry_id = ANY (ARRAY(
                SELECT entry_id FROM pending_roll_up ORDER BY entry_id LIMIT p_limit FOR UPDATE SKIP LOCKED))
            RETURNING entry_id, account_id
        )
        SELECT taken.account_id, array_agg(entry.id ORDER BY entry.id) AS entry_ids, sum(entry.amount) AS amount
        FROM taken JOIN entry ON entry.id = taken.entry_id
        GROUP BY taken.account_id ORDER BY taken.account_id
    LOOP
        SELECT * INTO STRICT target FROM account WHERE id = batch.account_id FOR NO KEY UPDATE;
        FOR link_of IN
            SELECT entry AS line, journal AS written FROM entry JOIN journal ON journal.id = entry.journal_id
            WHERE entry.id = ANY (batch.entry_ids) ORDER BY entry.id
        LOOP
            target.chain := link(target.chain, link_of.line, link_of.written);
        END LOOP;
        INSERT INTO roll_up (account_id, batch, entry_ids, amount, balance_after, chain)
        VALUES (target.id, target.sequence + 1, batch.entry_ids, batch.amount, target.balance + batch.amount, target.chain);
        UPDATE account SET balance = balance + batch.amount, sequence = sequence + 1, chain = target.chain
        WHERE id = target.id;
        rolled := rolled + cardinality(batch.entry_ids);
    END LOOP;
    RETURN jsonb_build_object('rolled', rolled);
END
$$;



CREATE FUNCTION wallet.schedule_of(p_tenant text) RETURNS wallet.fee_schedule
    LANGUAGE plpgsql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    schedule fee_schedule;
BEGIN
    SELECT * INTO schedule FROM fee_schedule
    WHERE tenant IN (p_tenant, '') AND coalesce(start_at, created_at) <= clock_timestamp()
    ORDER BY tenant = '', version DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no fee schedule yet' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN schedule;
END
$$;



CREATE FUNCTION wallet.seats_matching(p_pot uuid, p_seats jsonb) RETURNS bigint
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT count(DISTINCT held.seat) FROM jsonb_to_recordset(p_seats) AS named (seat smallint, player text, reservation_id uuid)
    JOIN stakes(p_pot) AS held ON held.seat = named.seat AND held.player = named.player
        AND held.reservation_id = coalesce(named.reservation_id, held.reservation_id)
$$;



CREATE FUNCTION wallet.set_fee_schedule(p_tenant text, p_request uuid, p_fee_bps integer, p_fee_min bigint, p_fee_max bigint, p_start_us bigint, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
DECLARE
    start CONSTANT timestamptz := timestamptz 'epoch' + p_start_us * interval '1 microsecond';
    at timestamptz;
    known fee_schedule;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('wallet.fee_schedule'));
    SELECT * INTO known FROM fee_schedule WHERE tenant = p_tenant AND request_id = p_request;
    IF FOUND THEN
        IF (known.fee_bps, known.fee_min, known.fee_max) IS DISTINCT FROM (p_fee_bps, p_fee_min, p_fee_max)
            OR start <> known.start_at OR (start IS NULL) <> (known.start_at = known.created_at) THEN
            RETURN refused('REQUEST_ID_REUSED');
        END IF;
        RETURN jsonb_build_object('schedule', describe_schedule(known));
    END IF;
    at := clock_timestamp();
    IF start < at OR coalesce(start, at) < (
        SELECT max(coalesce(start_at, created_at)) FROM fee_schedule WHERE tenant = p_tenant) THEN
        RETURN refused('SCHEDULE_TOO_EARLY');
    END IF;
    INSERT INTO fee_schedule (tenant, fee_bps, fee_min, fee_max, start_at, created_at, created_by, request_id)
    VALUES (p_tenant, p_fee_bps, p_fee_min, p_fee_max, coalesce(start, at), at, p_subject, p_request)
    RETURNING * INTO known;
    PERFORM record_act('set_fee_schedule', ROW(p_subject, p_subject_tenant, p_request)::actor, p_tenant, '',
        format('version %s: %s bps, %s to %s', known.version, p_fee_bps, p_fee_min, coalesce(p_fee_max::text, 'no limit')), NULL);
    RETURN jsonb_build_object('schedule', describe_schedule(known));
END
$$;



CREATE FUNCTION wallet.settle_pot(p_pot uuid, p_winners smallint[], p_digest bytea, p_table uuid, p_seats jsonb, p_subject text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.split(p_net bigint, p_parts integer) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT array_agg(p_net / p_parts + CASE WHEN part < p_net % p_parts THEN 1 ELSE 0 END ORDER BY part)
    FROM generate_series(0, p_parts - 1) AS part
$$;



CREATE TABLE wallet.hold (
    reservation_id uuid NOT NULL,
    pot_id uuid NOT NULL,
    seat smallint,
    player text,
    account_id bigint,
    state wallet.hold_state NOT NULL,
    refusal text,
    payout bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT held_by_somebody CHECK (((state = ANY (ARRAY['RELEASED'::wallet.hold_state, 'REFUSED'::wallet.hold_state])) OR ((seat IS NOT NULL) AND (player IS NOT NULL) AND (account_id IS NOT NULL)))),
    CONSTRAINT hold_check CHECK (((refusal IS NOT NULL) = (state = 'REFUSED'::wallet.hold_state))),
    CONSTRAINT hold_payout_check CHECK ((payout >= 0)),
    CONSTRAINT hold_seat_check CHECK (((seat >= 0) AND (seat <= 3)))
);



CREATE FUNCTION wallet.stakes(p_pot uuid) RETURNS SETOF wallet.hold
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT * FROM hold WHERE pot_id = p_pot AND state IN ('HELD', 'PAID', 'REFUNDED')
$$;



CREATE FUNCTION wallet.taken_back(p_here wallet.place, p_seen text, p_flushed bigint) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
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



CREATE FUNCTION wallet.trial_balance() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    WITH line AS (
        SELECT currency, kind, sum(total) AS total, count(*) AS accounts FROM account_total GROUP BY currency, kind
    ), currency_total AS (
        SELECT currency, sum(total) AS total FROM line GROUP BY currency
    ), written AS (
        SELECT account_id, sum(amount) AS amount, count(sequence) AS entries FROM entry GROUP BY account_id
    )
    SELECT jsonb_build_object(
        'lines', coalesce((SELECT jsonb_agg(to_jsonb(line) ORDER BY currency, kind) FROM line), '[]'),
        'totals', coalesce((SELECT jsonb_agg(to_jsonb(currency_total) ORDER BY currency) FROM currency_total), '[]'),
        'balanced',
            NOT EXISTS (SELECT FROM currency_total WHERE total <> 0)
            AND NOT EXISTS (SELECT FROM entry GROUP BY journal_id, currency HAVING sum(amount) <> 0)
            AND NOT EXISTS (
                SELECT FROM account_total AS account LEFT JOIN written ON written.account_id = account.id
                WHERE account.total <> coalesce(written.amount, 0)
                    OR (account.kind IN ('player', 'pot') AND account.sequence <> coalesce(written.entries, 0)))
            AND NOT EXISTS (
                SELECT FROM pot JOIN account ON account.id = pot.account_id
                WHERE account.balance <> pot.stake * (
                    SELECT count(*) FROM hold WHERE hold.pot_id = pot.id AND hold.state = 'HELD')))
$$;



CREATE FUNCTION wallet.waits_for_tables() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM lineage)
        AND NOT EXISTS (SELECT FROM boot WHERE started_at = pg_postmaster_start_time() AND heard)
$$;



CREATE FUNCTION wallet.watch() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT imbalance() || jsonb_build_object(
        'recoveries', (SELECT count(*) FROM recovery),
        'recovering', EXISTS (SELECT FROM recovery WHERE ended_at IS NULL),
        'repaired', (SELECT coalesce(sum(repaired), 0) FROM recovery),
        'unmatched', (SELECT coalesce(sum(unmatched), 0) FROM recovery),
        'open_since_restore', (
            SELECT count(*) FROM pot
            WHERE state IN ('OPEN', 'LOCKED') AND created_at < (SELECT begun_at FROM recovery ORDER BY id DESC LIMIT 1)))
$$;



CREATE FUNCTION wallet.withdraw(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) RETURNS jsonb
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'wallet', 'pg_temp'
    AS $$
    SELECT cashier_entry('withdrawal', 'withdraw', p_tenant, p_player, p_currency, -p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;



CREATE FUNCTION wallet.without_capitals(p_text text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT translate(p_text,
        'ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚ'
        || 'ŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼǄǅǇǈǊǋǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾȀȂȄȆȈȊȌȎȐȒȔȖȘȚ'
        || 'ȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΆΈΉΊΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϴϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБ'
        || 'ВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲ'
        || 'ӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮḀḂḄḆḈḊḌḎḐḒḔḖḘḚḜḞḠḢḤḦḨḪḬḮḰḲḴḶḸḺḼḾṀṂṄṆṈṊṌṎṐṒṔṖṘṚṜṞṠṢṤṦṨṪṬṮṰṲṴṶṸṺṼṾẀẂẄẆẈẊ'
        || 'ẌẎẐẒẔẞẠẢẤẦẨẪẬẮẰẲẴẶẸẺẼẾỀỂỄỆỈỊỌỎỐỒỔỖỘỚỜỞỠỢỤỦỨỪỬỮỰỲỴỶỸỺỼỾ',
        'abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřś'
        || 'ŝşšţťŧũūŭůűųŵŷÿźżžɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵơƣƥʀƨʃƭʈưʊʋƴƶʒƹƽǆǆǉǉǌǌǎǐǒǔǖǘǚǜǟǡǣǥǧǩǫǭǯǳǳǵƕƿǹǻǽǿȁȃȅȇȉȋȍȏȑȓȕȗșț'
        || 'ȝȟƞȣȥȧȩȫȭȯȱȳⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳάέήίόύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯθϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџаб'
        || 'вгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳ'
        || 'ӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯḁḃḅḇḉḋḍḏḑḓḕḗḙḛḝḟḡḣḥḧḩḫḭḯḱḳḵḷḹḻḽḿṁṃṅṇṉṋṍṏṑṓṕṗṙṛṝṟṡṣṥṧṩṫṭṯṱṳṵṷṹṻṽṿẁẃẅẇẉẋ'
        || 'ẍẏẑẓẕßạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹỻỽỿ')
$$;



CREATE TABLE matchmaking.alembic_version (
    version_num character varying(32) NOT NULL
);



CREATE TABLE matchmaking.free_hold (
    reservation_id uuid NOT NULL,
    pot_id uuid NOT NULL,
    seat smallint NOT NULL,
    player text NOT NULL,
    state text NOT NULL,
    CONSTRAINT free_hold_seat_check CHECK (((seat >= '-1'::integer) AND (seat <= 3))),
    CONSTRAINT free_hold_state_check CHECK (((state = 'HELD'::text) OR (state = 'RELEASED'::text) OR (state ~~ 'REFUSED:%'::text)))
);



CREATE TABLE matchmaking.free_pot (
    pot_id uuid NOT NULL,
    state text NOT NULL,
    CONSTRAINT free_pot_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'LOCKED'::text, 'REFUNDED'::text])))
);



CREATE TABLE matchmaking.game (
    game_id uuid NOT NULL,
    tenant text NOT NULL,
    opener text NOT NULL,
    request_id uuid NOT NULL,
    request_digest bytea NOT NULL,
    refusal text,
    preset text NOT NULL,
    variant text NOT NULL,
    rule_set bytea NOT NULL,
    rule_set_json jsonb NOT NULL,
    currency text NOT NULL,
    stake bigint NOT NULL,
    quote jsonb,
    opener_seat smallint NOT NULL,
    status text NOT NULL,
    table_id uuid,
    seats jsonb,
    result jsonb,
    open_time timestamp with time zone NOT NULL,
    expire_time timestamp with time zone NOT NULL,
    start_time timestamp with time zone,
    end_time timestamp with time zone,
    refund_due boolean DEFAULT false NOT NULL,
    forget_due boolean DEFAULT false NOT NULL,
    missing_since timestamp with time zone,
    asked_at timestamp with time zone,
    next_check timestamp with time zone,
    changes bigint DEFAULT 1 NOT NULL,
    pot_kept boolean DEFAULT true NOT NULL,
    CONSTRAINT game_check CHECK (((status = ANY (ARRAY['STARTING'::text, 'PLAYING'::text, 'FINISHED'::text])) <= ((table_id IS NOT NULL) AND (seats IS NOT NULL)))),
    CONSTRAINT game_opener_seat_check CHECK (((opener_seat >= 0) AND (opener_seat <= 3))),
    CONSTRAINT game_stake_check CHECK ((stake >= 0)),
    CONSTRAINT game_status_check CHECK ((status = ANY (ARRAY['OPENING'::text, 'OPEN'::text, 'STARTING'::text, 'PLAYING'::text, 'FINISHED'::text, 'CLOSED'::text, 'VOIDED'::text])))
);



CREATE TABLE matchmaking.pot_watch (
    one boolean DEFAULT true NOT NULL,
    due timestamp with time zone NOT NULL,
    CONSTRAINT pot_watch_one_check CHECK (one)
);



CREATE TABLE matchmaking.schema_file (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);



CREATE TABLE matchmaking.schema_state (
    only_one boolean DEFAULT true NOT NULL,
    revision text NOT NULL,
    oldest text NOT NULL,
    release text NOT NULL,
    migrated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT schema_state_only_one_check CHECK (only_one)
);



CREATE TABLE matchmaking.stray_pot (
    pot_id uuid NOT NULL,
    tenant text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    table_id uuid,
    since timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    asked_at timestamp with time zone NOT NULL,
    CONSTRAINT stray_pot_reason_check CHECK ((reason = ANY (ARRAY['NO_GAME'::text, 'GAME_OVER'::text, 'NO_TABLE'::text, 'REFUSED'::text, 'UNANSWERED'::text, 'OTHER_END'::text])))
);



CREATE VIEW matchmaking.stuck_pot AS
 SELECT stray.pot_id,
    stray.tenant,
    stray.reason,
    stray.detail,
    stray.since,
    stray.missing_since,
    COALESCE(stray.table_id, game.table_id) AS table_id,
    game.status
   FROM (matchmaking.stray_pot stray
     LEFT JOIN matchmaking.game game ON ((game.game_id = stray.pot_id)))
UNION ALL
 SELECT game.game_id AS pot_id,
    game.tenant,
    'NO_TABLE'::text AS reason,
    'the table service does not know the table'::text AS detail,
    game.missing_since AS since,
    game.missing_since,
    game.table_id,
    game.status
   FROM matchmaking.game
  WHERE ((game.status = 'PLAYING'::text) AND (game.stake > 0) AND (game.missing_since IS NOT NULL) AND (NOT (EXISTS ( SELECT
           FROM matchmaking.stray_pot stray
          WHERE (stray.pot_id = game.game_id)))))
UNION ALL
 SELECT game.game_id AS pot_id,
    game.tenant,
    'UNANSWERED'::text AS reason,
    'the stakes are to be given back'::text AS detail,
    game.end_time AS since,
    NULL::timestamp with time zone AS missing_since,
    game.table_id,
    game.status
   FROM matchmaking.game
  WHERE ((game.next_check IS NOT NULL) AND game.refund_due AND (game.stake > 0) AND (game.end_time < (now() - '00:01:00'::interval)) AND (NOT (EXISTS ( SELECT
           FROM matchmaking.stray_pot stray
          WHERE (stray.pot_id = game.game_id)))))
UNION ALL
 SELECT game.game_id AS pot_id,
    game.tenant,
    'UNANSWERED'::text AS reason,
    'the table is to be set up'::text AS detail,
    game.start_time AS since,
    NULL::timestamp with time zone AS missing_since,
    game.table_id,
    game.status
   FROM matchmaking.game
  WHERE ((game.status = 'STARTING'::text) AND (game.stake > 0) AND (game.start_time < (now() - '00:01:00'::interval)) AND (NOT (EXISTS ( SELECT
           FROM matchmaking.stray_pot stray
          WHERE (stray.pot_id = game.game_id)))));



CREATE TABLE wallet.account (
    id bigint NOT NULL,
    kind wallet.account_kind NOT NULL,
    tenant wallet.tenant_name NOT NULL,
    owner text DEFAULT ''::text NOT NULL,
    currency wallet.currency_code NOT NULL,
    balance numeric(38,0) DEFAULT 0 NOT NULL,
    sequence bigint DEFAULT 0 NOT NULL,
    chain wallet.digest NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT account_check CHECK (((owner = ''::text) = (kind = ANY (ARRAY['house'::wallet.account_kind, 'cashier'::wallet.account_kind])))),
    CONSTRAINT account_sequence_check CHECK ((sequence >= 0)),
    CONSTRAINT balance_fits CHECK (((kind = ANY (ARRAY['house'::wallet.account_kind, 'cashier'::wallet.account_kind])) OR (balance <= ('9000000000000000000'::bigint)::numeric))),
    CONSTRAINT balance_not_negative CHECK (((kind = ANY (ARRAY['house'::wallet.account_kind, 'cashier'::wallet.account_kind])) OR (balance >= (0)::numeric)))
);



ALTER TABLE wallet.account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE wallet.pending_roll_up (
    entry_id bigint NOT NULL,
    account_id bigint NOT NULL
);



CREATE VIEW wallet.account_total AS
 SELECT account.id,
    account.kind,
    account.tenant,
    account.owner,
    account.currency,
    account.balance,
    account.sequence,
    account.chain,
    account.created_at,
    (account.balance + COALESCE(pending.amount, (0)::numeric)) AS total
   FROM (wallet.account
     LEFT JOIN ( SELECT waiting.account_id,
            sum(entry.amount) AS amount
           FROM (wallet.pending_roll_up waiting
             JOIN wallet.entry ON ((entry.id = waiting.entry_id)))
          GROUP BY waiting.account_id) pending ON ((pending.account_id = account.id)));



CREATE TABLE wallet.alembic_version (
    version_num character varying(32) NOT NULL
);



CREATE TABLE wallet.boot (
    started_at timestamp with time zone NOT NULL,
    begun bigint,
    heard boolean NOT NULL,
    witnessed boolean NOT NULL
);



ALTER TABLE wallet.entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



ALTER TABLE wallet.fee_schedule ALTER COLUMN version ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.fee_schedule_version_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE wallet.fenced_pot (
    id uuid NOT NULL,
    fenced_on date DEFAULT CURRENT_DATE NOT NULL
);



CREATE TABLE wallet.idempotency (
    tenant wallet.tenant_name NOT NULL,
    request_id uuid NOT NULL,
    body_digest wallet.digest NOT NULL,
    entry_id bigint,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);



CREATE TABLE wallet.lineage (
    id bigint NOT NULL,
    name text NOT NULL,
    server text NOT NULL,
    timeline bigint NOT NULL,
    begun_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);



ALTER TABLE wallet.lineage ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.lineage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE wallet.operator_act (
    id bigint NOT NULL,
    subject text NOT NULL,
    subject_tenant text NOT NULL,
    kind text NOT NULL,
    request_id uuid NOT NULL,
    tenant text NOT NULL,
    object text NOT NULL,
    reason text NOT NULL,
    journal_id uuid,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT operator_act_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'withdraw'::text, 'correct'::text, 'set_fee_schedule'::text, 'refund_pot'::text, 'settle_pot'::text, 'abort_table'::text, 'reconcile_table'::text, 'end_recovery'::text]))),
    CONSTRAINT operator_act_subject_check CHECK ((subject <> ''::text))
);



ALTER TABLE wallet.operator_act ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.operator_act_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



ALTER TABLE wallet.recovery ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME wallet.recovery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);



CREATE TABLE wallet.retention (
    only_one boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    pot_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    CONSTRAINT retention_only_one_check CHECK (only_one)
);



CREATE TABLE wallet.roll_up (
    account_id bigint NOT NULL,
    batch bigint NOT NULL,
    entry_ids bigint[] NOT NULL,
    amount numeric(38,0) NOT NULL,
    balance_after numeric(38,0) NOT NULL,
    chain wallet.digest NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT roll_up_batch_check CHECK ((batch >= 1)),
    CONSTRAINT roll_up_entry_ids_check CHECK ((cardinality(entry_ids) > 0))
);



CREATE TABLE wallet.schema_file (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);



CREATE TABLE wallet.schema_state (
    only_one boolean DEFAULT true NOT NULL,
    revision text NOT NULL,
    oldest text NOT NULL,
    release text NOT NULL,
    migrated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT schema_state_only_one_check CHECK (only_one)
);



INSERT INTO matchmaking.alembic_version VALUES
	('0002');









INSERT INTO matchmaking.game VALUES
	('44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 'default', 'player-fafcd319-51d8-40e5-8d2f-a5ccef70051c', '6b8d9bba-6bf8-44c3-b5f0-ef047af649b5', '\x3065623336323661613939626438646665313039653862626462333063326661', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c6173736963100118900320002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 400, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'e561d804-09fa-5e78-bc89-d4b36ecde4ff', '[{"seat": 0, "player": "player-fafcd319-51d8-40e5-8d2f-a5ccef70051c", "reservation": "62447e4c-615f-59f6-b13b-20a2d250e40c"}, {"seat": 1, "player": "player-cd61ee80-5fb6-4dc3-9b5a-919258513cbc", "reservation": "96d3f018-28f1-5e86-a065-d08f8ce356be"}, {"seat": 2, "player": "player-5201a507-b91d-4610-ba76-0a10e0fabb7c", "reservation": "0fcef6ed-85ee-5253-a26a-300e088fe606"}, {"seat": 3, "player": "player-46d12b00-cdc9-464c-9670-7be2873ffb54", "reservation": "bd76ec56-796a-5a69-bd27-90afb6cedc30"}]', NULL, '2026-12-01 13:52:56.918+00', '2026-12-01 14:22:56.918+00', '2026-12-01 13:52:57.03339+00', NULL, false, false, NULL, NULL, '2026-12-01 13:53:27.0966+00', 4, true),
	('77e71d99-1a50-4724-811b-55f69dc1d2d5', 'default', 'player-895c2805-512f-40f3-bb15-89ed400566a7', '4a299763-3e99-4f64-8712-0ec9d3414e15', '\x3661643565306237393936313661663866303230396362323965303961316437', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'OPEN', NULL, NULL, NULL, '2026-12-01 13:52:57.966+00', '2026-12-01 14:22:57.966+00', NULL, NULL, false, false, NULL, NULL, '2026-12-01 13:53:57.976706+00', 2, true),
	('ae94a68b-0b35-431d-929d-78f038e79943', 'default', 'player-24524738-9d17-4bff-8964-66c5f568c1a2', '63a6268a-f0d0-4671-bbb8-bc5966899952', '\x3737353661353362353737396261643261343937616665386163306463613763', NULL, 'differenzler-classic', 'differenzler', '\x0a14646966666572656e7a6c65722d636c617373696310023802c00101c80101d00102d80102e00100e80101', '{"preset": "differenzler-classic", "rounds": 2, "variant": "VARIANT_DIFFERENZLER", "undertrump": "UNDERTRUMP_ALLOWED", "exact_bonus": 0, "live_points": true, "announcements": "ANNOUNCEMENTS_HIDDEN", "first_forehand": "FIRST_FOREHAND_RANDOM", "tie_round_eligible": "TIE_ROUND_ELIGIBLE_ALL"}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '6d630493-fc2a-53c5-a4ee-582d8689a6ad', '[{"seat": 0, "player": "player-24524738-9d17-4bff-8964-66c5f568c1a2", "reservation": "1e32e311-cd37-5c76-9627-5adb140d7d1c"}, {"seat": 1, "player": "player-81454e13-39f3-4bed-a6b2-b8cf211ec21d", "reservation": "0fab7269-d8c2-5dc6-8a69-176d6c5a4615"}, {"seat": 2, "player": "player-c71c3242-c13b-42e9-8f63-55ef35ef71e1", "reservation": "56fb59bb-ecc2-5163-b6fd-81a670caeb6f"}, {"seat": 3, "player": "player-b65ff837-6525-4fc7-baef-295bac219741", "reservation": "66de8929-51ac-5ddc-a350-fceb92c45338"}]', NULL, '2026-12-01 13:52:57.664+00', '2026-12-01 14:22:57.664+00', '2026-12-01 13:52:57.739102+00', NULL, false, false, NULL, NULL, '2026-12-01 13:53:27.754664+00', 4, true),
	('a7992a29-8aaa-4058-99ee-40e55c78005f', 'default', 'player-3d052eac-73fa-45a9-9084-4472a5f2d4fd', '7398533c-1094-4ead-bbaf-7586f275a96c', '\x6537363165393561616566313336336533386235373137313434383063346432', NULL, 'schieber-partner', 'schieber', '\x0a1073636869656265722d706172746e6572100118ac0220002a0c080110011802200228033004306438014001489601500058016001680270027801800100880100900100980101a00101a80102c00100c80101', '{"finish": "FINISH_AUTOMATIC", "preset": "schieber-partner", "target": 300, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_OWN_FIRST_CARD", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_TEAM_ALL", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_SECOND_CARD", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'c47c67f2-90fe-5da0-9764-8dafde26f922', '[{"seat": 0, "player": "player-3d052eac-73fa-45a9-9084-4472a5f2d4fd", "reservation": "50040485-0559-5efa-af17-3abf75cc72f5"}, {"seat": 1, "player": "player-44ae0b76-2462-433a-80fe-5600e3d3f60f", "reservation": "766fd0b1-1e28-5ab3-8ec1-aa11b82ab16b"}, {"seat": 2, "player": "player-3b212ba7-8fb0-409f-ac9a-d11017d00627", "reservation": "7598d149-6991-5ea2-8a3d-a273ef5f6556"}, {"seat": 3, "player": "player-bb395ec4-99b3-4b44-9626-461317337e8f", "reservation": "2b0a1719-dddd-5318-b836-2b91f061ee7a"}]', NULL, '2026-12-01 13:52:57.803+00', '2026-12-01 14:22:57.803+00', '2026-12-01 13:52:57.866497+00', NULL, false, false, NULL, NULL, '2026-12-01 13:53:27.881707+00', 4, true),
	('19c47f64-4f61-4884-a577-dce7e4582fb5', 'default', 'player-832f51ae-3b24-4b16-8098-6afd667746b1', '17834d43-6f6c-4745-830c-6cc291c72f05', '\x3466363838303431303061363032343065353365383664656564393561303832', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'ff20a79f-bd93-5cfe-9c64-070aa8a1fb07', '[{"seat": 0, "player": "player-832f51ae-3b24-4b16-8098-6afd667746b1", "reservation": "a6257157-7598-5a43-8516-b6d219b88585"}, {"seat": 1, "player": "player-1543146d-087d-4fa0-8b62-91a3176c65d2", "reservation": "20710618-f9fe-5220-a48c-4defa62f4a94"}, {"seat": 2, "player": "player-579c2177-1995-4fd2-8c55-98cf1653cb94", "reservation": "4382b761-14c5-5ba6-a1ef-e6b29d05312a"}, {"seat": 3, "player": "player-ff86a8f4-4c19-430a-a737-e2202cfd22b4", "reservation": "fa30f1d8-2cbb-5a01-a02c-b0c6499feacb"}]', NULL, '2026-12-01 13:52:58.026+00', '2026-12-01 14:22:58.026+00', '2026-12-01 13:52:58.291341+00', NULL, false, false, NULL, NULL, '2026-12-01 13:53:28.310608+00', 4, true),
	('779c235a-db22-4871-b339-b6e29c5375db', 'default', 'player-71c32e68-665e-46b1-86d6-06b69e44d8f1', 'e02317d9-199b-4933-9393-163565e6c579', '\x6464303636316235633262396464346638376432343065656532666639613835', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'FINISHED', 'd4439b89-b262-5f2c-a581-70e9346347ba', '[{"seat": 0, "player": "player-71c32e68-665e-46b1-86d6-06b69e44d8f1", "reservation": "f609e2c2-fe68-5497-9bfc-112427ffa1b6"}, {"seat": 1, "player": "player-ab3cd80a-eb2b-4980-8f5e-ffe5bcaa6658", "reservation": "b448c18e-81c3-5732-8c35-8526debca7b2"}, {"seat": 2, "player": "player-6cb678e3-a078-43b9-97bc-98d00613407c", "reservation": "f0f68b2e-e111-5f6e-8338-8a9a3683528a"}, {"seat": 3, "player": "player-c3ef6cb4-4308-4b21-86b6-e918ff080453", "reservation": "2c12de59-c792-54a3-871d-94a233e29582"}]', '{"fee": 20, "points": [62, 118], "voided": false, "payouts": [390, 390], "end_time": "2026-12-01T13:52:56.500994+00:00", "winning_seats": [1, 3]}', '2026-12-01 13:52:54.881+00', '2026-12-01 14:22:54.881+00', '2026-12-01 13:52:54.95143+00', '2026-12-01 13:52:56.500994+00', false, false, NULL, NULL, NULL, 5, true);



INSERT INTO matchmaking.pot_watch VALUES
	(true, '2026-12-01 13:52:59.919124+00');



INSERT INTO matchmaking.schema_file VALUES
	('0001_games.sql', '5e8833f995a210e6b9d3d605b01ea9c92b1a63aa6514527923453ec6476d19f9', '2026-12-01 13:52:49.170008+00'),
	('0002_stray_pots.sql', '9cfc029dade52a3188b0e9e89cdf154c796eafcca6bcbe98b02346d2d6aab9ac', '2026-12-01 13:52:49.176557+00');



INSERT INTO matchmaking.schema_state VALUES
	(true, '0002', '0002', '0.2.0', '2026-12-01 13:52:49.180157+00');






INSERT INTO wallet.account OVERRIDING SYSTEM VALUE VALUES
	(30, 'pot', 'default', '19c47f64-4f61-4884-a577-dce7e4582fb5', 'CHF', 800, 4, '\x0bd00e7e9304d27222b84731fd96776b06c7e20b8fc2ee015e3822adf9f833e0', '2026-12-01 13:52:58.029495+00'),
	(13, 'player', 'default', 'player-24524738-9d17-4bff-8964-66c5f568c1a2', 'CHF', 800, 2, '\xace16a799187bbb0b323cfcf0a5283a824b28236c1648733f02b901bc43fccbc', '2026-12-01 13:52:57.639681+00'),
	(1, 'player', 'default', 'player-71c32e68-665e-46b1-86d6-06b69e44d8f1', 'CHF', 800, 2, '\x22841ffec227f6007ac6a9781e9a0bbee399da0308b3a03b318a3f400922e905', '2026-12-01 13:52:54.827751+00'),
	(14, 'player', 'default', 'player-81454e13-39f3-4bed-a6b2-b8cf211ec21d', 'CHF', 800, 2, '\xb50e1f77d8b93d87b207747a44e34b8d483ba34199d8d9571ee6bcd8d9fe3665', '2026-12-01 13:52:57.647377+00'),
	(23, 'player', 'default', 'player-895c2805-512f-40f3-bb15-89ed400566a7', 'CHF', 800, 2, '\xd07f70f99b32788e74e98cdb849434dbaad91d37b5d53520d869ee1df881bcc5', '2026-12-01 13:52:57.952343+00'),
	(4, 'player', 'default', 'player-6cb678e3-a078-43b9-97bc-98d00613407c', 'CHF', 800, 2, '\x4b5d2a705eeac1ea87616059f187855bc84c8a7fbc2d57d155e47a9c2119edbb', '2026-12-01 13:52:54.848675+00'),
	(15, 'player', 'default', 'player-c71c3242-c13b-42e9-8f63-55ef35ef71e1', 'CHF', 800, 2, '\x172d6af9fbc59f98fcb1e4d79ca144efd812caa8b607af5d5e59f51effc4c7b9', '2026-12-01 13:52:57.651529+00'),
	(16, 'player', 'default', 'player-b65ff837-6525-4fc7-baef-295bac219741', 'CHF', 800, 2, '\x27d2adfb582972e78c5d0d357c64eadfabaad18d03fd9b4fdee20b3a0ea8a062', '2026-12-01 13:52:57.655622+00'),
	(17, 'pot', 'default', 'ae94a68b-0b35-431d-929d-78f038e79943', 'CHF', 800, 4, '\x971c9a7cc91754fa1653a4a2b2ad3e5401f3becc199df70730f542e306a3c71a', '2026-12-01 13:52:57.667614+00'),
	(3, 'player', 'default', 'player-ab3cd80a-eb2b-4980-8f5e-ffe5bcaa6658', 'CHF', 1190, 3, '\xce95bff7fbc441da749767ca27cceff9761f3af760ab267451a392d32e67aabe', '2026-12-01 13:52:54.837903+00'),
	(5, 'player', 'default', 'player-c3ef6cb4-4308-4b21-86b6-e918ff080453', 'CHF', 1190, 3, '\xf7c73637900828ccb20a49ea7e18e69a8637164cd9b6f66c375113182d440a84', '2026-12-01 13:52:54.857375+00'),
	(6, 'pot', 'default', '779c235a-db22-4871-b339-b6e29c5375db', 'CHF', 0, 5, '\xf6e72ba67c90720c836d886b2877c97d9c54dd6111ba5765b04732c85207db5a', '2026-12-01 13:52:54.889155+00'),
	(24, 'player', 'default', 'player-0aee1b80-79e2-4a25-93a2-afc5511eb55e', 'CHF', 800, 2, '\x1b2551100ad0d30c7f7b994938163cec4125ecb5b5409a7eeb48988a6b2b19a2', '2026-12-01 13:52:57.956926+00'),
	(25, 'pot', 'default', '77e71d99-1a50-4724-811b-55f69dc1d2d5', 'CHF', 400, 2, '\x4e29f407025ab693ae168efa5ef2356f56a6eb310693e0a7fc8b718fc7972100', '2026-12-01 13:52:57.969932+00'),
	(8, 'player', 'default', 'player-fafcd319-51d8-40e5-8d2f-a5ccef70051c', 'CHF', 800, 2, '\x23d1b4aad892d46850c48b14b6abfcb7db2e065cac8401dcbb012c882e0c4931', '2026-12-01 13:52:56.597893+00'),
	(9, 'player', 'default', 'player-cd61ee80-5fb6-4dc3-9b5a-919258513cbc', 'CHF', 800, 2, '\x5c923b73d905bf465ca875dd7ccd2eb47000d58f88d32136858520b5fe5cb026', '2026-12-01 13:52:56.604261+00'),
	(10, 'player', 'default', 'player-5201a507-b91d-4610-ba76-0a10e0fabb7c', 'CHF', 800, 2, '\x68b5b2a036c4b496d24bc27c7372e5a70094d3df174da07a92264d9e07915d69', '2026-12-01 13:52:56.611552+00'),
	(11, 'player', 'default', 'player-46d12b00-cdc9-464c-9670-7be2873ffb54', 'CHF', 800, 2, '\xb50e1f56eda27991443a9a0f32bf250d7ae8022717048b4010d7c513552619f2', '2026-12-01 13:52:56.659991+00'),
	(12, 'pot', 'default', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 'CHF', 800, 4, '\xbef217eb5ef47b8f0d9e0fa35418fb1dcda7fccb3f49f7fa0be91524a3123593', '2026-12-01 13:52:56.926119+00'),
	(7, 'house', 'default', '', 'CHF', 20, 1, '\x445328407700b20a8b4d2cf5a52dd290ebba484051b21d0d7b89f81a6527a9a2', '2026-12-01 13:52:56.439543+00'),
	(18, 'player', 'default', 'player-3d052eac-73fa-45a9-9084-4472a5f2d4fd', 'CHF', 800, 2, '\x7d9a87712618e329c85d8937af42baaa0d0d5a908bb4d8465f997740071c28cf', '2026-12-01 13:52:57.783923+00'),
	(19, 'player', 'default', 'player-44ae0b76-2462-433a-80fe-5600e3d3f60f', 'CHF', 800, 2, '\xbfa9439dc02b7292df18b55f3c94722311f3358761a3fd375bfc5c07ffe0c482', '2026-12-01 13:52:57.787908+00'),
	(20, 'player', 'default', 'player-3b212ba7-8fb0-409f-ac9a-d11017d00627', 'CHF', 800, 2, '\x8e4576bdd59eb152831819df9e15bb62e4078d72f3fbf7a4be8c17f537280c39', '2026-12-01 13:52:57.79135+00'),
	(21, 'player', 'default', 'player-bb395ec4-99b3-4b44-9626-461317337e8f', 'CHF', 800, 2, '\x6afa90a388ae6ebde6683688df4c60767db20eed1d1b6d0776f5fec02e0b65c8', '2026-12-01 13:52:57.796646+00'),
	(22, 'pot', 'default', 'a7992a29-8aaa-4058-99ee-40e55c78005f', 'CHF', 800, 4, '\x0750fb39b16a3c6c90b0892f94db27cf6aa15d88e4856f9a33d7fa55c7c5dcfb', '2026-12-01 13:52:57.806086+00'),
	(26, 'player', 'default', 'player-832f51ae-3b24-4b16-8098-6afd667746b1', 'CHF', 800, 2, '\x75a5585c81e390950244cdfcdb7a8375b5e955383cef468496b04ef5a42c340a', '2026-12-01 13:52:58.003643+00'),
	(2, 'cashier', 'default', '', 'CHF', -22000, 3, '\x86fb07f916a74ca2c98697cfd7d754e859c570c51d55deb40c2e76c86459162f', '2026-12-01 13:52:54.828461+00'),
	(27, 'player', 'default', 'player-1543146d-087d-4fa0-8b62-91a3176c65d2', 'CHF', 800, 2, '\x63ee3e9ae1e323437c22f1c9ad8864052aa1dfd3b7355d2b2202e6e5cc43f62e', '2026-12-01 13:52:58.008875+00'),
	(28, 'player', 'default', 'player-579c2177-1995-4fd2-8c55-98cf1653cb94', 'CHF', 800, 2, '\xbefcd6883ef0f7dfd6557eed9c1fcc04822a426e1e5f8cc6b50ef7c7a99b4f95', '2026-12-01 13:52:58.011562+00'),
	(29, 'player', 'default', 'player-ff86a8f4-4c19-430a-a737-e2202cfd22b4', 'CHF', 800, 2, '\x41daa246c794226f796c4cbec43fe8b0b036988fab396d30d97423a5d1878261', '2026-12-01 13:52:58.014776+00');



INSERT INTO wallet.alembic_version VALUES
	('0004');



INSERT INTO wallet.boot VALUES
	('2026-12-01 13:52:48.795649+00', 24041216, true, true);



INSERT INTO wallet.entry OVERRIDING SYSTEM VALUE VALUES
	(1, 'b6853f01-a802-46ed-8a11-2fece5fa7789', 1, 'CHF', 1000, 1, 1000, '\x8f8bd0773ceee7eefd94e1b156ed62fc5de7d3688d4f898e2dc9991e5bc81b6f'),
	(2, 'b6853f01-a802-46ed-8a11-2fece5fa7789', 2, 'CHF', -1000, NULL, NULL, NULL),
	(3, 'ce903754-1ff9-4e53-8e28-6b1a347c58e5', 2, 'CHF', -1000, NULL, NULL, NULL),
	(4, 'ce903754-1ff9-4e53-8e28-6b1a347c58e5', 3, 'CHF', 1000, 1, 1000, '\xfc7e0f5a141dccc4e569ea5500fb6b719e64c16b3c7b505ba6f54e15e956f645'),
	(5, '4ec185e0-da99-4b6b-9e8b-9e53d9fdc6ca', 2, 'CHF', -1000, NULL, NULL, NULL),
	(6, '4ec185e0-da99-4b6b-9e8b-9e53d9fdc6ca', 4, 'CHF', 1000, 1, 1000, '\x0c89c0274b1aa674b29d6f2d052558b4e17aa2864e73e2f2ae6bf18cac46d571'),
	(7, '4b3068e0-c6a7-41c0-8d41-a588d63f6345', 2, 'CHF', -1000, NULL, NULL, NULL),
	(8, '4b3068e0-c6a7-41c0-8d41-a588d63f6345', 5, 'CHF', 1000, 1, 1000, '\x99cf0b05c50efadfd3c37bb3fd98c79ead0ff65bb1e83eaef4a3404f758052b4'),
	(9, 'f2aecab9-764d-4cc7-a310-d202172b5e13', 1, 'CHF', -200, 2, 800, '\x22841ffec227f6007ac6a9781e9a0bbee399da0308b3a03b318a3f400922e905'),
	(10, 'f2aecab9-764d-4cc7-a310-d202172b5e13', 6, 'CHF', 200, 1, 200, '\x7f811962366fd266168d7eadf6ec982def3b7d778741611273909c24db4ca6ef'),
	(11, 'a99bcae4-89cb-4844-8863-97c0b41d282e', 3, 'CHF', -200, 2, 800, '\xb9be5ba289d15b149d5991404963f2696655b8edad3fe13b6414368a3a38fbad'),
	(12, 'a99bcae4-89cb-4844-8863-97c0b41d282e', 6, 'CHF', 200, 2, 400, '\x906db59db9c5a2d5130ee7b937f104e8c6f8f46fa32ab512a59d1af6af9ce810'),
	(13, 'bc4d301a-89cb-4f35-954c-f2b5ebac60d1', 4, 'CHF', -200, 2, 800, '\x4b5d2a705eeac1ea87616059f187855bc84c8a7fbc2d57d155e47a9c2119edbb'),
	(14, 'bc4d301a-89cb-4f35-954c-f2b5ebac60d1', 6, 'CHF', 200, 3, 600, '\xd3eb682d6abbc845cae6bddb40fad59828bf0b72c594dcb082482a97b167971a'),
	(15, 'ff65a095-b542-4592-b0f3-171fb5d11f80', 5, 'CHF', -200, 2, 800, '\xafe60597f970c7e37b02240dafa66a208b5e1b186ff1669717e41e60b4815480'),
	(16, 'ff65a095-b542-4592-b0f3-171fb5d11f80', 6, 'CHF', 200, 4, 800, '\x09a50a2c0fc6ec620d3a4b8e3e243e1c4f5c263556a89e8cfed76a2a71550b6f'),
	(17, 'd45ebe6d-9bee-477a-9c70-22c1c81e6a90', 3, 'CHF', 390, 3, 1190, '\xce95bff7fbc441da749767ca27cceff9761f3af760ab267451a392d32e67aabe'),
	(18, 'd45ebe6d-9bee-477a-9c70-22c1c81e6a90', 5, 'CHF', 390, 3, 1190, '\xf7c73637900828ccb20a49ea7e18e69a8637164cd9b6f66c375113182d440a84'),
	(19, 'd45ebe6d-9bee-477a-9c70-22c1c81e6a90', 6, 'CHF', -800, 5, 0, '\xf6e72ba67c90720c836d886b2877c97d9c54dd6111ba5765b04732c85207db5a'),
	(20, 'd45ebe6d-9bee-477a-9c70-22c1c81e6a90', 7, 'CHF', 20, NULL, NULL, NULL),
	(21, '8262185c-7cbd-41f2-b35a-893d78e2a550', 2, 'CHF', -1000, NULL, NULL, NULL),
	(22, '8262185c-7cbd-41f2-b35a-893d78e2a550', 8, 'CHF', 1000, 1, 1000, '\x671f96e744b80d43aa4c5599214b2582d85638eadb06d626e398a88556aaade5'),
	(23, 'c41eaccf-ed39-45ae-b9a0-26573279389e', 2, 'CHF', -1000, NULL, NULL, NULL),
	(24, 'c41eaccf-ed39-45ae-b9a0-26573279389e', 9, 'CHF', 1000, 1, 1000, '\xa3bead87adc3d89bbe9062244e2f41470f9ec04feb8379d1742f4ee37de1d263'),
	(25, 'b197245a-844d-4df4-912e-a22f382c1704', 2, 'CHF', -1000, NULL, NULL, NULL),
	(26, 'b197245a-844d-4df4-912e-a22f382c1704', 10, 'CHF', 1000, 1, 1000, '\x368ba108449c4a329c3b61736d46aee0b92c4633b65eb13ea44e2a5443f54302'),
	(27, 'b8707551-ad82-41e6-90fd-d6063da351c2', 2, 'CHF', -1000, NULL, NULL, NULL),
	(28, 'b8707551-ad82-41e6-90fd-d6063da351c2', 11, 'CHF', 1000, 1, 1000, '\xf535344baf78a7fecf2d6f298734c46fec9263fd7fed4f5a0bab394f05932cce'),
	(29, '8c784ced-abe1-4306-8b30-606b7b197cc0', 8, 'CHF', -200, 2, 800, '\x23d1b4aad892d46850c48b14b6abfcb7db2e065cac8401dcbb012c882e0c4931'),
	(30, '8c784ced-abe1-4306-8b30-606b7b197cc0', 12, 'CHF', 200, 1, 200, '\xac8e064bc34ca1e2c083108fc5358b879fbd6265afd2a2e110331c0972311cd3'),
	(31, '5c01f828-c0b3-4e64-b65e-6d88f4ceda00', 9, 'CHF', -200, 2, 800, '\x5c923b73d905bf465ca875dd7ccd2eb47000d58f88d32136858520b5fe5cb026'),
	(32, '5c01f828-c0b3-4e64-b65e-6d88f4ceda00', 12, 'CHF', 200, 2, 400, '\x87b21eff050823b667044f22df6acb7bf619372230729f03e9006331eaafaa1e'),
	(33, '21ea6711-3a24-4b4a-8db6-043fd28a8d9b', 10, 'CHF', -200, 2, 800, '\x68b5b2a036c4b496d24bc27c7372e5a70094d3df174da07a92264d9e07915d69'),
	(34, '21ea6711-3a24-4b4a-8db6-043fd28a8d9b', 12, 'CHF', 200, 3, 600, '\xf6d9fefd50622c7298b38fd33decd27d0bde052d9bacad46419d1a8d7c6d6675'),
	(35, '9b331899-d304-419c-a76c-e6dbc2fe6dec', 11, 'CHF', -200, 2, 800, '\xb50e1f56eda27991443a9a0f32bf250d7ae8022717048b4010d7c513552619f2'),
	(36, '9b331899-d304-419c-a76c-e6dbc2fe6dec', 12, 'CHF', 200, 4, 800, '\xbef217eb5ef47b8f0d9e0fa35418fb1dcda7fccb3f49f7fa0be91524a3123593'),
	(37, '11aa4fe5-33bc-42d6-aba1-0325860fa417', 2, 'CHF', -1000, NULL, NULL, NULL),
	(38, '11aa4fe5-33bc-42d6-aba1-0325860fa417', 13, 'CHF', 1000, 1, 1000, '\xda1e12c87e629ef9c3014cb34a79d7ef422b3af52d3d7668c00d4d84aa5be0cd'),
	(39, 'a76b46ce-cddd-48ae-aad6-16c2d7099d81', 2, 'CHF', -1000, NULL, NULL, NULL),
	(40, 'a76b46ce-cddd-48ae-aad6-16c2d7099d81', 14, 'CHF', 1000, 1, 1000, '\x6ae4f7af28dc471e745f5c1af4e260b9713e1570f04997010e3f935e7ce88e80'),
	(41, '874c18b8-d270-4609-a2e8-e1cbd69f7bd7', 2, 'CHF', -1000, NULL, NULL, NULL),
	(42, '874c18b8-d270-4609-a2e8-e1cbd69f7bd7', 15, 'CHF', 1000, 1, 1000, '\xe926410953fbe09e8a0e8b94fe0ed57295c5c2441093cccb6a23804c35186321'),
	(43, '3bd3afc2-6640-421d-8e6d-3c234edf5306', 2, 'CHF', -1000, NULL, NULL, NULL),
	(44, '3bd3afc2-6640-421d-8e6d-3c234edf5306', 16, 'CHF', 1000, 1, 1000, '\xf5706e79378f4c2d789e83656aa5f6353fdf2a80b3eb767bb73e46a6e345d694'),
	(45, '21779bd5-bf57-456c-823d-e63bccefd6b2', 13, 'CHF', -200, 2, 800, '\xace16a799187bbb0b323cfcf0a5283a824b28236c1648733f02b901bc43fccbc'),
	(46, '21779bd5-bf57-456c-823d-e63bccefd6b2', 17, 'CHF', 200, 1, 200, '\x75485bbbffaf5d26cd26786764ce0d82cbfc64a5c92fc01fe61f99b8f06cb9a2'),
	(47, '4b0302a6-cb65-47a3-b4ef-4f2f93606727', 14, 'CHF', -200, 2, 800, '\xb50e1f77d8b93d87b207747a44e34b8d483ba34199d8d9571ee6bcd8d9fe3665'),
	(48, '4b0302a6-cb65-47a3-b4ef-4f2f93606727', 17, 'CHF', 200, 2, 400, '\x3202b60cccec3d1010294c65daa96b89804409e331b5829aaaf0c3f919456cf5'),
	(49, '995f7756-b638-4d22-b681-79a0647caf05', 15, 'CHF', -200, 2, 800, '\x172d6af9fbc59f98fcb1e4d79ca144efd812caa8b607af5d5e59f51effc4c7b9'),
	(50, '995f7756-b638-4d22-b681-79a0647caf05', 17, 'CHF', 200, 3, 600, '\xd8ead2036135b6949d911c1e73b39a356bb2ea1709355b0141fa133483201efb'),
	(51, '3958cab7-0e75-431e-974d-9df4b700599c', 16, 'CHF', -200, 2, 800, '\x27d2adfb582972e78c5d0d357c64eadfabaad18d03fd9b4fdee20b3a0ea8a062'),
	(52, '3958cab7-0e75-431e-974d-9df4b700599c', 17, 'CHF', 200, 4, 800, '\x971c9a7cc91754fa1653a4a2b2ad3e5401f3becc199df70730f542e306a3c71a'),
	(53, '3ae7a64b-ea98-49d7-8cc5-cf9c63a3ffc1', 2, 'CHF', -1000, NULL, NULL, NULL),
	(54, '3ae7a64b-ea98-49d7-8cc5-cf9c63a3ffc1', 18, 'CHF', 1000, 1, 1000, '\xa85c4d0041902568d6df17cb87df58b3bc26bfbc7c5633c3f2835873f706b33f'),
	(55, '166a4650-e55d-4cc4-b406-14c3c916eba9', 2, 'CHF', -1000, NULL, NULL, NULL),
	(56, '166a4650-e55d-4cc4-b406-14c3c916eba9', 19, 'CHF', 1000, 1, 1000, '\x646bd4b9e111c951def3cb6a5cc987dfa547adf912e3b0f16c11a7cbc06e5d60'),
	(57, 'c9e5aac7-7231-4ed9-80cb-171fc5a13201', 2, 'CHF', -1000, NULL, NULL, NULL),
	(58, 'c9e5aac7-7231-4ed9-80cb-171fc5a13201', 20, 'CHF', 1000, 1, 1000, '\x8825bc15b267cf0015f396c58ccd70b1babee70988133b65da51701be15e20f2'),
	(59, '9a3067db-8f7e-4bea-ad8f-556d8a31c6d4', 2, 'CHF', -1000, NULL, NULL, NULL),
	(60, '9a3067db-8f7e-4bea-ad8f-556d8a31c6d4', 21, 'CHF', 1000, 1, 1000, '\x84ecfd6934a9113355b4348bdc329b5ee30a04cb69e8c2d24e5a5f4c9b184e0d'),
	(61, 'c1e543d9-783f-46dd-a8c9-8b292037d2f6', 18, 'CHF', -200, 2, 800, '\x7d9a87712618e329c85d8937af42baaa0d0d5a908bb4d8465f997740071c28cf'),
	(62, 'c1e543d9-783f-46dd-a8c9-8b292037d2f6', 22, 'CHF', 200, 1, 200, '\xd50e8ea192868a2fa7690449ef7241a5845386eab3eea779180b8909bb473626'),
	(63, '515fafbe-7add-4ca7-ad25-fe2980fe057f', 19, 'CHF', -200, 2, 800, '\xbfa9439dc02b7292df18b55f3c94722311f3358761a3fd375bfc5c07ffe0c482'),
	(64, '515fafbe-7add-4ca7-ad25-fe2980fe057f', 22, 'CHF', 200, 2, 400, '\x33323941d7e85da5dfae8a6badbb1c963f0aa1b937f8b486d2027b5047d9e72b'),
	(65, '330f6754-623e-42c9-99c7-406e5e24afe3', 20, 'CHF', -200, 2, 800, '\x8e4576bdd59eb152831819df9e15bb62e4078d72f3fbf7a4be8c17f537280c39'),
	(66, '330f6754-623e-42c9-99c7-406e5e24afe3', 22, 'CHF', 200, 3, 600, '\x4d315645c418ded0f7c702bef4e400fbf75c8c0b1f4c5909164d17cda7da3b96'),
	(67, '861730c5-876d-41bd-bb0d-b0e945b4a410', 21, 'CHF', -200, 2, 800, '\x6afa90a388ae6ebde6683688df4c60767db20eed1d1b6d0776f5fec02e0b65c8'),
	(68, '861730c5-876d-41bd-bb0d-b0e945b4a410', 22, 'CHF', 200, 4, 800, '\x0750fb39b16a3c6c90b0892f94db27cf6aa15d88e4856f9a33d7fa55c7c5dcfb'),
	(69, 'b6840a3e-db24-48f5-be69-6a82aef9da05', 2, 'CHF', -1000, NULL, NULL, NULL),
	(70, 'b6840a3e-db24-48f5-be69-6a82aef9da05', 23, 'CHF', 1000, 1, 1000, '\x48e8a0ccfb4679544446ae5d64581905bfa847dc68cbbf2f8b95d851fcdb87b8'),
	(71, '1726275e-0f10-4303-b57f-e929b3b45ade', 2, 'CHF', -1000, NULL, NULL, NULL),
	(72, '1726275e-0f10-4303-b57f-e929b3b45ade', 24, 'CHF', 1000, 1, 1000, '\xfba2c74005cbca2083013fba149de9892614e2fcceab7d93060e162006f40b03'),
	(73, '2c512a73-7018-4894-868b-6dc9943449e9', 23, 'CHF', -200, 2, 800, '\xd07f70f99b32788e74e98cdb849434dbaad91d37b5d53520d869ee1df881bcc5'),
	(74, '2c512a73-7018-4894-868b-6dc9943449e9', 25, 'CHF', 200, 1, 200, '\x7db0b5ecfb14f782aa6fc67adce6538eebac53789b6055d95a5d96eb53ff9675'),
	(79, 'a8d5227e-fddf-48b9-9a4a-69df5b337c48', 2, 'CHF', -1000, NULL, NULL, NULL),
	(80, 'a8d5227e-fddf-48b9-9a4a-69df5b337c48', 27, 'CHF', 1000, 1, 1000, '\x1c53a49132f06f5b0756ea20f59cd5987e838ec86227e7a1d2c9ece89b145582'),
	(91, 'a2ba9b9a-79a0-43bb-8b16-5c43d52c8265', 29, 'CHF', -200, 2, 800, '\x41daa246c794226f796c4cbec43fe8b0b036988fab396d30d97423a5d1878261'),
	(92, 'a2ba9b9a-79a0-43bb-8b16-5c43d52c8265', 30, 'CHF', 200, 4, 800, '\x0bd00e7e9304d27222b84731fd96776b06c7e20b8fc2ee015e3822adf9f833e0'),
	(75, '856c5333-6974-428b-be13-17ef7c0aed1a', 24, 'CHF', -200, 2, 800, '\x1b2551100ad0d30c7f7b994938163cec4125ecb5b5409a7eeb48988a6b2b19a2'),
	(76, '856c5333-6974-428b-be13-17ef7c0aed1a', 25, 'CHF', 200, 2, 400, '\x4e29f407025ab693ae168efa5ef2356f56a6eb310693e0a7fc8b718fc7972100'),
	(81, '260e53a2-adb6-4f68-97d1-9e2df0e291ac', 2, 'CHF', -1000, NULL, NULL, NULL),
	(82, '260e53a2-adb6-4f68-97d1-9e2df0e291ac', 28, 'CHF', 1000, 1, 1000, '\x1a0a93846df69cb157207feba5b8dbc10e00ff86a3db8538b57ce4e819e538fd'),
	(85, '950dc421-718d-4248-9908-80073c1c2418', 26, 'CHF', -200, 2, 800, '\x75a5585c81e390950244cdfcdb7a8375b5e955383cef468496b04ef5a42c340a'),
	(86, '950dc421-718d-4248-9908-80073c1c2418', 30, 'CHF', 200, 1, 200, '\xf78728b66d621ac2f04c8f0fc34790989336558168c825827fd94a9948bc74df'),
	(89, '7d44e0b4-93be-419d-8e44-6014b8ba2b72', 28, 'CHF', -200, 2, 800, '\xbefcd6883ef0f7dfd6557eed9c1fcc04822a426e1e5f8cc6b50ef7c7a99b4f95'),
	(90, '7d44e0b4-93be-419d-8e44-6014b8ba2b72', 30, 'CHF', 200, 3, 600, '\x77cd810d3cbdd3115250b9dcb45971b4fd061433a6333c1a156bbdc3ad471d34'),
	(77, '765ea38f-3e58-418f-adb6-5120c1f02c1f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(78, '765ea38f-3e58-418f-adb6-5120c1f02c1f', 26, 'CHF', 1000, 1, 1000, '\x4cd14e35b981ad0d19614da71b72299edce4576f721e1785dd0c26a5948787d0'),
	(83, '414adadf-b6ea-4e2e-9e82-49f84a736cff', 2, 'CHF', -1000, NULL, NULL, NULL),
	(84, '414adadf-b6ea-4e2e-9e82-49f84a736cff', 29, 'CHF', 1000, 1, 1000, '\xa346d72d6d640e104835a54db6e08c232913bf64f7ea147f21bf8041d3fa5d7d'),
	(87, '8b2ea2e9-94b2-4b07-b654-bbb6e61b0374', 27, 'CHF', -200, 2, 800, '\x63ee3e9ae1e323437c22f1c9ad8864052aa1dfd3b7355d2b2202e6e5cc43f62e'),
	(88, '8b2ea2e9-94b2-4b07-b654-bbb6e61b0374', 30, 'CHF', 200, 2, 400, '\x8f2177e62b688f650238af6d638b41c09412432a1524a38245928b952e9319b8');



INSERT INTO wallet.fee_schedule OVERRIDING SYSTEM VALUE VALUES
	(1, '', 250, 0, NULL, '2026-12-01 13:52:51.608486+00', NULL, '', NULL);






INSERT INTO wallet.hold VALUES
	('f0f68b2e-e111-5f6e-8338-8a9a3683528a', '779c235a-db22-4871-b339-b6e29c5375db', 2, 'player-6cb678e3-a078-43b9-97bc-98d00613407c', 4, 'PAID', NULL, NULL, '2026-12-01 13:52:54.935548+00'),
	('f609e2c2-fe68-5497-9bfc-112427ffa1b6', '779c235a-db22-4871-b339-b6e29c5375db', 0, 'player-71c32e68-665e-46b1-86d6-06b69e44d8f1', 1, 'PAID', NULL, NULL, '2026-12-01 13:52:54.901544+00'),
	('b448c18e-81c3-5732-8c35-8526debca7b2', '779c235a-db22-4871-b339-b6e29c5375db', 1, 'player-ab3cd80a-eb2b-4980-8f5e-ffe5bcaa6658', 3, 'PAID', NULL, 390, '2026-12-01 13:52:54.924191+00'),
	('2c12de59-c792-54a3-871d-94a233e29582', '779c235a-db22-4871-b339-b6e29c5375db', 3, 'player-c3ef6cb4-4308-4b21-86b6-e918ff080453', 5, 'PAID', NULL, 390, '2026-12-01 13:52:54.946608+00'),
	('62447e4c-615f-59f6-b13b-20a2d250e40c', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 0, 'player-fafcd319-51d8-40e5-8d2f-a5ccef70051c', 8, 'HELD', NULL, NULL, '2026-12-01 13:52:56.935794+00'),
	('96d3f018-28f1-5e86-a065-d08f8ce356be', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 1, 'player-cd61ee80-5fb6-4dc3-9b5a-919258513cbc', 9, 'HELD', NULL, NULL, '2026-12-01 13:52:56.955608+00'),
	('0fcef6ed-85ee-5253-a26a-300e088fe606', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 2, 'player-5201a507-b91d-4610-ba76-0a10e0fabb7c', 10, 'HELD', NULL, NULL, '2026-12-01 13:52:56.969983+00'),
	('bd76ec56-796a-5a69-bd27-90afb6cedc30', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 3, 'player-46d12b00-cdc9-464c-9670-7be2873ffb54', 11, 'HELD', NULL, NULL, '2026-12-01 13:52:57.006132+00'),
	('1e32e311-cd37-5c76-9627-5adb140d7d1c', 'ae94a68b-0b35-431d-929d-78f038e79943', 0, 'player-24524738-9d17-4bff-8964-66c5f568c1a2', 13, 'HELD', NULL, NULL, '2026-12-01 13:52:57.672169+00'),
	('0fab7269-d8c2-5dc6-8a69-176d6c5a4615', 'ae94a68b-0b35-431d-929d-78f038e79943', 1, 'player-81454e13-39f3-4bed-a6b2-b8cf211ec21d', 14, 'HELD', NULL, NULL, '2026-12-01 13:52:57.684319+00'),
	('56fb59bb-ecc2-5163-b6fd-81a670caeb6f', 'ae94a68b-0b35-431d-929d-78f038e79943', 2, 'player-c71c3242-c13b-42e9-8f63-55ef35ef71e1', 15, 'HELD', NULL, NULL, '2026-12-01 13:52:57.710203+00'),
	('66de8929-51ac-5ddc-a350-fceb92c45338', 'ae94a68b-0b35-431d-929d-78f038e79943', 3, 'player-b65ff837-6525-4fc7-baef-295bac219741', 16, 'HELD', NULL, NULL, '2026-12-01 13:52:57.73504+00'),
	('50040485-0559-5efa-af17-3abf75cc72f5', 'a7992a29-8aaa-4058-99ee-40e55c78005f', 0, 'player-3d052eac-73fa-45a9-9084-4472a5f2d4fd', 18, 'HELD', NULL, NULL, '2026-12-01 13:52:57.813356+00'),
	('766fd0b1-1e28-5ab3-8ec1-aa11b82ab16b', 'a7992a29-8aaa-4058-99ee-40e55c78005f', 1, 'player-44ae0b76-2462-433a-80fe-5600e3d3f60f', 19, 'HELD', NULL, NULL, '2026-12-01 13:52:57.829363+00'),
	('7598d149-6991-5ea2-8a3d-a273ef5f6556', 'a7992a29-8aaa-4058-99ee-40e55c78005f', 2, 'player-3b212ba7-8fb0-409f-ac9a-d11017d00627', 20, 'HELD', NULL, NULL, '2026-12-01 13:52:57.844736+00'),
	('2b0a1719-dddd-5318-b836-2b91f061ee7a', 'a7992a29-8aaa-4058-99ee-40e55c78005f', 3, 'player-bb395ec4-99b3-4b44-9626-461317337e8f', 21, 'HELD', NULL, NULL, '2026-12-01 13:52:57.862569+00'),
	('ccd53245-854a-51f8-ab6a-58b67cf7d7c7', '77e71d99-1a50-4724-811b-55f69dc1d2d5', 0, 'player-895c2805-512f-40f3-bb15-89ed400566a7', 23, 'HELD', NULL, NULL, '2026-12-01 13:52:57.973898+00'),
	('191e6b56-95ce-5b04-a3e0-d18b7a2ac2e2', '77e71d99-1a50-4724-811b-55f69dc1d2d5', 1, 'player-0aee1b80-79e2-4a25-93a2-afc5511eb55e', 24, 'HELD', NULL, NULL, '2026-12-01 13:52:57.99555+00'),
	('a6257157-7598-5a43-8516-b6d219b88585', '19c47f64-4f61-4884-a577-dce7e4582fb5', 0, 'player-832f51ae-3b24-4b16-8098-6afd667746b1', 26, 'HELD', NULL, NULL, '2026-12-01 13:52:58.034696+00'),
	('20710618-f9fe-5220-a48c-4defa62f4a94', '19c47f64-4f61-4884-a577-dce7e4582fb5', 1, 'player-1543146d-087d-4fa0-8b62-91a3176c65d2', 27, 'HELD', NULL, NULL, '2026-12-01 13:52:58.238069+00'),
	('4382b761-14c5-5ba6-a1ef-e6b29d05312a', '19c47f64-4f61-4884-a577-dce7e4582fb5', 2, 'player-579c2177-1995-4fd2-8c55-98cf1653cb94', 28, 'HELD', NULL, NULL, '2026-12-01 13:52:58.265931+00'),
	('fa30f1d8-2cbb-5a01-a02c-b0c6499feacb', '19c47f64-4f61-4884-a577-dce7e4582fb5', 3, 'player-ff86a8f4-4c19-430a-a737-e2202cfd22b4', 29, 'HELD', NULL, NULL, '2026-12-01 13:52:58.285069+00');



INSERT INTO wallet.idempotency VALUES
	('default', '076049c9-00e7-4169-931c-e0f522660a0d', '\x4ed1d264d76821b75f00ea739b502f2c8383a67a280db0d3dbaad1f08ec7f60c', 1, '2026-12-01 13:52:54.82591+00'),
	('default', 'f1f39bbf-2fc9-45fa-bf3c-917f93c9510d', '\x0c1a8b7354123b78ac4fd1a23453c6598cb819d3b514e11af4f3fb6dd1f25014', 4, '2026-12-01 13:52:54.836527+00'),
	('default', 'd64f833e-707d-493e-bd45-41e71328512f', '\x583e8f73b3cb0ba23e2fce78d7073b2d7e81cc8297ffe40c74242d96729b2533', 6, '2026-12-01 13:52:54.845323+00'),
	('default', '7fc76728-08a0-40c1-afa1-10db9df5aff1', '\x6af31d4dcd2cf8c59115a8224dfd0393d1354c5b800cba3a30033740a220f84b', 8, '2026-12-01 13:52:54.857029+00'),
	('default', '1cc4462f-5c57-4b48-9069-28e433fb8c1b', '\xd96c8f807dd329cef5c31fbc6bdf650814f84aa5446fa0f018f222cb6eab01e6', 22, '2026-12-01 13:52:56.597534+00'),
	('default', 'f42e3931-24b8-4f6e-a85c-61ea07927fd3', '\xb14fa20a1cb8931387f960eda4e76d2ef4f8de2ea0e08f263e116170c0b91e01', 24, '2026-12-01 13:52:56.603903+00'),
	('default', '7a3de7fa-d995-4980-9265-08e68187de69', '\xbad4df99bf1ff431c7968b181390b61515df2b602973b9dcf66dfebc064ba999', 26, '2026-12-01 13:52:56.611171+00'),
	('default', 'c62fcc6a-34f5-43ad-a467-8423476a05ba', '\x37ed25046f3339cda2c42e56ab84955b2a97b64a866fc5b0ffa20d007d1a2506', 28, '2026-12-01 13:52:56.6596+00'),
	('default', '80d3165b-ef86-4c90-9f0a-e0e0b037a999', '\xc9fd63ef638e9f9369c5f83a6472dd4225c8746297446aebe126a8d0b0d647ae', 38, '2026-12-01 13:52:57.639265+00'),
	('default', '981ec6a8-97c2-4780-9134-fcdea33078e5', '\xc87b6a6ac47074e8dafafcc3395cc8d2fa9d453a469379bb08a707b871a9cdb8', 40, '2026-12-01 13:52:57.646997+00'),
	('default', 'e2a0a7b6-892b-4bd7-9110-3ecb1e7f8f6f', '\x9b3485e3f6bd5f24c9acf8c972ee6b6bbd9509c9b21c0e20d1f8244c5df9af93', 42, '2026-12-01 13:52:57.651143+00'),
	('default', 'ebe49270-ad92-4f7e-8e71-d756f5fe5361', '\xf947e60f8cf0db1c0991c215443f1c648248b61926bc189afb42d71d393fb4cc', 44, '2026-12-01 13:52:57.655302+00'),
	('default', '9aa7447d-d596-4131-a3d1-6aa1f3548ca7', '\xa6240a579d2b8cf97cb61684aea117071ad69517234aea5567bf30f358e2a8d7', 54, '2026-12-01 13:52:57.783538+00'),
	('default', '56cbc173-441a-4525-b8e7-c66c9193f907', '\x7e1a852283f667a6ec7ee09d2a558280be74fb9e336c135d59bb95b88cd7ade3', 56, '2026-12-01 13:52:57.787577+00'),
	('default', '2f7028d9-6350-4b4a-a77a-8509922e1adf', '\x2e64937c34145c975d9e16c24365af29fff68da37419a0f3713a35a6fbcc83dc', 58, '2026-12-01 13:52:57.791005+00'),
	('default', 'a9af44ad-7207-4dfd-8b99-bb6cb928c7e8', '\xc2825e3d3e77201eb9b08eaf385cffd877d802007ea7d5ef5ef3445b072929e4', 60, '2026-12-01 13:52:57.796313+00'),
	('default', 'd7d0217b-1565-4ff6-a9df-898847a76917', '\x079a707f66bc877d6110b8d1dbba374dc94a950aad43a7db30bcdf1bfce7c967', 70, '2026-12-01 13:52:57.952163+00'),
	('default', 'bdb44484-165e-4e6f-a7df-6ef69d126a6f', '\xd9acfe62bee154d16d80f5f019a3e3e5b4c7cf877684201e0598a9dba9c7001e', 72, '2026-12-01 13:52:57.956116+00'),
	('default', '17da68b5-9205-4a3a-a910-eaf1a3768022', '\x1f8add02555741c1bf63b08093b1ada577b3d190fbfc997ef7486c34cb3f3152', 78, '2026-12-01 13:52:58.003341+00'),
	('default', 'c9ccf4b3-85d2-43c0-ab9f-b55578603308', '\x03ccd48a46c3598109299dd1889727051ad37f910afe6f141aaa6a161feef9d6', 80, '2026-12-01 13:52:58.008775+00'),
	('default', 'bcecb9a9-d56a-4463-8252-6f0ebef1efed', '\x2a388f5f52917d1072fe5fa4385083288821bc90aae29fc8caf10595287e44c9', 82, '2026-12-01 13:52:58.011435+00'),
	('default', 'dffa767f-6452-4800-853c-79606110891b', '\xbe63e2f4593d4b42be336d1484d7f4a2749241a337c6a72d42b7721d4c22ee5c', 84, '2026-12-01 13:52:58.014495+00');



INSERT INTO wallet.journal VALUES
	('b6853f01-a802-46ed-8a11-2fece5fa7789', 'deposit', NULL, '', '2026-12-01 13:52:54.828904+00', '774', 'default', '076049c9-00e7-4169-931c-e0f522660a0d', 'operator', 'default'),
	('ce903754-1ff9-4e53-8e28-6b1a347c58e5', 'deposit', NULL, '', '2026-12-01 13:52:54.839238+00', '775', 'default', 'f1f39bbf-2fc9-45fa-bf3c-917f93c9510d', 'operator', 'default'),
	('4ec185e0-da99-4b6b-9e8b-9e53d9fdc6ca', 'deposit', NULL, '', '2026-12-01 13:52:54.849582+00', '776', 'default', 'd64f833e-707d-493e-bd45-41e71328512f', 'operator', 'default'),
	('4b3068e0-c6a7-41c0-8d41-a588d63f6345', 'deposit', NULL, '', '2026-12-01 13:52:54.857698+00', '777', 'default', '7fc76728-08a0-40c1-afa1-10db9df5aff1', 'operator', 'default'),
	('f2aecab9-764d-4cc7-a310-d202172b5e13', 'stake', '779c235a-db22-4871-b339-b6e29c5375db', '', '2026-12-01 13:52:54.902093+00', '780', NULL, NULL, NULL, NULL),
	('a99bcae4-89cb-4844-8863-97c0b41d282e', 'stake', '779c235a-db22-4871-b339-b6e29c5375db', '', '2026-12-01 13:52:54.924612+00', '782', NULL, NULL, NULL, NULL),
	('bc4d301a-89cb-4f35-954c-f2b5ebac60d1', 'stake', '779c235a-db22-4871-b339-b6e29c5375db', '', '2026-12-01 13:52:54.935947+00', '783', NULL, NULL, NULL, NULL),
	('ff65a095-b542-4592-b0f3-171fb5d11f80', 'stake', '779c235a-db22-4871-b339-b6e29c5375db', '', '2026-12-01 13:52:54.946965+00', '784', NULL, NULL, NULL, NULL),
	('d45ebe6d-9bee-477a-9c70-22c1c81e6a90', 'payout', '779c235a-db22-4871-b339-b6e29c5375db', '', '2026-12-01 13:52:56.439838+00', '790', NULL, NULL, NULL, NULL),
	('8262185c-7cbd-41f2-b35a-893d78e2a550', 'deposit', NULL, '', '2026-12-01 13:52:56.598165+00', '794', 'default', '1cc4462f-5c57-4b48-9069-28e433fb8c1b', 'operator', 'default'),
	('c41eaccf-ed39-45ae-b9a0-26573279389e', 'deposit', NULL, '', '2026-12-01 13:52:56.604527+00', '795', 'default', 'f42e3931-24b8-4f6e-a85c-61ea07927fd3', 'operator', 'default'),
	('b197245a-844d-4df4-912e-a22f382c1704', 'deposit', NULL, '', '2026-12-01 13:52:56.611882+00', '796', 'default', '7a3de7fa-d995-4980-9265-08e68187de69', 'operator', 'default'),
	('b8707551-ad82-41e6-90fd-d6063da351c2', 'deposit', NULL, '', '2026-12-01 13:52:56.660294+00', '797', 'default', 'c62fcc6a-34f5-43ad-a467-8423476a05ba', 'operator', 'default'),
	('8c784ced-abe1-4306-8b30-606b7b197cc0', 'stake', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', '', '2026-12-01 13:52:56.936111+00', '801', NULL, NULL, NULL, NULL),
	('5c01f828-c0b3-4e64-b65e-6d88f4ceda00', 'stake', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', '', '2026-12-01 13:52:56.956067+00', '803', NULL, NULL, NULL, NULL),
	('21ea6711-3a24-4b4a-8db6-043fd28a8d9b', 'stake', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', '', '2026-12-01 13:52:56.97021+00', '804', NULL, NULL, NULL, NULL),
	('9b331899-d304-419c-a76c-e6dbc2fe6dec', 'stake', '44e6d7be-7a95-4baa-b06f-9ab2b1381dda', '', '2026-12-01 13:52:57.009064+00', '805', NULL, NULL, NULL, NULL),
	('11aa4fe5-33bc-42d6-aba1-0325860fa417', 'deposit', NULL, '', '2026-12-01 13:52:57.64029+00', '811', 'default', '80d3165b-ef86-4c90-9f0a-e0e0b037a999', 'operator', 'default'),
	('a76b46ce-cddd-48ae-aad6-16c2d7099d81', 'deposit', NULL, '', '2026-12-01 13:52:57.647649+00', '812', 'default', '981ec6a8-97c2-4780-9134-fcdea33078e5', 'operator', 'default'),
	('874c18b8-d270-4609-a2e8-e1cbd69f7bd7', 'deposit', NULL, '', '2026-12-01 13:52:57.651758+00', '813', 'default', 'e2a0a7b6-892b-4bd7-9110-3ecb1e7f8f6f', 'operator', 'default'),
	('3bd3afc2-6640-421d-8e6d-3c234edf5306', 'deposit', NULL, '', '2026-12-01 13:52:57.655852+00', '814', 'default', 'ebe49270-ad92-4f7e-8e71-d756f5fe5361', 'operator', 'default'),
	('21779bd5-bf57-456c-823d-e63bccefd6b2', 'stake', 'ae94a68b-0b35-431d-929d-78f038e79943', '', '2026-12-01 13:52:57.672517+00', '817', NULL, NULL, NULL, NULL),
	('4b0302a6-cb65-47a3-b4ef-4f2f93606727', 'stake', 'ae94a68b-0b35-431d-929d-78f038e79943', '', '2026-12-01 13:52:57.684557+00', '819', NULL, NULL, NULL, NULL),
	('995f7756-b638-4d22-b681-79a0647caf05', 'stake', 'ae94a68b-0b35-431d-929d-78f038e79943', '', '2026-12-01 13:52:57.710516+00', '820', NULL, NULL, NULL, NULL),
	('3958cab7-0e75-431e-974d-9df4b700599c', 'stake', 'ae94a68b-0b35-431d-929d-78f038e79943', '', '2026-12-01 13:52:57.735305+00', '821', NULL, NULL, NULL, NULL),
	('3ae7a64b-ea98-49d7-8cc5-cf9c63a3ffc1', 'deposit', NULL, '', '2026-12-01 13:52:57.784178+00', '826', 'default', '9aa7447d-d596-4131-a3d1-6aa1f3548ca7', 'operator', 'default'),
	('166a4650-e55d-4cc4-b406-14c3c916eba9', 'deposit', NULL, '', '2026-12-01 13:52:57.788144+00', '827', 'default', '56cbc173-441a-4525-b8e7-c66c9193f907', 'operator', 'default'),
	('c9e5aac7-7231-4ed9-80cb-171fc5a13201', 'deposit', NULL, '', '2026-12-01 13:52:57.791566+00', '828', 'default', '2f7028d9-6350-4b4a-a77a-8509922e1adf', 'operator', 'default'),
	('9a3067db-8f7e-4bea-ad8f-556d8a31c6d4', 'deposit', NULL, '', '2026-12-01 13:52:57.796868+00', '829', 'default', 'a9af44ad-7207-4dfd-8b99-bb6cb928c7e8', 'operator', 'default'),
	('c1e543d9-783f-46dd-a8c9-8b292037d2f6', 'stake', 'a7992a29-8aaa-4058-99ee-40e55c78005f', '', '2026-12-01 13:52:57.813605+00', '832', NULL, NULL, NULL, NULL),
	('515fafbe-7add-4ca7-ad25-fe2980fe057f', 'stake', 'a7992a29-8aaa-4058-99ee-40e55c78005f', '', '2026-12-01 13:52:57.829598+00', '834', NULL, NULL, NULL, NULL),
	('330f6754-623e-42c9-99c7-406e5e24afe3', 'stake', 'a7992a29-8aaa-4058-99ee-40e55c78005f', '', '2026-12-01 13:52:57.845023+00', '835', NULL, NULL, NULL, NULL),
	('861730c5-876d-41bd-bb0d-b0e945b4a410', 'stake', 'a7992a29-8aaa-4058-99ee-40e55c78005f', '', '2026-12-01 13:52:57.862729+00', '836', NULL, NULL, NULL, NULL),
	('b6840a3e-db24-48f5-be69-6a82aef9da05', 'deposit', NULL, '', '2026-12-01 13:52:57.952635+00', '841', 'default', 'd7d0217b-1565-4ff6-a9df-898847a76917', 'operator', 'default'),
	('1726275e-0f10-4303-b57f-e929b3b45ade', 'deposit', NULL, '', '2026-12-01 13:52:57.957163+00', '842', 'default', 'bdb44484-165e-4e6f-a7df-6ef69d126a6f', 'operator', 'default'),
	('2c512a73-7018-4894-868b-6dc9943449e9', 'stake', '77e71d99-1a50-4724-811b-55f69dc1d2d5', '', '2026-12-01 13:52:57.974151+00', '845', NULL, NULL, NULL, NULL),
	('856c5333-6974-428b-be13-17ef7c0aed1a', 'stake', '77e71d99-1a50-4724-811b-55f69dc1d2d5', '', '2026-12-01 13:52:57.995777+00', '847', NULL, NULL, NULL, NULL),
	('765ea38f-3e58-418f-adb6-5120c1f02c1f', 'deposit', NULL, '', '2026-12-01 13:52:58.005779+00', '848', 'default', '17da68b5-9205-4a3a-a910-eaf1a3768022', 'operator', 'default'),
	('a8d5227e-fddf-48b9-9a4a-69df5b337c48', 'deposit', NULL, '', '2026-12-01 13:52:58.009068+00', '849', 'default', 'c9ccf4b3-85d2-43c0-ab9f-b55578603308', 'operator', 'default'),
	('260e53a2-adb6-4f68-97d1-9e2df0e291ac', 'deposit', NULL, '', '2026-12-01 13:52:58.011783+00', '850', 'default', 'bcecb9a9-d56a-4463-8252-6f0ebef1efed', 'operator', 'default'),
	('414adadf-b6ea-4e2e-9e82-49f84a736cff', 'deposit', NULL, '', '2026-12-01 13:52:58.014958+00', '851', 'default', 'dffa767f-6452-4800-853c-79606110891b', 'operator', 'default'),
	('950dc421-718d-4248-9908-80073c1c2418', 'stake', '19c47f64-4f61-4884-a577-dce7e4582fb5', '', '2026-12-01 13:52:58.034964+00', '854', NULL, NULL, NULL, NULL),
	('8b2ea2e9-94b2-4b07-b654-bbb6e61b0374', 'stake', '19c47f64-4f61-4884-a577-dce7e4582fb5', '', '2026-12-01 13:52:58.238787+00', '857', NULL, NULL, NULL, NULL),
	('7d44e0b4-93be-419d-8e44-6014b8ba2b72', 'stake', '19c47f64-4f61-4884-a577-dce7e4582fb5', '', '2026-12-01 13:52:58.266147+00', '858', NULL, NULL, NULL, NULL),
	('a2ba9b9a-79a0-43bb-8b16-5c43d52c8265', 'stake', '19c47f64-4f61-4884-a577-dce7e4582fb5', '', '2026-12-01 13:52:58.285272+00', '859', NULL, NULL, NULL, NULL);



INSERT INTO wallet.lineage OVERRIDING SYSTEM VALUE VALUES
	(1, '7714333215449812028-15cead2ff469', '7714333215449812028/16387/16775', 1, '2026-12-01 13:52:51.601328+00');



INSERT INTO wallet.operator_act OVERRIDING SYSTEM VALUE VALUES
	(1, 'operator', 'default', 'deposit', '076049c9-00e7-4169-931c-e0f522660a0d', 'default', 'player-71c32e68-665e-46b1-86d6-06b69e44d8f1', '', 'b6853f01-a802-46ed-8a11-2fece5fa7789', '2026-12-01 13:52:54.831229+00'),
	(2, 'operator', 'default', 'deposit', 'f1f39bbf-2fc9-45fa-bf3c-917f93c9510d', 'default', 'player-ab3cd80a-eb2b-4980-8f5e-ffe5bcaa6658', '', 'ce903754-1ff9-4e53-8e28-6b1a347c58e5', '2026-12-01 13:52:54.841071+00'),
	(3, 'operator', 'default', 'deposit', 'd64f833e-707d-493e-bd45-41e71328512f', 'default', 'player-6cb678e3-a078-43b9-97bc-98d00613407c', '', '4ec185e0-da99-4b6b-9e8b-9e53d9fdc6ca', '2026-12-01 13:52:54.853291+00'),
	(4, 'operator', 'default', 'deposit', '7fc76728-08a0-40c1-afa1-10db9df5aff1', 'default', 'player-c3ef6cb4-4308-4b21-86b6-e918ff080453', '', '4b3068e0-c6a7-41c0-8d41-a588d63f6345', '2026-12-01 13:52:54.858362+00'),
	(5, 'operator', 'default', 'deposit', '1cc4462f-5c57-4b48-9069-28e433fb8c1b', 'default', 'player-fafcd319-51d8-40e5-8d2f-a5ccef70051c', '', '8262185c-7cbd-41f2-b35a-893d78e2a550', '2026-12-01 13:52:56.598759+00'),
	(6, 'operator', 'default', 'deposit', 'f42e3931-24b8-4f6e-a85c-61ea07927fd3', 'default', 'player-cd61ee80-5fb6-4dc3-9b5a-919258513cbc', '', 'c41eaccf-ed39-45ae-b9a0-26573279389e', '2026-12-01 13:52:56.605096+00'),
	(7, 'operator', 'default', 'deposit', '7a3de7fa-d995-4980-9265-08e68187de69', 'default', 'player-5201a507-b91d-4610-ba76-0a10e0fabb7c', '', 'b197245a-844d-4df4-912e-a22f382c1704', '2026-12-01 13:52:56.612348+00'),
	(8, 'operator', 'default', 'deposit', 'c62fcc6a-34f5-43ad-a467-8423476a05ba', 'default', 'player-46d12b00-cdc9-464c-9670-7be2873ffb54', '', 'b8707551-ad82-41e6-90fd-d6063da351c2', '2026-12-01 13:52:56.660772+00'),
	(9, 'operator', 'default', 'deposit', '80d3165b-ef86-4c90-9f0a-e0e0b037a999', 'default', 'player-24524738-9d17-4bff-8964-66c5f568c1a2', '', '11aa4fe5-33bc-42d6-aba1-0325860fa417', '2026-12-01 13:52:57.640769+00'),
	(10, 'operator', 'default', 'deposit', '981ec6a8-97c2-4780-9134-fcdea33078e5', 'default', 'player-81454e13-39f3-4bed-a6b2-b8cf211ec21d', '', 'a76b46ce-cddd-48ae-aad6-16c2d7099d81', '2026-12-01 13:52:57.648156+00'),
	(11, 'operator', 'default', 'deposit', 'e2a0a7b6-892b-4bd7-9110-3ecb1e7f8f6f', 'default', 'player-c71c3242-c13b-42e9-8f63-55ef35ef71e1', '', '874c18b8-d270-4609-a2e8-e1cbd69f7bd7', '2026-12-01 13:52:57.652232+00'),
	(12, 'operator', 'default', 'deposit', 'ebe49270-ad92-4f7e-8e71-d756f5fe5361', 'default', 'player-b65ff837-6525-4fc7-baef-295bac219741', '', '3bd3afc2-6640-421d-8e6d-3c234edf5306', '2026-12-01 13:52:57.656351+00'),
	(13, 'operator', 'default', 'deposit', '9aa7447d-d596-4131-a3d1-6aa1f3548ca7', 'default', 'player-3d052eac-73fa-45a9-9084-4472a5f2d4fd', '', '3ae7a64b-ea98-49d7-8cc5-cf9c63a3ffc1', '2026-12-01 13:52:57.784635+00'),
	(14, 'operator', 'default', 'deposit', '56cbc173-441a-4525-b8e7-c66c9193f907', 'default', 'player-44ae0b76-2462-433a-80fe-5600e3d3f60f', '', '166a4650-e55d-4cc4-b406-14c3c916eba9', '2026-12-01 13:52:57.788587+00'),
	(15, 'operator', 'default', 'deposit', '2f7028d9-6350-4b4a-a77a-8509922e1adf', 'default', 'player-3b212ba7-8fb0-409f-ac9a-d11017d00627', '', 'c9e5aac7-7231-4ed9-80cb-171fc5a13201', '2026-12-01 13:52:57.792005+00'),
	(16, 'operator', 'default', 'deposit', 'a9af44ad-7207-4dfd-8b99-bb6cb928c7e8', 'default', 'player-bb395ec4-99b3-4b44-9626-461317337e8f', '', '9a3067db-8f7e-4bea-ad8f-556d8a31c6d4', '2026-12-01 13:52:57.797301+00'),
	(17, 'operator', 'default', 'deposit', 'd7d0217b-1565-4ff6-a9df-898847a76917', 'default', 'player-895c2805-512f-40f3-bb15-89ed400566a7', '', 'b6840a3e-db24-48f5-be69-6a82aef9da05', '2026-12-01 13:52:57.952995+00'),
	(18, 'operator', 'default', 'deposit', 'bdb44484-165e-4e6f-a7df-6ef69d126a6f', 'default', 'player-0aee1b80-79e2-4a25-93a2-afc5511eb55e', '', '1726275e-0f10-4303-b57f-e929b3b45ade', '2026-12-01 13:52:57.957496+00'),
	(19, 'operator', 'default', 'deposit', '17da68b5-9205-4a3a-a910-eaf1a3768022', 'default', 'player-832f51ae-3b24-4b16-8098-6afd667746b1', '', '765ea38f-3e58-418f-adb6-5120c1f02c1f', '2026-12-01 13:52:58.006447+00'),
	(20, 'operator', 'default', 'deposit', 'c9ccf4b3-85d2-43c0-ab9f-b55578603308', 'default', 'player-1543146d-087d-4fa0-8b62-91a3176c65d2', '', 'a8d5227e-fddf-48b9-9a4a-69df5b337c48', '2026-12-01 13:52:58.009379+00'),
	(21, 'operator', 'default', 'deposit', 'bcecb9a9-d56a-4463-8252-6f0ebef1efed', 'default', 'player-579c2177-1995-4fd2-8c55-98cf1653cb94', '', '260e53a2-adb6-4f68-97d1-9e2df0e291ac', '2026-12-01 13:52:58.012107+00'),
	(22, 'operator', 'default', 'deposit', 'dffa767f-6452-4800-853c-79606110891b', 'default', 'player-ff86a8f4-4c19-430a-a737-e2202cfd22b4', '', '414adadf-b6ea-4e2e-9e82-49f84a736cff', '2026-12-01 13:52:58.015344+00');






INSERT INTO wallet.pot VALUES
	('779c235a-db22-4871-b339-b6e29c5375db', 'default', 'CHF', 200, 20, 1, 6, 'SETTLED', '{1,3}', '\x0ef70a4a3364dd2329ec1ced396569a0674500983c066ce3abe9050561dc8ea0', 'd4439b89-b262-5f2c-a581-70e9346347ba', NULL, '2026-12-01 13:52:54.889283+00', '2026-12-01 13:52:54.958603+00', '2026-12-01 13:52:56.440695+00'),
	('44e6d7be-7a95-4baa-b06f-9ab2b1381dda', 'default', 'CHF', 200, 20, 1, 12, 'LOCKED', NULL, NULL, 'e561d804-09fa-5e78-bc89-d4b36ecde4ff', NULL, '2026-12-01 13:52:56.926389+00', '2026-12-01 13:52:57.054809+00', NULL),
	('ae94a68b-0b35-431d-929d-78f038e79943', 'default', 'CHF', 200, 20, 1, 17, 'LOCKED', NULL, NULL, '6d630493-fc2a-53c5-a4ee-582d8689a6ad', NULL, '2026-12-01 13:52:57.667699+00', '2026-12-01 13:52:57.743663+00', NULL),
	('a7992a29-8aaa-4058-99ee-40e55c78005f', 'default', 'CHF', 200, 20, 1, 22, 'LOCKED', NULL, NULL, 'c47c67f2-90fe-5da0-9764-8dafde26f922', NULL, '2026-12-01 13:52:57.806161+00', '2026-12-01 13:52:57.870039+00', NULL),
	('77e71d99-1a50-4724-811b-55f69dc1d2d5', 'default', 'CHF', 200, 20, 1, 25, 'OPEN', NULL, NULL, NULL, NULL, '2026-12-01 13:52:57.970014+00', NULL, NULL),
	('19c47f64-4f61-4884-a577-dce7e4582fb5', 'default', 'CHF', 200, 20, 1, 30, 'LOCKED', NULL, NULL, 'ff20a79f-bd93-5cfe-9c64-070aa8a1fb07', NULL, '2026-12-01 13:52:58.029571+00', '2026-12-01 13:52:58.298094+00', NULL);






INSERT INTO wallet.retention VALUES
	(true, '-infinity', '00000000-0000-0000-0000-000000000000');



INSERT INTO wallet.roll_up VALUES
	(2, 1, '{2,3,5,7}', -4000, -4000, '\x3b584f2ce18d01e332bd05fb6f248098d7fbaabc3087449d2223dd7d05e0761f', '2026-12-01 13:52:55.027088+00'),
	(2, 2, '{21,23,25,27}', -4000, -8000, '\xee46eebd3e7cbe8cf6c1cffa8bfca1c10ba428be47b7c7e8e9beb18f67fc3349', '2026-12-01 13:52:57.067303+00'),
	(7, 1, '{20}', 20, 20, '\x445328407700b20a8b4d2cf5a52dd290ebba484051b21d0d7b89f81a6527a9a2', '2026-12-01 13:52:57.067842+00'),
	(2, 3, '{37,39,41,43,53,55,57,59,69,71,77,79,81,83}', -14000, -22000, '\x86fb07f916a74ca2c98697cfd7d754e859c570c51d55deb40c2e76c86459162f', '2026-12-01 13:52:58.127787+00');



INSERT INTO wallet.schema_file VALUES
	('0001_ledger.sql', 'e1d5d273b5660ee354efc1b4096235ff0a189240db1a5d606bb0461071d9b709', '2026-12-01 13:52:49.087362+00'),
	('0002_recovery.sql', '3bd1dd0767a25c98484982009e9087a0d4fcbec87ed225b4090bfc47844e894a', '2026-12-01 13:52:49.097435+00'),
	('0003_references.sql', '38fdea906410d6b9fdea736a8c2a198534a98e8a1111ef340e8721747ba7a251', '2026-12-01 13:52:49.099775+00'),
	('0004_letters.sql', '84cf363dd15197ed0ddfba0c1270ff409d4c1c4c795192cbf4e7cb0f87d3a311', '2026-12-01 13:52:49.102506+00');



INSERT INTO wallet.schema_state VALUES
	(true, '0004', '0002', '0.2.0', '2026-12-01 13:52:49.124988+00');



SELECT pg_catalog.setval('wallet.account_id_seq', 30, true);



SELECT pg_catalog.setval('wallet.entry_id_seq', 92, true);



SELECT pg_catalog.setval('wallet.fee_schedule_version_seq', 1, true);



SELECT pg_catalog.setval('wallet.lineage_id_seq', 1, true);



SELECT pg_catalog.setval('wallet.operator_act_id_seq', 22, true);



SELECT pg_catalog.setval('wallet.recovery_id_seq', 1, false);



ALTER TABLE ONLY matchmaking.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);



ALTER TABLE ONLY matchmaking.free_hold
    ADD CONSTRAINT free_hold_pkey PRIMARY KEY (reservation_id);



ALTER TABLE ONLY matchmaking.free_pot
    ADD CONSTRAINT free_pot_pkey PRIMARY KEY (pot_id);



ALTER TABLE ONLY matchmaking.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (game_id);



ALTER TABLE ONLY matchmaking.game
    ADD CONSTRAINT game_table_id_key UNIQUE (table_id);



ALTER TABLE ONLY matchmaking.game
    ADD CONSTRAINT game_tenant_opener_request_id_key UNIQUE (tenant, opener, request_id);



ALTER TABLE ONLY matchmaking.pot_watch
    ADD CONSTRAINT pot_watch_pkey PRIMARY KEY (one);



ALTER TABLE ONLY matchmaking.schema_file
    ADD CONSTRAINT schema_file_pkey PRIMARY KEY (name);



ALTER TABLE ONLY matchmaking.schema_state
    ADD CONSTRAINT schema_state_pkey PRIMARY KEY (only_one);



ALTER TABLE ONLY matchmaking.stray_pot
    ADD CONSTRAINT stray_pot_pkey PRIMARY KEY (pot_id);



ALTER TABLE ONLY wallet.account
    ADD CONSTRAINT account_id_currency_key UNIQUE (id, currency);



ALTER TABLE ONLY wallet.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.account
    ADD CONSTRAINT account_tenant_kind_owner_currency_key UNIQUE (tenant, kind, owner, currency);



ALTER TABLE ONLY wallet.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);



ALTER TABLE ONLY wallet.boot
    ADD CONSTRAINT boot_pkey PRIMARY KEY (started_at);



ALTER TABLE ONLY wallet.entry
    ADD CONSTRAINT entry_account_id_sequence_key UNIQUE (account_id, sequence);



ALTER TABLE ONLY wallet.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.fee_schedule
    ADD CONSTRAINT fee_schedule_pkey PRIMARY KEY (version);



ALTER TABLE ONLY wallet.fenced_pot
    ADD CONSTRAINT fenced_pot_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.hold
    ADD CONSTRAINT hold_pkey PRIMARY KEY (reservation_id);



ALTER TABLE ONLY wallet.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (tenant, request_id);



ALTER TABLE ONLY wallet.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.lineage
    ADD CONSTRAINT lineage_name_key UNIQUE (name);



ALTER TABLE ONLY wallet.lineage
    ADD CONSTRAINT lineage_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.operator_act
    ADD CONSTRAINT operator_act_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.pending_roll_up
    ADD CONSTRAINT pending_roll_up_pkey PRIMARY KEY (entry_id);



ALTER TABLE ONLY wallet.pot
    ADD CONSTRAINT pot_account_id_key UNIQUE (account_id);



ALTER TABLE ONLY wallet.pot
    ADD CONSTRAINT pot_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.recovery
    ADD CONSTRAINT recovery_pkey PRIMARY KEY (id);



ALTER TABLE ONLY wallet.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (only_one);



ALTER TABLE ONLY wallet.roll_up
    ADD CONSTRAINT roll_up_pkey PRIMARY KEY (account_id, batch);



ALTER TABLE ONLY wallet.schema_file
    ADD CONSTRAINT schema_file_pkey PRIMARY KEY (name);



ALTER TABLE ONLY wallet.schema_state
    ADD CONSTRAINT schema_state_pkey PRIMARY KEY (only_one);



CREATE UNIQUE INDEX free_hold_player ON matchmaking.free_hold USING btree (pot_id, player) WHERE (state = 'HELD'::text);



CREATE INDEX free_hold_pot ON matchmaking.free_hold USING btree (pot_id);



CREATE UNIQUE INDEX free_hold_seat ON matchmaking.free_hold USING btree (pot_id, seat) WHERE (state = 'HELD'::text);



CREATE INDEX game_due ON matchmaking.game USING btree (next_check) WHERE (next_check IS NOT NULL);



CREATE INDEX game_ended ON matchmaking.game USING btree (end_time, game_id) WHERE ((stake > 0) AND (end_time IS NOT NULL) AND (status = ANY (ARRAY['FINISHED'::text, 'VOIDED'::text, 'CLOSED'::text])));



CREATE INDEX game_live ON matchmaking.game USING btree (tenant) WHERE (status = ANY (ARRAY['OPENING'::text, 'OPEN'::text, 'STARTING'::text, 'PLAYING'::text]));



CREATE INDEX game_retained ON matchmaking.game USING btree (end_time) WHERE ((end_time IS NOT NULL) AND pot_kept AND ((stake = 0) OR ((status = 'CLOSED'::text) AND (refusal = ANY (ARRAY['INSUFFICIENT_FUNDS'::text, 'TOO_MANY_GAMES'::text])))));



CREATE INDEX stray_pot_since ON matchmaking.stray_pot USING btree (since, pot_id);



CREATE INDEX account_besides_pots ON wallet.account USING btree (currency) WHERE (kind <> 'pot'::wallet.account_kind);



CREATE INDEX entry_of_journal ON wallet.entry USING btree (journal_id);



CREATE INDEX fee_schedule_latest ON wallet.fee_schedule USING btree (tenant, version DESC);



CREATE INDEX held_by_account ON wallet.hold USING btree (account_id) WHERE (state = 'HELD'::wallet.hold_state);



CREATE INDEX hold_of_account ON wallet.hold USING btree (account_id);



CREATE INDEX hold_of_pot ON wallet.hold USING btree (pot_id, seat);



CREATE INDEX journal_of_pot ON wallet.journal USING btree (pot_id) WHERE (pot_id IS NOT NULL);



CREATE UNIQUE INDEX one_recovery_under_way ON wallet.recovery USING btree ((true)) WHERE (ended_at IS NULL);



CREATE INDEX operator_act_by_subject ON wallet.operator_act USING btree (subject, id);



CREATE UNIQUE INDEX operator_act_once ON wallet.operator_act USING btree (request_id, kind) WHERE (kind = ANY (ARRAY['abort_table'::text, 'reconcile_table'::text, 'end_recovery'::text]));



CREATE UNIQUE INDEX player_holds_once ON wallet.hold USING btree (pot_id, player) WHERE (state = 'HELD'::wallet.hold_state);



CREATE INDEX pot_by_age ON wallet.pot USING btree (created_at, id);



CREATE INDEX pot_underway_by_age ON wallet.pot USING btree (created_at, id) WHERE (state = ANY (ARRAY['OPEN'::wallet.pot_state, 'LOCKED'::wallet.pot_state]));



CREATE UNIQUE INDEX reference_used_once ON wallet.journal USING btree (tenant, kind, wallet.without_capitals(reference)) WHERE ((pot_id IS NULL) AND (tenant IS NOT NULL) AND (reference <> ''::text));



CREATE UNIQUE INDEX request_done_once ON wallet.journal USING btree (tenant, request_id) WHERE (request_id IS NOT NULL);



CREATE UNIQUE INDEX schedule_set_once ON wallet.fee_schedule USING btree (tenant, request_id) WHERE (request_id IS NOT NULL);



CREATE UNIQUE INDEX seat_held_once ON wallet.hold USING btree (pot_id, seat) WHERE (state = 'HELD'::wallet.hold_state);



CREATE TRIGGER game_changed BEFORE UPDATE ON matchmaking.game FOR EACH ROW WHEN ((((((((old.status IS DISTINCT FROM new.status) OR (old.rule_set IS DISTINCT FROM new.rule_set)) OR (old.quote IS DISTINCT FROM new.quote)) OR (old.expire_time IS DISTINCT FROM new.expire_time)) OR (old.table_id IS DISTINCT FROM new.table_id)) OR (old.seats IS DISTINCT FROM new.seats)) OR (old.result IS DISTINCT FROM new.result))) EXECUTE FUNCTION matchmaking.count_change();



CREATE TRIGGER game_inserted BEFORE INSERT ON matchmaking.game FOR EACH ROW EXECUTE FUNCTION matchmaking.count_change();



CREATE CONSTRAINT TRIGGER entries_add_to_zero AFTER INSERT ON wallet.entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet.require_balance();



CREATE CONSTRAINT TRIGGER journal_adds_to_zero AFTER INSERT ON wallet.journal DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet.require_balance();



CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON wallet.entry FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();



CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON wallet.fee_schedule FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();



CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON wallet.journal FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();



CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON wallet.operator_act FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();



CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE OR TRUNCATE ON wallet.roll_up FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();



CREATE TRIGGER refuse_late_entry BEFORE INSERT ON wallet.entry FOR EACH ROW EXECUTE FUNCTION wallet.refuse_late_entry();



CREATE TRIGGER refuse_pot_return BEFORE UPDATE ON wallet.pot FOR EACH ROW EXECUTE FUNCTION wallet.refuse_pot_return();



ALTER TABLE ONLY matchmaking.free_hold
    ADD CONSTRAINT free_hold_pot_id_fkey FOREIGN KEY (pot_id) REFERENCES matchmaking.free_pot(pot_id);



ALTER TABLE ONLY wallet.entry
    ADD CONSTRAINT entry_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES wallet.account(id, currency);



ALTER TABLE ONLY wallet.entry
    ADD CONSTRAINT entry_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES wallet.journal(id);



ALTER TABLE ONLY wallet.hold
    ADD CONSTRAINT hold_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet.account(id);



ALTER TABLE ONLY wallet.hold
    ADD CONSTRAINT hold_pot_id_fkey FOREIGN KEY (pot_id) REFERENCES wallet.pot(id);



ALTER TABLE ONLY wallet.journal
    ADD CONSTRAINT journal_pot_id_fkey FOREIGN KEY (pot_id) REFERENCES wallet.pot(id);



ALTER TABLE ONLY wallet.operator_act
    ADD CONSTRAINT operator_act_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES wallet.journal(id);



ALTER TABLE ONLY wallet.pending_roll_up
    ADD CONSTRAINT pending_roll_up_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet.account(id);



ALTER TABLE ONLY wallet.pending_roll_up
    ADD CONSTRAINT pending_roll_up_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES wallet.entry(id);



ALTER TABLE ONLY wallet.pot
    ADD CONSTRAINT pot_account_id_currency_fkey FOREIGN KEY (account_id, currency) REFERENCES wallet.account(id, currency);



ALTER TABLE ONLY wallet.pot
    ADD CONSTRAINT pot_fee_schedule_version_fkey FOREIGN KEY (fee_schedule_version) REFERENCES wallet.fee_schedule(version);



ALTER TABLE ONLY wallet.recovery
    ADD CONSTRAINT recovery_lineage_id_fkey FOREIGN KEY (lineage_id) REFERENCES wallet.lineage(id);



ALTER TABLE ONLY wallet.roll_up
    ADD CONSTRAINT roll_up_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallet.account(id);



GRANT USAGE ON SCHEMA matchmaking TO jasshaus_matchmaking;



GRANT USAGE ON SCHEMA wallet TO jasshaus_wallet;



REVOKE ALL ON FUNCTION matchmaking.count_change() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.account_of(p_kind wallet.account_kind, p_tenant text, p_owner text, p_currency text) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.balances(p_tenant text, p_player text, p_currency text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.balances(p_tenant text, p_player text, p_currency text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.begin_request(p_tenant text, p_request uuid, p_body bytea) FROM PUBLIC;



GRANT SELECT ON TABLE wallet.pot TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.belongs(p_pot wallet.pot, p_table uuid, p_seats jsonb) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.boot_position(p_here wallet.place) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.cashier_entry(p_kind wallet.journal_kind, p_act text, p_tenant text, p_player text, p_currency text, p_amount bigint, p_reference text, p_actor wallet.actor) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.check_ledger(p_seen text, p_flushed bigint) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.check_pots(p_ended jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.check_pots(p_ended jsonb) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.compare_ledger(p_seen text, p_flushed bigint, p_witness boolean, p_boot timestamp with time zone) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.correct(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.correct(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.deposit(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.deposit(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.entry TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.describe_entry(p_entry wallet.entry) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.describe_pot(p_pot uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.describe_pot(p_pot uuid) TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.recovery TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.describe_recovery(p_recovery wallet.recovery) FROM PUBLIC;



GRANT SELECT ON TABLE wallet.fee_schedule TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.describe_schedule(p_schedule wallet.fee_schedule) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.end_recovery(p_recovery bigint, p_repaired bigint, p_unmatched bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.end_recovery(p_recovery bigint, p_repaired bigint, p_unmatched bigint) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.ensure_fee_schedule(p_fee_bps integer, p_fee_min bigint, p_fee_max bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.ensure_fee_schedule(p_fee_bps integer, p_fee_min bigint, p_fee_max bigint) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.entries(p_tenant text, p_player text, p_currency text, p_before bigint, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.entries(p_tenant text, p_player text, p_currency text, p_before bigint, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.fee(p_pot bigint, p_schedule wallet.fee_schedule) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.fee_schedules(p_before bigint, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.fee_schedules(p_before bigint, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.force_end_recovery(p_recovery bigint, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.force_end_recovery(p_recovery bigint, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.force_pot(p_pot uuid, p_winners smallint[], p_reason text, p_actor wallet.actor) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.force_refund_pot(p_pot uuid, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.force_refund_pot(p_pot uuid, p_request uuid, p_reason text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.force_settle_pot(p_pot uuid, p_request uuid, p_winners smallint[], p_reason text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.force_settle_pot(p_pot uuid, p_request uuid, p_winners smallint[], p_reason text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.give_back(p_pot wallet.pot, p_reason text, p_table uuid, p_actor wallet.actor) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.hold_stake(p_pot uuid, p_reservation uuid, p_seat integer, p_player text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.hold_stake(p_pot uuid, p_reservation uuid, p_seat integer, p_player text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.holds_exactly(p_pot wallet.pot, p_holds jsonb) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.imbalance() FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.imbalance() TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.journal TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.link(p_chain bytea, p_entry wallet.entry, p_journal wallet.journal) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.list_pots(p_states text[], p_tenant text, p_before_us bigint, p_after_us bigint, p_after uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.list_pots(p_states text[], p_tenant text, p_before_us bigint, p_after_us bigint, p_after uuid, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.lock_accounts(p_accounts bigint[]) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb, p_table uuid, p_subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb, p_table uuid, p_subject text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.look_again(p_seen text, p_flushed bigint, p_boot timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.look_again(p_seen text, p_flushed bigint, p_boot timestamp with time zone) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.open_pot(p_pot uuid, p_tenant text, p_currency text, p_stake bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.open_pot(p_pot uuid, p_tenant text, p_currency text, p_stake bigint) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.operator_acts(p_subject text, p_before bigint, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.operator_acts(p_subject text, p_before bigint, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.pay(p_pot wallet.pot, p_seats smallint[], p_digest bytea, p_table uuid, p_actor wallet.actor) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.plays_for(p_pot uuid, p_subject text) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.position_now() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.post(p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[]) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.post_by(p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[], p_tenant text, p_actor wallet.actor) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.quote(p_currency text, p_stake bigint, p_fee bigint, p_schedule wallet.fee_schedule) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.quote_pots(p_tenant text, p_currencies text[], p_stakes bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.quote_pots(p_tenant text, p_currencies text[], p_stakes bigint[]) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.reconcile_pot(p_pot uuid, p_table uuid, p_seats jsonb, p_fact text, p_winners smallint[], p_digest bytea, p_subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.reconcile_pot(p_pot uuid, p_table uuid, p_seats jsonb, p_fact text, p_winners smallint[], p_digest bytea, p_subject text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.record_act(p_kind text, p_actor wallet.actor, p_tenant text, p_object text, p_reason text, p_journal uuid) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.record_operator_act(p_kind text, p_request uuid, p_tenant text, p_object text, p_reason text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.record_operator_act(p_kind text, p_request uuid, p_tenant text, p_object text, p_reason text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.recoveries(p_before bigint, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.recoveries(p_before bigint, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.refund_pot(p_pot uuid, p_reason text, p_table uuid, p_seats jsonb, p_subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.refund_pot(p_pot uuid, p_reason text, p_table uuid, p_seats jsonb, p_subject text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.refuse_change() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.refuse_late_entry() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.refuse_pot_return() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.refused(p_reason text, p_pot uuid) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.refused_unrecorded(p_tenant text, p_request uuid, p_reason text, p_pot uuid) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.release_stake(p_pot uuid, p_reservation uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.release_stake(p_pot uuid, p_reservation uuid) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.remove_unused_pots(p_days integer, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.remove_unused_pots(p_days integer, p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.require_balance() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.require_standing() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.roll_up(p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.roll_up(p_limit integer) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.schedule_of(p_tenant text) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.seats_matching(p_pot uuid, p_seats jsonb) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.set_fee_schedule(p_tenant text, p_request uuid, p_fee_bps integer, p_fee_min bigint, p_fee_max bigint, p_start_us bigint, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.set_fee_schedule(p_tenant text, p_request uuid, p_fee_bps integer, p_fee_min bigint, p_fee_max bigint, p_start_us bigint, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.settle_pot(p_pot uuid, p_winners smallint[], p_digest bytea, p_table uuid, p_seats jsonb, p_subject text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.settle_pot(p_pot uuid, p_winners smallint[], p_digest bytea, p_table uuid, p_seats jsonb, p_subject text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.split(p_net bigint, p_parts integer) FROM PUBLIC;



GRANT SELECT ON TABLE wallet.hold TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.stakes(p_pot uuid) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.taken_back(p_here wallet.place, p_seen text, p_flushed bigint) FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.trial_balance() FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.trial_balance() TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.waits_for_tables() FROM PUBLIC;



REVOKE ALL ON FUNCTION wallet.watch() FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.watch() TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.withdraw(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.withdraw(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.without_capitals(p_text text) FROM PUBLIC;



GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE matchmaking.free_hold TO jasshaus_matchmaking;



GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE matchmaking.free_pot TO jasshaus_matchmaking;



GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE matchmaking.game TO jasshaus_matchmaking;



GRANT SELECT,UPDATE ON TABLE matchmaking.pot_watch TO jasshaus_matchmaking;



GRANT SELECT ON TABLE matchmaking.schema_state TO PUBLIC;



GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE matchmaking.stray_pot TO jasshaus_matchmaking;



GRANT SELECT ON TABLE matchmaking.stuck_pot TO jasshaus_matchmaking;



GRANT SELECT ON TABLE wallet.account TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.pending_roll_up TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.account_total TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.alembic_version TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.boot TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.fenced_pot TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.idempotency TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.lineage TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.operator_act TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.retention TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.roll_up TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.schema_file TO jasshaus_wallet;



GRANT SELECT ON TABLE wallet.schema_state TO jasshaus_wallet;




