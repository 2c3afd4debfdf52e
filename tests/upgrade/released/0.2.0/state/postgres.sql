


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
    SELECT CASE WHEN checkpoint_time < pg_postmaster_start_time() + later_checkpoint_after()
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
        PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'wallet.reference', p_tenant, p_kind, lower(p_reference)), 0));
        SELECT id INTO written FROM journal
        WHERE tenant = p_tenant AND kind = p_kind AND lower(reference) = lower(p_reference) AND pot_id IS NULL AND reference <> '';
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
        'boot', this.started_at,
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
    latest recovery;
    done operator_act;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
    SELECT * INTO done FROM operator_act WHERE request_id = p_request AND kind = 'end_recovery';
    IF FOUND AND (done.subject, done.subject_tenant, done.object, done.reason)
            IS DISTINCT FROM (p_subject, p_subject_tenant, p_recovery::text, p_reason) THEN
        RETURN refused('REQUEST_ID_REUSED');
    END IF;
    SELECT * INTO latest FROM recovery ORDER BY id DESC LIMIT 1;
    IF done.id IS NOT NULL THEN
        SELECT * INTO latest FROM recovery WHERE id = p_recovery;
        RETURN jsonb_build_object('recovery', describe_recovery(latest));
    END IF;
    IF latest.id IS DISTINCT FROM p_recovery OR latest.ended_at IS NOT NULL
            OR taken_back(position_now(), NULL, NULL) IS NOT NULL THEN
        RETURN refused('RECOVERY_NOT_CURRENT');
    END IF;
    UPDATE recovery SET ended_at = clock_timestamp(), ended_by = p_subject WHERE id = p_recovery RETURNING * INTO latest;
    PERFORM record_act('end_recovery', ROW(p_subject, p_subject_tenant, p_request)::actor, '', p_recovery::text, p_reason, NULL);
    RETURN jsonb_build_object('recovery', describe_recovery(latest));
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



CREATE FUNCTION wallet.later_checkpoint_after() RETURNS interval
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT interval '30 seconds' $$;



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
    CONSTRAINT reference_without_stray_blanks CHECK (((reference = btrim(reference)) AND (reference !~ '\s\s'::text)))
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
        OR (EXISTS (SELECT FROM lineage)
            AND NOT EXISTS (SELECT FROM boot WHERE started_at = pg_postmaster_start_time() AND heard)) THEN
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
    CONSTRAINT stray_pot_reason_check CHECK ((reason = ANY (ARRAY['NO_GAME'::text, 'GAME_OVER'::text, 'NO_TABLE'::text, 'REFUSED'::text, 'UNANSWERED'::text])))
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
	('4872f3b5-baf8-4418-b7be-f34f09d991b0', 'default', 'player-a4b224e3-5089-496f-9856-e06d172227b2', 'c17f2be3-cf2b-4cb3-8249-61d28acb1812', '\x3936646435306432333565306464653933333661643363636238313736623637', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c6173736963100118900320002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 400, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '2844fe4e-782c-5b53-b990-4ed0aeff76cd', '[{"seat": 0, "player": "player-a4b224e3-5089-496f-9856-e06d172227b2", "reservation": "169a5d94-6674-5745-a7d6-f556cb21af02"}, {"seat": 1, "player": "player-97a50340-e8dc-4e40-9336-c28d7250fdfe", "reservation": "da5c29b4-d7d2-5b7f-8b7f-36c3e39df54c"}, {"seat": 2, "player": "player-2fa7db93-f32e-40cf-b658-afec5706297f", "reservation": "48f6cf11-45a7-5ec6-ba6e-d317434c655c"}, {"seat": 3, "player": "player-b2382b6c-d2b2-4aff-b14f-9939d92599cb", "reservation": "0c3caa93-e2df-5f89-a94f-26bcb660f27a"}]', NULL, '2026-12-01 05:29:15.618+00', '2026-12-01 05:59:15.618+00', '2026-12-01 05:29:15.758249+00', NULL, false, false, NULL, NULL, '2026-12-01 05:29:45.811803+00', 4, true),
	('1d92d481-f1c8-477b-a34a-ae269464dc24', 'default', 'player-727bfd28-e538-4b78-9a21-bebea409ad20', '38b57d69-6837-4200-accc-15b9b8508b52', '\x6664313738353163633662306661326163356263386466356536323934613337', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'OPEN', NULL, NULL, NULL, '2026-12-01 05:29:17.217+00', '2026-12-01 05:59:17.217+00', NULL, NULL, false, false, NULL, NULL, '2026-12-01 05:30:17.24436+00', 2, true),
	('88938e5c-2f48-4122-ab47-a075a6ba0086', 'default', 'player-cc4ca9b4-1413-4d88-8ac1-56600a56cf0d', 'd2432db7-be56-42d4-a2c0-7a69859e2291', '\x3137663563353937396135386435626164373932636130353931366433663136', NULL, 'differenzler-classic', 'differenzler', '\x0a14646966666572656e7a6c65722d636c617373696310023802c00101c80101d00102d80102e00100e80101', '{"preset": "differenzler-classic", "rounds": 2, "variant": "VARIANT_DIFFERENZLER", "undertrump": "UNDERTRUMP_ALLOWED", "exact_bonus": 0, "live_points": true, "announcements": "ANNOUNCEMENTS_HIDDEN", "first_forehand": "FIRST_FOREHAND_RANDOM", "tie_round_eligible": "TIE_ROUND_ELIGIBLE_ALL"}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '90963944-88a8-5175-b5d0-0a768fab9fd2', '[{"seat": 0, "player": "player-cc4ca9b4-1413-4d88-8ac1-56600a56cf0d", "reservation": "dbb518d0-8880-5351-8db2-da02511d954e"}, {"seat": 1, "player": "player-32234c6c-c3f4-4281-9494-e23f4b9fb980", "reservation": "d9feab0c-8e23-5d53-aa55-98212982aaee"}, {"seat": 2, "player": "player-0019be12-4523-48af-bd10-a2626b24b28e", "reservation": "1b97ce7c-91e5-5ee7-936a-422b56f61e0d"}, {"seat": 3, "player": "player-dca021e9-9ff9-49da-aa77-142106823032", "reservation": "74965fbc-063f-5c9a-a256-7c0c507e74a2"}]', NULL, '2026-12-01 05:29:16.303+00', '2026-12-01 05:59:16.303+00', '2026-12-01 05:29:16.530207+00', NULL, false, false, NULL, NULL, '2026-12-01 05:29:46.608265+00', 4, true),
	('5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 'default', 'player-84f24374-ca92-4fff-b2b2-8ad39670d8ca', '55cfd28f-9692-4df3-b6ad-aa2674eed8c9', '\x6436313338626335353336373639323733393038666537623130383265356134', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'FINISHED', '08db6c66-b540-5bfd-844a-4331d0932166', '[{"seat": 0, "player": "player-84f24374-ca92-4fff-b2b2-8ad39670d8ca", "reservation": "c3d8101b-cc8f-5510-b7f0-7eccf72c8608"}, {"seat": 1, "player": "player-2faf8962-2109-478d-9b7e-f29bb128616f", "reservation": "0b44504f-1280-5973-95de-a024b79bf318"}, {"seat": 2, "player": "player-928ef9d3-8fed-4597-803e-8b9241b60401", "reservation": "78ebdadb-52b0-5fd6-932e-df339a7f1ccd"}, {"seat": 3, "player": "player-b59a0371-3b41-428e-ad13-47c2f84b535c", "reservation": "61707b9d-290a-54d6-9c39-fe923c87c941"}]', '{"fee": 20, "points": [94, 112], "voided": false, "payouts": [390, 390], "end_time": "2026-12-01T05:29:15.513135+00:00", "winning_seats": [1, 3]}', '2026-12-01 05:29:14.149+00', '2026-12-01 05:59:14.149+00', '2026-12-01 05:29:14.347562+00', '2026-12-01 05:29:15.513135+00', false, false, NULL, NULL, NULL, 5, true),
	('f2bf62f8-3263-420d-94f8-3b22185d22bf', 'default', 'player-7d33bdaf-63de-4d07-98b1-12357918e8a0', 'e3378246-3007-499b-bf66-b8b04cb712fd', '\x6230623333333734666665653362396362313662623833653638623361353933', NULL, 'schieber-partner', 'schieber', '\x0a1073636869656265722d706172746e6572100118ac0220002a0c080110011802200228033004306438014001489601500058016001680270027801800100880100900100980101a00101a80102c00100c80101', '{"finish": "FINISH_AUTOMATIC", "preset": "schieber-partner", "target": 300, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_OWN_FIRST_CARD", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_TEAM_ALL", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_SECOND_CARD", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'cb6790ff-d60c-55f5-9e11-3b8eea63dc22', '[{"seat": 0, "player": "player-7d33bdaf-63de-4d07-98b1-12357918e8a0", "reservation": "6d276d06-8653-588d-8e90-b782237a6bba"}, {"seat": 1, "player": "player-2dccdd90-b3fe-4e8a-8cd5-24a95a539ad3", "reservation": "881f0867-3aa9-5dd1-aad0-1e0bf7b3a6c7"}, {"seat": 2, "player": "player-a6b63649-dcfc-40aa-b79e-26c7203704b9", "reservation": "f5893255-a753-512a-8b7c-1da49958932f"}, {"seat": 3, "player": "player-1704b450-3eca-4b84-9cb3-0a4079eff71b", "reservation": "b700383a-286d-5acd-8c48-b33b520f8f0b"}]', NULL, '2026-12-01 05:29:16.848+00', '2026-12-01 05:59:16.848+00', '2026-12-01 05:29:17.028567+00', NULL, false, false, NULL, NULL, '2026-12-01 05:29:47.070511+00', 4, true),
	('407944b6-79fe-4079-b695-203767b8fe6d', 'default', 'player-465a3550-acc5-428c-8fbb-616343d104d9', '33cb0daa-8db2-487e-872c-385f78cceaef', '\x3334323433306166653337613933353665643864646335383932643636326162', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '79c9ca39-61f9-53d5-ac56-2e1c86906c18', '[{"seat": 0, "player": "player-465a3550-acc5-428c-8fbb-616343d104d9", "reservation": "5e38a435-33df-5821-bb8c-1542099e1f41"}, {"seat": 1, "player": "player-418caab6-313f-4211-8b86-0e18f8be2adf", "reservation": "2fc04db3-086c-5f24-8800-8af737a99b25"}, {"seat": 2, "player": "player-a725e55e-4408-4c31-842c-b614b88d58f3", "reservation": "c19c64a3-6f45-59c7-a111-6dc897a5d28d"}, {"seat": 3, "player": "player-4f2d3fa1-d5e9-4c18-a53b-a992875ce2ba", "reservation": "edc543e5-5852-5df1-a2f8-35d57b55aeb2"}]', NULL, '2026-12-01 05:29:17.404+00', '2026-12-01 05:59:17.404+00', '2026-12-01 05:29:17.591865+00', NULL, false, false, NULL, NULL, '2026-12-01 05:29:47.635503+00', 4, true);



INSERT INTO matchmaking.pot_watch VALUES
	(true, '2026-12-01 05:29:19.22971+00');



INSERT INTO matchmaking.schema_file VALUES
	('0001_games.sql', '5e8833f995a210e6b9d3d605b01ea9c92b1a63aa6514527923453ec6476d19f9', '2026-12-01 05:29:08.454605+00'),
	('0002_stray_pots.sql', 'f3e856c124dce8753ba7432bce56cf785fd3163c9c4733e62f2cd57164a294ff', '2026-12-01 05:29:08.498724+00');



INSERT INTO matchmaking.schema_state VALUES
	(true, '0002', '0002', '0.1.0', '2026-12-01 05:29:08.514701+00');






INSERT INTO wallet.account OVERRIDING SYSTEM VALUE VALUES
	(13, 'player', 'default', 'player-cc4ca9b4-1413-4d88-8ac1-56600a56cf0d', 'CHF', 800, 2, '\x8520e2b603e483c6b93260d6614a214bbe126761cc24ef5e7edd25480c2f7303', '2026-12-01 05:29:16.18854+00'),
	(1, 'player', 'default', 'player-84f24374-ca92-4fff-b2b2-8ad39670d8ca', 'CHF', 800, 2, '\x4e67baff7819c0200d70ff32c864b47a21c876f2e8ec93dc6f3ad87ce93e9595', '2026-12-01 05:29:14.056394+00'),
	(29, 'player', 'default', 'player-4f2d3fa1-d5e9-4c18-a53b-a992875ce2ba', 'CHF', 800, 2, '\x2468820370e90c9bd49c5aaa37441cd2a4e8ee7b91467cfb92c431057bf104a5', '2026-12-01 05:29:17.371013+00'),
	(14, 'player', 'default', 'player-32234c6c-c3f4-4281-9494-e23f4b9fb980', 'CHF', 800, 2, '\x4efe99d036a716d4653812d6e63375b868b41e26076e37224296031544e39b22', '2026-12-01 05:29:16.226986+00'),
	(4, 'player', 'default', 'player-928ef9d3-8fed-4597-803e-8b9241b60401', 'CHF', 800, 2, '\xa4e2596b3cccb0a536e73693448a23cb2645cfa1ea37b64adbf0a00cf5ee9be5', '2026-12-01 05:29:14.116849+00'),
	(15, 'player', 'default', 'player-0019be12-4523-48af-bd10-a2626b24b28e', 'CHF', 800, 2, '\xe4f461661743f7a57d8b308da7017ed7e233d1bad0fa24e52b20ad3cfadbafd3', '2026-12-01 05:29:16.248804+00'),
	(23, 'player', 'default', 'player-727bfd28-e538-4b78-9a21-bebea409ad20', 'CHF', 800, 2, '\x36b7dd40c9771f8aec697527bb68ce07f72007445e8f5c6d4fca1d9dcbd693de', '2026-12-01 05:29:17.178184+00'),
	(16, 'player', 'default', 'player-dca021e9-9ff9-49da-aa77-142106823032', 'CHF', 800, 2, '\xc1e2b78a9b63bb7506399b0107be04285861a4dd8d7f64c040497de6f39dbcae', '2026-12-01 05:29:16.268585+00'),
	(17, 'pot', 'default', '88938e5c-2f48-4122-ab47-a075a6ba0086', 'CHF', 800, 4, '\x51e5b55dd0ebf5a9e8f60129ac4771791a7f3ad69dfa989685eb7be3d055bb6a', '2026-12-01 05:29:16.317878+00'),
	(3, 'player', 'default', 'player-2faf8962-2109-478d-9b7e-f29bb128616f', 'CHF', 1190, 3, '\x3881b02f39552ba3c43beb26fe2610311ed4f08eef3fc3e30c771ae4b57bddc5', '2026-12-01 05:29:14.106279+00'),
	(5, 'player', 'default', 'player-b59a0371-3b41-428e-ad13-47c2f84b535c', 'CHF', 1190, 3, '\x21dbfea53096912e48a1d5cf178db275d81e7054882efe8481a3a590115e05b9', '2026-12-01 05:29:14.137243+00'),
	(6, 'pot', 'default', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 'CHF', 0, 5, '\x6888900cd8afd781bee254a5c6ca99b3a3085043d6937c88ae3402cc078298cf', '2026-12-01 05:29:14.158609+00'),
	(30, 'pot', 'default', '407944b6-79fe-4079-b695-203767b8fe6d', 'CHF', 800, 4, '\x0b0ffcabe4c20be7f62accbeb4f70539e76e36bcac7e8cc21f3bee7b2b516b09', '2026-12-01 05:29:17.416731+00'),
	(7, 'house', 'default', '', 'CHF', 20, 1, '\x19df75d598c67771f920a49428c87d83aa2a491be67c33947558f0c266989ec6', '2026-12-01 05:29:15.478179+00'),
	(24, 'player', 'default', 'player-dbf9b937-a835-4a39-8f97-0ebc2dff83ff', 'CHF', 800, 2, '\x07ea9ef97a8e9f22b68756bd456b6d2b82cd8661da1e152ea47ce965fda47c58', '2026-12-01 05:29:17.196014+00'),
	(8, 'player', 'default', 'player-a4b224e3-5089-496f-9856-e06d172227b2', 'CHF', 800, 2, '\x7de5f6aacc1eae14afef45034db14a663c84d4aef1082e942be79e54870950ee', '2026-12-01 05:29:15.562709+00'),
	(25, 'pot', 'default', '1d92d481-f1c8-477b-a34a-ae269464dc24', 'CHF', 400, 2, '\x465a8fc9877973e13341a81029bdbd79efa848c54575b5518f794d8d5a6c71fd', '2026-12-01 05:29:17.229093+00'),
	(9, 'player', 'default', 'player-97a50340-e8dc-4e40-9336-c28d7250fdfe', 'CHF', 800, 2, '\x2f318e9bb4a2f57c4833441beb3489d9111c1651ccbfa5520da71449c210fce8', '2026-12-01 05:29:15.585529+00'),
	(10, 'player', 'default', 'player-2fa7db93-f32e-40cf-b658-afec5706297f', 'CHF', 800, 2, '\x0563f0cdfeb77dca18e0e0d63d6dab8d3c1a8025ad1d751c47834a99bbea2dbc', '2026-12-01 05:29:15.59781+00'),
	(11, 'player', 'default', 'player-b2382b6c-d2b2-4aff-b14f-9939d92599cb', 'CHF', 800, 2, '\x9d8bca7b4924073432c2f3309953990afe1cc8df3f50d7063756da38f90aebc1', '2026-12-01 05:29:15.601571+00'),
	(12, 'pot', 'default', '4872f3b5-baf8-4418-b7be-f34f09d991b0', 'CHF', 800, 4, '\x410454cb133e2d563662550e89d950ce5a859c739a108690feac7fe2ffe32325', '2026-12-01 05:29:15.622836+00'),
	(2, 'cashier', 'default', '', 'CHF', -22000, 4, '\x6f94a3a1a8bfd0579e6ccd0caef5db839b6ec35d5ce8cd3780b8020963fee117', '2026-12-01 05:29:14.074654+00'),
	(18, 'player', 'default', 'player-7d33bdaf-63de-4d07-98b1-12357918e8a0', 'CHF', 800, 2, '\xea1a85522bd0dcac37170571a77df6f548c054f3f16c819bf4fa85cd7cad62f6', '2026-12-01 05:29:16.706082+00'),
	(19, 'player', 'default', 'player-2dccdd90-b3fe-4e8a-8cd5-24a95a539ad3', 'CHF', 800, 2, '\x2cbc88bb85bb5160539e4b578bbbee1a2bfaf2b3b90285c314053949b487c1db', '2026-12-01 05:29:16.720974+00'),
	(20, 'player', 'default', 'player-a6b63649-dcfc-40aa-b79e-26c7203704b9', 'CHF', 800, 2, '\xbb0d458335d1d433d15903916f4253092981b21c6aaa5ec5bdc6b2c92132bce2', '2026-12-01 05:29:16.740922+00'),
	(21, 'player', 'default', 'player-1704b450-3eca-4b84-9cb3-0a4079eff71b', 'CHF', 800, 2, '\x0dbee46aea1a5a2ebf7ce606c87e8a160ccedb163a468b0c9e4abeb46c4eb905', '2026-12-01 05:29:16.766554+00'),
	(22, 'pot', 'default', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', 'CHF', 800, 4, '\xd54c1ff977831b2d34a0ddc807d524b28072a3fced0d66734acd3d307e8e7d97', '2026-12-01 05:29:16.879345+00'),
	(26, 'player', 'default', 'player-465a3550-acc5-428c-8fbb-616343d104d9', 'CHF', 800, 2, '\xef3b20625feaafdd415071e194bf616a9c6ca860c0aad70e198e3c98dae15b8e', '2026-12-01 05:29:17.336448+00'),
	(27, 'player', 'default', 'player-418caab6-313f-4211-8b86-0e18f8be2adf', 'CHF', 800, 2, '\x5c1f0e4610edf4f6460e25ed96a25b5c56b4ade09c9a8801d5d22c2273339c14', '2026-12-01 05:29:17.348034+00'),
	(28, 'player', 'default', 'player-a725e55e-4408-4c31-842c-b614b88d58f3', 'CHF', 800, 2, '\x2c2b50932df2dd4386ec7b43f0c92bd54494da7491b0385fbed904f13720b90a', '2026-12-01 05:29:17.364215+00');



INSERT INTO wallet.alembic_version VALUES
	('0002');



INSERT INTO wallet.boot VALUES
	('2026-12-01 05:29:07.38213+00', 24041216, true, true);



INSERT INTO wallet.entry OVERRIDING SYSTEM VALUE VALUES
	(1, '234a6801-7ada-47d2-b4c4-7a449f24f0c2', 1, 'CHF', 1000, 1, 1000, '\x573c5f66dd3e7ed48fd51d3cf0a89bf3162bb49618dafb879dd1189d877fa496'),
	(2, '234a6801-7ada-47d2-b4c4-7a449f24f0c2', 2, 'CHF', -1000, NULL, NULL, NULL),
	(3, 'f61740cc-0067-4097-b4aa-68981d252c82', 2, 'CHF', -1000, NULL, NULL, NULL),
	(4, 'f61740cc-0067-4097-b4aa-68981d252c82', 3, 'CHF', 1000, 1, 1000, '\xff6b3e6e37d7f0ecfab3b0e43bbac816caae1b0b95cb9bfeda1118a7c0ecca8e'),
	(5, '62a0da3d-eee7-4e13-8742-d77cc3ee3ba5', 2, 'CHF', -1000, NULL, NULL, NULL),
	(6, '62a0da3d-eee7-4e13-8742-d77cc3ee3ba5', 4, 'CHF', 1000, 1, 1000, '\xc2a068edb892ecff878738055dc3f6839f6c4b43deb325bd0e7f9f7788b34afc'),
	(7, '6ac7fd7f-b3bb-485c-9029-fbb409dd7552', 2, 'CHF', -1000, NULL, NULL, NULL),
	(8, '6ac7fd7f-b3bb-485c-9029-fbb409dd7552', 5, 'CHF', 1000, 1, 1000, '\xfa57c8809d5d5f0323d8c806409911d8ab5ef6052d858f172fe3f101b81b933c'),
	(9, '67282217-bee3-44bf-b55d-297b62222ba5', 1, 'CHF', -200, 2, 800, '\x4e67baff7819c0200d70ff32c864b47a21c876f2e8ec93dc6f3ad87ce93e9595'),
	(10, '67282217-bee3-44bf-b55d-297b62222ba5', 6, 'CHF', 200, 1, 200, '\xa81cdc2c1abd210810a25ab853945beff4a81d4cc800cfa177cd2759e5b083a3'),
	(11, 'f5456bcd-d6da-41da-861b-329bbe06507d', 3, 'CHF', -200, 2, 800, '\x545a55abffa8567c4d8a2db56a1101a52707e7a62e3a0126d8e76b01a598b632'),
	(12, 'f5456bcd-d6da-41da-861b-329bbe06507d', 6, 'CHF', 200, 2, 400, '\x4ccefbec78622d7f3b9c87bd42d89abd369f6463b3bbe71580e6fee8726963fe'),
	(13, '5ee16efe-d9d2-400a-8f5e-82f7315a673c', 4, 'CHF', -200, 2, 800, '\xa4e2596b3cccb0a536e73693448a23cb2645cfa1ea37b64adbf0a00cf5ee9be5'),
	(14, '5ee16efe-d9d2-400a-8f5e-82f7315a673c', 6, 'CHF', 200, 3, 600, '\x099e104c02568844a396cc5bd6e4c5db6da46b2cbc0ed7ba37aa46f3101b5a85'),
	(15, 'ac17d293-3988-4057-b89f-869edcc8d7cb', 5, 'CHF', -200, 2, 800, '\x6fb85b03cd67c9b210dcba5487282728bc9cf4e84ae4ae70ba6f15fc8afb0b25'),
	(16, 'ac17d293-3988-4057-b89f-869edcc8d7cb', 6, 'CHF', 200, 4, 800, '\xb84b38b9d3899218b7696278fc257ad945e08a8ea010f0a4bc758dae3637a042'),
	(17, '4097202e-eaa2-4059-9d32-84f9fbe96958', 3, 'CHF', 390, 3, 1190, '\x3881b02f39552ba3c43beb26fe2610311ed4f08eef3fc3e30c771ae4b57bddc5'),
	(18, '4097202e-eaa2-4059-9d32-84f9fbe96958', 5, 'CHF', 390, 3, 1190, '\x21dbfea53096912e48a1d5cf178db275d81e7054882efe8481a3a590115e05b9'),
	(19, '4097202e-eaa2-4059-9d32-84f9fbe96958', 6, 'CHF', -800, 5, 0, '\x6888900cd8afd781bee254a5c6ca99b3a3085043d6937c88ae3402cc078298cf'),
	(20, '4097202e-eaa2-4059-9d32-84f9fbe96958', 7, 'CHF', 20, NULL, NULL, NULL),
	(21, '2d5e5cd0-d7eb-4bbc-8d93-3a5c47d34823', 2, 'CHF', -1000, NULL, NULL, NULL),
	(22, '2d5e5cd0-d7eb-4bbc-8d93-3a5c47d34823', 8, 'CHF', 1000, 1, 1000, '\x7ebe41d3d9d9df03e69513516d6acbec99974e80991ce6f303f9f67631fab4e3'),
	(23, '6d40c03a-5023-44f8-86a2-f65513c2cf33', 2, 'CHF', -1000, NULL, NULL, NULL),
	(24, '6d40c03a-5023-44f8-86a2-f65513c2cf33', 9, 'CHF', 1000, 1, 1000, '\x4cb4e969c16917fae84b1198bff403ed1d4e491de9f15a295ec13a2f8ad7fbe4'),
	(25, '29f48e57-2fd3-4155-9fd2-5d13c858342d', 2, 'CHF', -1000, NULL, NULL, NULL),
	(26, '29f48e57-2fd3-4155-9fd2-5d13c858342d', 10, 'CHF', 1000, 1, 1000, '\x35a24b32fb3a002e373e6479e45f11d8c54a37f0628c48bd28d5d84beeca3e93'),
	(27, 'ea7b8442-b9f4-4a66-ae26-49af99e71af3', 2, 'CHF', -1000, NULL, NULL, NULL),
	(28, 'ea7b8442-b9f4-4a66-ae26-49af99e71af3', 11, 'CHF', 1000, 1, 1000, '\xf4a2025b865b979b47f2255e091249d2311f694620cd7ca8e159463479b3b983'),
	(29, 'd254469e-5bc7-44c7-9ae5-d3e460746ac6', 8, 'CHF', -200, 2, 800, '\x7de5f6aacc1eae14afef45034db14a663c84d4aef1082e942be79e54870950ee'),
	(30, 'd254469e-5bc7-44c7-9ae5-d3e460746ac6', 12, 'CHF', 200, 1, 200, '\x0f23213fe0c94a5479cf103493f7a8a33d13b3ff33216735f0d00e8a5f6d2e95'),
	(31, 'd8f5081e-ddaa-4d43-a0c9-e3a4c04feeca', 9, 'CHF', -200, 2, 800, '\x2f318e9bb4a2f57c4833441beb3489d9111c1651ccbfa5520da71449c210fce8'),
	(32, 'd8f5081e-ddaa-4d43-a0c9-e3a4c04feeca', 12, 'CHF', 200, 2, 400, '\x36f6bbb523f226f5f3ec480e8785b1cd2a80a5dfcae4e183df351f7ba05f38e4'),
	(33, 'ba374aed-16ae-4cca-a0de-2792b68939a6', 10, 'CHF', -200, 2, 800, '\x0563f0cdfeb77dca18e0e0d63d6dab8d3c1a8025ad1d751c47834a99bbea2dbc'),
	(34, 'ba374aed-16ae-4cca-a0de-2792b68939a6', 12, 'CHF', 200, 3, 600, '\xb896d6cc04b19527ed374364fdde7f4af792471d1404f0a0861e579ed40bf038'),
	(35, '6dddc35f-6086-49a9-8f62-6ace87de1481', 11, 'CHF', -200, 2, 800, '\x9d8bca7b4924073432c2f3309953990afe1cc8df3f50d7063756da38f90aebc1'),
	(36, '6dddc35f-6086-49a9-8f62-6ace87de1481', 12, 'CHF', 200, 4, 800, '\x410454cb133e2d563662550e89d950ce5a859c739a108690feac7fe2ffe32325'),
	(37, 'b2892334-b650-4618-b97c-bf8c8aac5c97', 2, 'CHF', -1000, NULL, NULL, NULL),
	(38, 'b2892334-b650-4618-b97c-bf8c8aac5c97', 13, 'CHF', 1000, 1, 1000, '\x6111945e281c96c8d1cba1402a26180e01689f19310460de4752380ab453c2b5'),
	(39, '6ed3b67c-5e57-4a95-b578-c746cd0d7580', 2, 'CHF', -1000, NULL, NULL, NULL),
	(40, '6ed3b67c-5e57-4a95-b578-c746cd0d7580', 14, 'CHF', 1000, 1, 1000, '\x2c735d8c574a4e17348d4c5d36dea33e46b7d57770ff903ffe27e59f5bf6e42e'),
	(41, 'd3f19e91-9106-44bc-9c48-17019019c0d5', 2, 'CHF', -1000, NULL, NULL, NULL),
	(42, 'd3f19e91-9106-44bc-9c48-17019019c0d5', 15, 'CHF', 1000, 1, 1000, '\xe6ce934deedde4abca967ba72496c2c0d4881a9aa592692dce49d7353aacf416'),
	(43, 'fbe69142-3a48-4092-8757-cb33a00d256e', 2, 'CHF', -1000, NULL, NULL, NULL),
	(44, 'fbe69142-3a48-4092-8757-cb33a00d256e', 16, 'CHF', 1000, 1, 1000, '\x747d2545bd917e22a85570581ca07103fd4ff6428b2a34760b6929e9735b6a2a'),
	(45, '0a1dded2-cd25-4d29-a74a-ee5b033d4956', 13, 'CHF', -200, 2, 800, '\x8520e2b603e483c6b93260d6614a214bbe126761cc24ef5e7edd25480c2f7303'),
	(46, '0a1dded2-cd25-4d29-a74a-ee5b033d4956', 17, 'CHF', 200, 1, 200, '\x5d3de06176cce6664b5388685e272318bba879c24c6722c28990492ba805c560'),
	(47, 'd56ea67d-0041-49cd-889f-d69316379dc1', 14, 'CHF', -200, 2, 800, '\x4efe99d036a716d4653812d6e63375b868b41e26076e37224296031544e39b22'),
	(48, 'd56ea67d-0041-49cd-889f-d69316379dc1', 17, 'CHF', 200, 2, 400, '\x9fe84192f796fcf2294d4211669f98b028c4357ae557d9a2f7a9fbc76488592e'),
	(49, '69ee6020-4477-43e9-b2e1-c3ef4770271e', 15, 'CHF', -200, 2, 800, '\xe4f461661743f7a57d8b308da7017ed7e233d1bad0fa24e52b20ad3cfadbafd3'),
	(50, '69ee6020-4477-43e9-b2e1-c3ef4770271e', 17, 'CHF', 200, 3, 600, '\x1bbb18557325ad2174eeebdc182e7b2a6831c8fe2e7a90f9cc913b10a02c07b7'),
	(51, '89bc80e0-ff56-4c78-9157-fe2225e381d0', 16, 'CHF', -200, 2, 800, '\xc1e2b78a9b63bb7506399b0107be04285861a4dd8d7f64c040497de6f39dbcae'),
	(52, '89bc80e0-ff56-4c78-9157-fe2225e381d0', 17, 'CHF', 200, 4, 800, '\x51e5b55dd0ebf5a9e8f60129ac4771791a7f3ad69dfa989685eb7be3d055bb6a'),
	(53, '6b0e9c5a-cb94-45de-bcac-f5b55ef7df97', 2, 'CHF', -1000, NULL, NULL, NULL),
	(54, '6b0e9c5a-cb94-45de-bcac-f5b55ef7df97', 18, 'CHF', 1000, 1, 1000, '\x2f42d34e1db24a5419ce188a4aad19a8b3ac2a39963ef72152f9f78244b8bccd'),
	(55, 'f9d25dcd-bbad-4f67-b945-70518b9bb08b', 2, 'CHF', -1000, NULL, NULL, NULL),
	(56, 'f9d25dcd-bbad-4f67-b945-70518b9bb08b', 19, 'CHF', 1000, 1, 1000, '\xd29fe279d556b48a059db6efe58cff3525b038c9522bb24218353d85eddd8f0a'),
	(57, 'bdea7205-ae0d-4ec1-ad37-41dd54b9f19f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(58, 'bdea7205-ae0d-4ec1-ad37-41dd54b9f19f', 20, 'CHF', 1000, 1, 1000, '\x7e816b1b531fd42670020a8a65055e1704a4e8c63ffd4a9f32287ed9f3f3bb92'),
	(59, '436802e1-2f9e-4dbc-944c-a0c4ad7fe129', 2, 'CHF', -1000, NULL, NULL, NULL),
	(60, '436802e1-2f9e-4dbc-944c-a0c4ad7fe129', 21, 'CHF', 1000, 1, 1000, '\x8fb66a8f6e85201af44929bdbf4ddd4bbb6841d279fa6a810a92e84f4c17173d'),
	(61, '99e0665e-c17b-4c23-8b02-b4997225b15e', 18, 'CHF', -200, 2, 800, '\xea1a85522bd0dcac37170571a77df6f548c054f3f16c819bf4fa85cd7cad62f6'),
	(62, '99e0665e-c17b-4c23-8b02-b4997225b15e', 22, 'CHF', 200, 1, 200, '\x9b0e3582634975b1297e8a1b671a7553afaea650be7e15b302ba396b2360223c'),
	(63, '141f0116-d7da-4d97-8b4d-df769a43b816', 19, 'CHF', -200, 2, 800, '\x2cbc88bb85bb5160539e4b578bbbee1a2bfaf2b3b90285c314053949b487c1db'),
	(64, '141f0116-d7da-4d97-8b4d-df769a43b816', 22, 'CHF', 200, 2, 400, '\xa8704c3927e6f4b07fdd4f496e66cc23b0746d5571c8b2874d5c987945869cfa'),
	(65, '38b1c17a-9942-4d8d-9851-51fd631aca95', 20, 'CHF', -200, 2, 800, '\xbb0d458335d1d433d15903916f4253092981b21c6aaa5ec5bdc6b2c92132bce2'),
	(66, '38b1c17a-9942-4d8d-9851-51fd631aca95', 22, 'CHF', 200, 3, 600, '\x17da0c7937dc092bd8620e4c55fdca56d7501e169a5d08c957be4f427c8b724a'),
	(67, 'a315a001-0a17-43e5-8673-fa5246fd6559', 21, 'CHF', -200, 2, 800, '\x0dbee46aea1a5a2ebf7ce606c87e8a160ccedb163a468b0c9e4abeb46c4eb905'),
	(68, 'a315a001-0a17-43e5-8673-fa5246fd6559', 22, 'CHF', 200, 4, 800, '\xd54c1ff977831b2d34a0ddc807d524b28072a3fced0d66734acd3d307e8e7d97'),
	(69, 'b6af23fc-c698-429f-9445-71ef55b6e340', 2, 'CHF', -1000, NULL, NULL, NULL),
	(70, 'b6af23fc-c698-429f-9445-71ef55b6e340', 23, 'CHF', 1000, 1, 1000, '\x02ad0c8acbabe5889dee8a76f6f766f302c54682bad7a5c94c6a22cd694bf8ff'),
	(71, 'bd0f19c6-b619-470d-b5f0-07a3ba931540', 2, 'CHF', -1000, NULL, NULL, NULL),
	(72, 'bd0f19c6-b619-470d-b5f0-07a3ba931540', 24, 'CHF', 1000, 1, 1000, '\x2601763c6ff42ca16de6c89f7ce028ab719f665546e8a3178f6061bae24756aa'),
	(73, 'deb4b084-6609-4df6-a7c2-4208ad8f8d8b', 23, 'CHF', -200, 2, 800, '\x36b7dd40c9771f8aec697527bb68ce07f72007445e8f5c6d4fca1d9dcbd693de'),
	(74, 'deb4b084-6609-4df6-a7c2-4208ad8f8d8b', 25, 'CHF', 200, 1, 200, '\x29d443e154ef1872041db4dd2b3d3416be7c992af731b06b3ce5394490293e93'),
	(79, '2af2cf1a-b292-4fb8-a16a-5b449147553e', 2, 'CHF', -1000, NULL, NULL, NULL),
	(80, '2af2cf1a-b292-4fb8-a16a-5b449147553e', 27, 'CHF', 1000, 1, 1000, '\x364b968a8c35cb051e5969d0db92e841e97d3913dcf6adb178b2dcc08a833e62'),
	(75, 'f778d532-5141-4973-9363-96ab4ab3b05b', 24, 'CHF', -200, 2, 800, '\x07ea9ef97a8e9f22b68756bd456b6d2b82cd8661da1e152ea47ce965fda47c58'),
	(76, 'f778d532-5141-4973-9363-96ab4ab3b05b', 25, 'CHF', 200, 2, 400, '\x465a8fc9877973e13341a81029bdbd79efa848c54575b5518f794d8d5a6c71fd'),
	(81, 'b7d6bdb0-8adf-4f28-bbe4-b536d75841fa', 2, 'CHF', -1000, NULL, NULL, NULL),
	(82, 'b7d6bdb0-8adf-4f28-bbe4-b536d75841fa', 28, 'CHF', 1000, 1, 1000, '\x925a696d6d067e54fd86b1f477d3d5bb27831e66b84a09e3409d90749043f8fe'),
	(85, '127fe409-9201-4bb5-a091-6865a06539ac', 26, 'CHF', -200, 2, 800, '\xef3b20625feaafdd415071e194bf616a9c6ca860c0aad70e198e3c98dae15b8e'),
	(86, '127fe409-9201-4bb5-a091-6865a06539ac', 30, 'CHF', 200, 1, 200, '\xe67a44768a178f59945a97c2d38a539c84161ba76f5fd5dbabfa9d012c38f256'),
	(89, '59924978-35b9-4640-a7bc-b39b8ee27607', 28, 'CHF', -200, 2, 800, '\x2c2b50932df2dd4386ec7b43f0c92bd54494da7491b0385fbed904f13720b90a'),
	(90, '59924978-35b9-4640-a7bc-b39b8ee27607', 30, 'CHF', 200, 3, 600, '\xde727234de198c0e68527e6fa099c34fe4a2d49008477e7bd3b0b94530346ea0'),
	(77, 'f66f577d-25aa-4b57-8090-be78e3da5fc7', 2, 'CHF', -1000, NULL, NULL, NULL),
	(78, 'f66f577d-25aa-4b57-8090-be78e3da5fc7', 26, 'CHF', 1000, 1, 1000, '\xf0115d0064448146796bc4cd3735170b26297901ecfdd13eedc9ed522c0f4f77'),
	(83, '91aef8fe-f6eb-483c-ba55-5acb35ffb8fa', 2, 'CHF', -1000, NULL, NULL, NULL),
	(84, '91aef8fe-f6eb-483c-ba55-5acb35ffb8fa', 29, 'CHF', 1000, 1, 1000, '\x6d3054f3e92e75e103affb46587d8c5454e3dc89b82ec601a4722ceff4f9e56e'),
	(87, 'f3c084f6-3426-44b0-b7e9-634db2a30bd2', 27, 'CHF', -200, 2, 800, '\x5c1f0e4610edf4f6460e25ed96a25b5c56b4ade09c9a8801d5d22c2273339c14'),
	(88, 'f3c084f6-3426-44b0-b7e9-634db2a30bd2', 30, 'CHF', 200, 2, 400, '\x65077c77b1b407565ae0a24eef10da688c1b843ce32608438dc7c968ca393b83'),
	(91, '8f101798-7539-4164-9b70-cb746a768050', 29, 'CHF', -200, 2, 800, '\x2468820370e90c9bd49c5aaa37441cd2a4e8ee7b91467cfb92c431057bf104a5'),
	(92, '8f101798-7539-4164-9b70-cb746a768050', 30, 'CHF', 200, 4, 800, '\x0b0ffcabe4c20be7f62accbeb4f70539e76e36bcac7e8cc21f3bee7b2b516b09');



INSERT INTO wallet.fee_schedule OVERRIDING SYSTEM VALUE VALUES
	(1, '', 250, 0, NULL, '2026-12-01 05:29:11.472975+00', NULL, '', NULL);






INSERT INTO wallet.hold VALUES
	('0b44504f-1280-5973-95de-a024b79bf318', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 1, 'player-2faf8962-2109-478d-9b7e-f29bb128616f', 3, 'PAID', NULL, 390, '2026-12-01 05:29:14.205972+00'),
	('c3d8101b-cc8f-5510-b7f0-7eccf72c8608', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 0, 'player-84f24374-ca92-4fff-b2b2-8ad39670d8ca', 1, 'PAID', NULL, NULL, '2026-12-01 05:29:14.173716+00'),
	('78ebdadb-52b0-5fd6-932e-df339a7f1ccd', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 2, 'player-928ef9d3-8fed-4597-803e-8b9241b60401', 4, 'PAID', NULL, NULL, '2026-12-01 05:29:14.283996+00'),
	('61707b9d-290a-54d6-9c39-fe923c87c941', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 3, 'player-b59a0371-3b41-428e-ad13-47c2f84b535c', 5, 'PAID', NULL, 390, '2026-12-01 05:29:14.332978+00'),
	('169a5d94-6674-5745-a7d6-f556cb21af02', '4872f3b5-baf8-4418-b7be-f34f09d991b0', 0, 'player-a4b224e3-5089-496f-9856-e06d172227b2', 8, 'HELD', NULL, NULL, '2026-12-01 05:29:15.630394+00'),
	('da5c29b4-d7d2-5b7f-8b7f-36c3e39df54c', '4872f3b5-baf8-4418-b7be-f34f09d991b0', 1, 'player-97a50340-e8dc-4e40-9336-c28d7250fdfe', 9, 'HELD', NULL, NULL, '2026-12-01 05:29:15.672477+00'),
	('48f6cf11-45a7-5ec6-ba6e-d317434c655c', '4872f3b5-baf8-4418-b7be-f34f09d991b0', 2, 'player-2fa7db93-f32e-40cf-b658-afec5706297f', 10, 'HELD', NULL, NULL, '2026-12-01 05:29:15.707426+00'),
	('0c3caa93-e2df-5f89-a94f-26bcb660f27a', '4872f3b5-baf8-4418-b7be-f34f09d991b0', 3, 'player-b2382b6c-d2b2-4aff-b14f-9939d92599cb', 11, 'HELD', NULL, NULL, '2026-12-01 05:29:15.738307+00'),
	('dbb518d0-8880-5351-8db2-da02511d954e', '88938e5c-2f48-4122-ab47-a075a6ba0086', 0, 'player-cc4ca9b4-1413-4d88-8ac1-56600a56cf0d', 13, 'HELD', NULL, NULL, '2026-12-01 05:29:16.334966+00'),
	('d9feab0c-8e23-5d53-aa55-98212982aaee', '88938e5c-2f48-4122-ab47-a075a6ba0086', 1, 'player-32234c6c-c3f4-4281-9494-e23f4b9fb980', 14, 'HELD', NULL, NULL, '2026-12-01 05:29:16.405436+00'),
	('1b97ce7c-91e5-5ee7-936a-422b56f61e0d', '88938e5c-2f48-4122-ab47-a075a6ba0086', 2, 'player-0019be12-4523-48af-bd10-a2626b24b28e', 15, 'HELD', NULL, NULL, '2026-12-01 05:29:16.452748+00'),
	('74965fbc-063f-5c9a-a256-7c0c507e74a2', '88938e5c-2f48-4122-ab47-a075a6ba0086', 3, 'player-dca021e9-9ff9-49da-aa77-142106823032', 16, 'HELD', NULL, NULL, '2026-12-01 05:29:16.504545+00'),
	('6d276d06-8653-588d-8e90-b782237a6bba', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', 0, 'player-7d33bdaf-63de-4d07-98b1-12357918e8a0', 18, 'HELD', NULL, NULL, '2026-12-01 05:29:16.904804+00'),
	('881f0867-3aa9-5dd1-aad0-1e0bf7b3a6c7', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', 1, 'player-2dccdd90-b3fe-4e8a-8cd5-24a95a539ad3', 19, 'HELD', NULL, NULL, '2026-12-01 05:29:16.964932+00'),
	('f5893255-a753-512a-8b7c-1da49958932f', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', 2, 'player-a6b63649-dcfc-40aa-b79e-26c7203704b9', 20, 'HELD', NULL, NULL, '2026-12-01 05:29:16.993662+00'),
	('b700383a-286d-5acd-8c48-b33b520f8f0b', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', 3, 'player-1704b450-3eca-4b84-9cb3-0a4079eff71b', 21, 'HELD', NULL, NULL, '2026-12-01 05:29:17.021643+00'),
	('796445a3-84ef-5c65-bab7-5816e1403902', '1d92d481-f1c8-477b-a34a-ae269464dc24', 0, 'player-727bfd28-e538-4b78-9a21-bebea409ad20', 23, 'HELD', NULL, NULL, '2026-12-01 05:29:17.240425+00'),
	('5f7c7378-62eb-5056-9469-10fc33917e17', '1d92d481-f1c8-477b-a34a-ae269464dc24', 1, 'player-dbf9b937-a835-4a39-8f97-0ebc2dff83ff', 24, 'HELD', NULL, NULL, '2026-12-01 05:29:17.307564+00'),
	('5e38a435-33df-5821-bb8c-1542099e1f41', '407944b6-79fe-4079-b695-203767b8fe6d', 0, 'player-465a3550-acc5-428c-8fbb-616343d104d9', 26, 'HELD', NULL, NULL, '2026-12-01 05:29:17.425521+00'),
	('2fc04db3-086c-5f24-8800-8af737a99b25', '407944b6-79fe-4079-b695-203767b8fe6d', 1, 'player-418caab6-313f-4211-8b86-0e18f8be2adf', 27, 'HELD', NULL, NULL, '2026-12-01 05:29:17.461423+00'),
	('c19c64a3-6f45-59c7-a111-6dc897a5d28d', '407944b6-79fe-4079-b695-203767b8fe6d', 2, 'player-a725e55e-4408-4c31-842c-b614b88d58f3', 28, 'HELD', NULL, NULL, '2026-12-01 05:29:17.54498+00'),
	('edc543e5-5852-5df1-a2f8-35d57b55aeb2', '407944b6-79fe-4079-b695-203767b8fe6d', 3, 'player-4f2d3fa1-d5e9-4c18-a53b-a992875ce2ba', 29, 'HELD', NULL, NULL, '2026-12-01 05:29:17.573555+00');



INSERT INTO wallet.idempotency VALUES
	('default', 'd7e8a100-f5eb-41a9-8e1c-491e2a7264f1', '\x8d69ed15f430b7f2541a93e172a15822e6a87f85e06212b4785dfd30043afc2f', 1, '2026-12-01 05:29:14.046469+00'),
	('default', '1155525d-fdb3-4901-a1d1-17cb1d41fe2c', '\x3a3381167a00c414c08948eeb4635499d402f441234a389ae9185ab0e617ee8e', 4, '2026-12-01 05:29:14.098555+00'),
	('default', '8c39f97f-7b0e-4aa6-87a1-26b71f654254', '\x000f106164a0abe897687a201c43249d24304923e9382345ea45b086d9dd54c3', 6, '2026-12-01 05:29:14.115631+00'),
	('default', '41680c27-7c4b-424c-b0e3-37073cd60cb9', '\xe17122b174564219a45493aa3ba6b62969e672a42e1c90a5e6fef890c58009d9', 8, '2026-12-01 05:29:14.136838+00'),
	('default', '23fece5a-65e0-4447-b233-6d03e3ff24e2', '\xe0d6ddca48b684ef3615ca9489cabeaad9534e16c2c3cb356d3f92869b1dbd0d', 22, '2026-12-01 05:29:15.562237+00'),
	('default', 'ff401096-1227-40b5-a586-13ca42ca7c66', '\xf0153bd49bf7126ecc6020d4c210dfcc265aea3f3421d5f670f3507dd33659bc', 24, '2026-12-01 05:29:15.585082+00'),
	('default', '2ed1ec62-4c65-4a6b-8c8b-45ea6ab439bc', '\x7ab9634a530dcd127e3266abac5a9334cfcb7e1d6b098d53700c4123ff2b897e', 26, '2026-12-01 05:29:15.597422+00'),
	('default', 'aa40f600-507c-428b-95db-09b7e4824eaf', '\x7b4a4ecaf2c05e355e2ab3f519b99fdcc506e83c4e9e7d5a53981ef3aaf0e77c', 28, '2026-12-01 05:29:15.601223+00'),
	('default', '0f2598a5-74c6-4137-80ae-1800d873f200', '\x251005c7610036c915f2a27354d6fce074aff44cb327456f2e5bcd0412a10c15', 38, '2026-12-01 05:29:16.18813+00'),
	('default', 'c29fff57-078d-4649-a76d-a7d4d3f83cf6', '\xbb0bb67aabd6db86235ed5d76d5c3f9ecf0e115ead9e40824d4798a5cd20a8b9', 40, '2026-12-01 05:29:16.226342+00'),
	('default', '31139135-ded4-467a-b747-ae90e67c8158', '\x8c1caf6caa42150e123c942fa301493477dcf5f517e1d18cd791e9def0e3a404', 42, '2026-12-01 05:29:16.248409+00'),
	('default', 'ae893b26-879a-43a7-98f7-042de3f37eb2', '\x16d9ba5ab76396c67213d454cb278ebba4a57679ceb6c3864f878c5a29e03e8b', 44, '2026-12-01 05:29:16.268115+00'),
	('default', 'f604bfe8-8c50-46b0-a407-e01633096a57', '\x8e734efbaa8abff17a4e69c2362d950a85e160aa8d79d01dabbd819a66ba9d6c', 54, '2026-12-01 05:29:16.705909+00'),
	('default', '885fe084-3e67-4b70-ac3c-2109fe208dbb', '\x3037ccc8f5a6734c804e972696b82003e2d39a450b0e655953f8ec168cf4b711', 56, '2026-12-01 05:29:16.720553+00'),
	('default', '2ca72f53-4e70-49d7-b113-4d409ad6b136', '\x9be66be7c834fb9ad6fe9760cce6d74561efda9cd9110f54ec9c7727eb127d2c', 58, '2026-12-01 05:29:16.740498+00'),
	('default', '0707950b-ae63-479b-8126-83b182305edd', '\x00e0a539b0c7f8d50c705e598ce50325f1e4b35f8c38202e5481662de51659eb', 60, '2026-12-01 05:29:16.766348+00'),
	('default', '067ba45d-762a-40eb-a147-3f097de19aaf', '\xff37efaa8d2699afb4903725661efef740a71e02b276d452fe8ae61e3ec712a3', 70, '2026-12-01 05:29:17.178015+00'),
	('default', 'c01c2558-744b-4d28-bc70-afb3c87a2af1', '\xb4028dbae27da30f9a1f0b91d076907fcb0ed417ce6970ef44a24e19d38251af', 72, '2026-12-01 05:29:17.195554+00'),
	('default', '47319463-80d5-4fc5-afeb-94deb49a1a8e', '\xe624a3c3bada4b4b348a13455ee7f3ebf80ffbdc8204733cb4342c92a443f9bf', 78, '2026-12-01 05:29:17.336039+00'),
	('default', 'e1b3a1b0-7749-4f4a-b1cf-452f04f2ec68', '\xf98441f3bff3342c04fdb5d8a403f142da08fba385d7a694114df8967284b8c8', 80, '2026-12-01 05:29:17.347887+00'),
	('default', '75b311ea-3664-4d1d-a9f8-19813a44bb78', '\x795bc6ce8f8f38d3e5522b41fb39d80bad993a81d51cd105c23f4d72a98f765b', 82, '2026-12-01 05:29:17.364046+00'),
	('default', '4868e9dc-c7fc-4b2e-a30b-28444f3e0b7c', '\xf0cc6f77e605db43f549d2ecc1a1a22f5b8105cd38c9da8c3b8587c9de012cd9', 84, '2026-12-01 05:29:17.370621+00');



INSERT INTO wallet.journal VALUES
	('234a6801-7ada-47d2-b4c4-7a449f24f0c2', 'deposit', NULL, '', '2026-12-01 05:29:14.075341+00', '771', 'default', 'd7e8a100-f5eb-41a9-8e1c-491e2a7264f1', 'operator', 'default'),
	('f61740cc-0067-4097-b4aa-68981d252c82', 'deposit', NULL, '', '2026-12-01 05:29:14.10736+00', '773', 'default', '1155525d-fdb3-4901-a1d1-17cb1d41fe2c', 'operator', 'default'),
	('62a0da3d-eee7-4e13-8742-d77cc3ee3ba5', 'deposit', NULL, '', '2026-12-01 05:29:14.117713+00', '774', 'default', '8c39f97f-7b0e-4aa6-87a1-26b71f654254', 'operator', 'default'),
	('6ac7fd7f-b3bb-485c-9029-fbb409dd7552', 'deposit', NULL, '', '2026-12-01 05:29:14.137501+00', '775', 'default', '41680c27-7c4b-424c-b0e3-37073cd60cb9', 'operator', 'default'),
	('67282217-bee3-44bf-b55d-297b62222ba5', 'stake', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', '', '2026-12-01 05:29:14.174386+00', '778', NULL, NULL, NULL, NULL),
	('f5456bcd-d6da-41da-861b-329bbe06507d', 'stake', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', '', '2026-12-01 05:29:14.206416+00', '780', NULL, NULL, NULL, NULL),
	('5ee16efe-d9d2-400a-8f5e-82f7315a673c', 'stake', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', '', '2026-12-01 05:29:14.284472+00', '781', NULL, NULL, NULL, NULL),
	('ac17d293-3988-4057-b89f-869edcc8d7cb', 'stake', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', '', '2026-12-01 05:29:14.333236+00', '782', NULL, NULL, NULL, NULL),
	('4097202e-eaa2-4059-9d32-84f9fbe96958', 'payout', '5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', '', '2026-12-01 05:29:15.478392+00', '788', NULL, NULL, NULL, NULL),
	('2d5e5cd0-d7eb-4bbc-8d93-3a5c47d34823', 'deposit', NULL, '', '2026-12-01 05:29:15.562978+00', '791', 'default', '23fece5a-65e0-4447-b233-6d03e3ff24e2', 'operator', 'default'),
	('6d40c03a-5023-44f8-86a2-f65513c2cf33', 'deposit', NULL, '', '2026-12-01 05:29:15.585824+00', '792', 'default', 'ff401096-1227-40b5-a586-13ca42ca7c66', 'operator', 'default'),
	('29f48e57-2fd3-4155-9fd2-5d13c858342d', 'deposit', NULL, '', '2026-12-01 05:29:15.598046+00', '794', 'default', '2ed1ec62-4c65-4a6b-8c8b-45ea6ab439bc', 'operator', 'default'),
	('ea7b8442-b9f4-4a66-ae26-49af99e71af3', 'deposit', NULL, '', '2026-12-01 05:29:15.601896+00', '795', 'default', 'aa40f600-507c-428b-95db-09b7e4824eaf', 'operator', 'default'),
	('d254469e-5bc7-44c7-9ae5-d3e460746ac6', 'stake', '4872f3b5-baf8-4418-b7be-f34f09d991b0', '', '2026-12-01 05:29:15.630654+00', '798', NULL, NULL, NULL, NULL),
	('d8f5081e-ddaa-4d43-a0c9-e3a4c04feeca', 'stake', '4872f3b5-baf8-4418-b7be-f34f09d991b0', '', '2026-12-01 05:29:15.672739+00', '800', NULL, NULL, NULL, NULL),
	('ba374aed-16ae-4cca-a0de-2792b68939a6', 'stake', '4872f3b5-baf8-4418-b7be-f34f09d991b0', '', '2026-12-01 05:29:15.707652+00', '801', NULL, NULL, NULL, NULL),
	('6dddc35f-6086-49a9-8f62-6ace87de1481', 'stake', '4872f3b5-baf8-4418-b7be-f34f09d991b0', '', '2026-12-01 05:29:15.738569+00', '802', NULL, NULL, NULL, NULL),
	('b2892334-b650-4618-b97c-bf8c8aac5c97', 'deposit', NULL, '', '2026-12-01 05:29:16.188775+00', '808', 'default', '0f2598a5-74c6-4137-80ae-1800d873f200', 'operator', 'default'),
	('6ed3b67c-5e57-4a95-b578-c746cd0d7580', 'deposit', NULL, '', '2026-12-01 05:29:16.227347+00', '810', 'default', 'c29fff57-078d-4649-a76d-a7d4d3f83cf6', 'operator', 'default'),
	('d3f19e91-9106-44bc-9c48-17019019c0d5', 'deposit', NULL, '', '2026-12-01 05:29:16.249044+00', '811', 'default', '31139135-ded4-467a-b747-ae90e67c8158', 'operator', 'default'),
	('fbe69142-3a48-4092-8757-cb33a00d256e', 'deposit', NULL, '', '2026-12-01 05:29:16.268889+00', '812', 'default', 'ae893b26-879a-43a7-98f7-042de3f37eb2', 'operator', 'default'),
	('0a1dded2-cd25-4d29-a74a-ee5b033d4956', 'stake', '88938e5c-2f48-4122-ab47-a075a6ba0086', '', '2026-12-01 05:29:16.335195+00', '815', NULL, NULL, NULL, NULL),
	('d56ea67d-0041-49cd-889f-d69316379dc1', 'stake', '88938e5c-2f48-4122-ab47-a075a6ba0086', '', '2026-12-01 05:29:16.405678+00', '817', NULL, NULL, NULL, NULL),
	('69ee6020-4477-43e9-b2e1-c3ef4770271e', 'stake', '88938e5c-2f48-4122-ab47-a075a6ba0086', '', '2026-12-01 05:29:16.453001+00', '818', NULL, NULL, NULL, NULL),
	('89bc80e0-ff56-4c78-9157-fe2225e381d0', 'stake', '88938e5c-2f48-4122-ab47-a075a6ba0086', '', '2026-12-01 05:29:16.50479+00', '819', NULL, NULL, NULL, NULL),
	('6b0e9c5a-cb94-45de-bcac-f5b55ef7df97', 'deposit', NULL, '', '2026-12-01 05:29:16.706289+00', '825', 'default', 'f604bfe8-8c50-46b0-a407-e01633096a57', 'operator', 'default'),
	('f9d25dcd-bbad-4f67-b945-70518b9bb08b', 'deposit', NULL, '', '2026-12-01 05:29:16.721249+00', '826', 'default', '885fe084-3e67-4b70-ac3c-2109fe208dbb', 'operator', 'default'),
	('bdea7205-ae0d-4ec1-ad37-41dd54b9f19f', 'deposit', NULL, '', '2026-12-01 05:29:16.741198+00', '827', 'default', '2ca72f53-4e70-49d7-b113-4d409ad6b136', 'operator', 'default'),
	('436802e1-2f9e-4dbc-944c-a0c4ad7fe129', 'deposit', NULL, '', '2026-12-01 05:29:16.768595+00', '828', 'default', '0707950b-ae63-479b-8126-83b182305edd', 'operator', 'default'),
	('99e0665e-c17b-4c23-8b02-b4997225b15e', 'stake', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', '', '2026-12-01 05:29:16.905054+00', '831', NULL, NULL, NULL, NULL),
	('141f0116-d7da-4d97-8b4d-df769a43b816', 'stake', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', '', '2026-12-01 05:29:16.965176+00', '833', NULL, NULL, NULL, NULL),
	('38b1c17a-9942-4d8d-9851-51fd631aca95', 'stake', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', '', '2026-12-01 05:29:16.993961+00', '834', NULL, NULL, NULL, NULL),
	('a315a001-0a17-43e5-8673-fa5246fd6559', 'stake', 'f2bf62f8-3263-420d-94f8-3b22185d22bf', '', '2026-12-01 05:29:17.021877+00', '835', NULL, NULL, NULL, NULL),
	('b6af23fc-c698-429f-9445-71ef55b6e340', 'deposit', NULL, '', '2026-12-01 05:29:17.178381+00', '840', 'default', '067ba45d-762a-40eb-a147-3f097de19aaf', 'operator', 'default'),
	('bd0f19c6-b619-470d-b5f0-07a3ba931540', 'deposit', NULL, '', '2026-12-01 05:29:17.196279+00', '841', 'default', 'c01c2558-744b-4d28-bc70-afb3c87a2af1', 'operator', 'default'),
	('deb4b084-6609-4df6-a7c2-4208ad8f8d8b', 'stake', '1d92d481-f1c8-477b-a34a-ae269464dc24', '', '2026-12-01 05:29:17.240687+00', '844', NULL, NULL, NULL, NULL),
	('f778d532-5141-4973-9363-96ab4ab3b05b', 'stake', '1d92d481-f1c8-477b-a34a-ae269464dc24', '', '2026-12-01 05:29:17.30785+00', '846', NULL, NULL, NULL, NULL),
	('f66f577d-25aa-4b57-8090-be78e3da5fc7', 'deposit', NULL, '', '2026-12-01 05:29:17.336801+00', '847', 'default', '47319463-80d5-4fc5-afeb-94deb49a1a8e', 'operator', 'default'),
	('2af2cf1a-b292-4fb8-a16a-5b449147553e', 'deposit', NULL, '', '2026-12-01 05:29:17.348208+00', '848', 'default', 'e1b3a1b0-7749-4f4a-b1cf-452f04f2ec68', 'operator', 'default'),
	('b7d6bdb0-8adf-4f28-bbe4-b536d75841fa', 'deposit', NULL, '', '2026-12-01 05:29:17.364508+00', '849', 'default', '75b311ea-3664-4d1d-a9f8-19813a44bb78', 'operator', 'default'),
	('91aef8fe-f6eb-483c-ba55-5acb35ffb8fa', 'deposit', NULL, '', '2026-12-01 05:29:17.371264+00', '850', 'default', '4868e9dc-c7fc-4b2e-a30b-28444f3e0b7c', 'operator', 'default'),
	('127fe409-9201-4bb5-a091-6865a06539ac', 'stake', '407944b6-79fe-4079-b695-203767b8fe6d', '', '2026-12-01 05:29:17.425723+00', '853', NULL, NULL, NULL, NULL),
	('f3c084f6-3426-44b0-b7e9-634db2a30bd2', 'stake', '407944b6-79fe-4079-b695-203767b8fe6d', '', '2026-12-01 05:29:17.461706+00', '855', NULL, NULL, NULL, NULL),
	('59924978-35b9-4640-a7bc-b39b8ee27607', 'stake', '407944b6-79fe-4079-b695-203767b8fe6d', '', '2026-12-01 05:29:17.545188+00', '856', NULL, NULL, NULL, NULL),
	('8f101798-7539-4164-9b70-cb746a768050', 'stake', '407944b6-79fe-4079-b695-203767b8fe6d', '', '2026-12-01 05:29:17.573776+00', '857', NULL, NULL, NULL, NULL);



INSERT INTO wallet.lineage OVERRIDING SYSTEM VALUE VALUES
	(1, '7714203413478083554-7cb004d8007e', '7714203413478083554/16387/16775', 1, '2026-12-01 05:29:11.465829+00');



INSERT INTO wallet.operator_act OVERRIDING SYSTEM VALUE VALUES
	(1, 'operator', 'default', 'deposit', 'd7e8a100-f5eb-41a9-8e1c-491e2a7264f1', 'default', 'player-84f24374-ca92-4fff-b2b2-8ad39670d8ca', '', '234a6801-7ada-47d2-b4c4-7a449f24f0c2', '2026-12-01 05:29:14.085578+00'),
	(2, 'operator', 'default', 'deposit', '1155525d-fdb3-4901-a1d1-17cb1d41fe2c', 'default', 'player-2faf8962-2109-478d-9b7e-f29bb128616f', '', 'f61740cc-0067-4097-b4aa-68981d252c82', '2026-12-01 05:29:14.109138+00'),
	(3, 'operator', 'default', 'deposit', '8c39f97f-7b0e-4aa6-87a1-26b71f654254', 'default', 'player-928ef9d3-8fed-4597-803e-8b9241b60401', '', '62a0da3d-eee7-4e13-8742-d77cc3ee3ba5', '2026-12-01 05:29:14.132363+00'),
	(4, 'operator', 'default', 'deposit', '41680c27-7c4b-424c-b0e3-37073cd60cb9', 'default', 'player-b59a0371-3b41-428e-ad13-47c2f84b535c', '', '6ac7fd7f-b3bb-485c-9029-fbb409dd7552', '2026-12-01 05:29:14.138115+00'),
	(5, 'operator', 'default', 'deposit', '23fece5a-65e0-4447-b233-6d03e3ff24e2', 'default', 'player-a4b224e3-5089-496f-9856-e06d172227b2', '', '2d5e5cd0-d7eb-4bbc-8d93-3a5c47d34823', '2026-12-01 05:29:15.563469+00'),
	(6, 'operator', 'default', 'deposit', 'ff401096-1227-40b5-a586-13ca42ca7c66', 'default', 'player-97a50340-e8dc-4e40-9336-c28d7250fdfe', '', '6d40c03a-5023-44f8-86a2-f65513c2cf33', '2026-12-01 05:29:15.586291+00'),
	(7, 'operator', 'default', 'deposit', '2ed1ec62-4c65-4a6b-8c8b-45ea6ab439bc', 'default', 'player-2fa7db93-f32e-40cf-b658-afec5706297f', '', '29f48e57-2fd3-4155-9fd2-5d13c858342d', '2026-12-01 05:29:15.598492+00'),
	(8, 'operator', 'default', 'deposit', 'aa40f600-507c-428b-95db-09b7e4824eaf', 'default', 'player-b2382b6c-d2b2-4aff-b14f-9939d92599cb', '', 'ea7b8442-b9f4-4a66-ae26-49af99e71af3', '2026-12-01 05:29:15.602301+00'),
	(9, 'operator', 'default', 'deposit', '0f2598a5-74c6-4137-80ae-1800d873f200', 'default', 'player-cc4ca9b4-1413-4d88-8ac1-56600a56cf0d', '', 'b2892334-b650-4618-b97c-bf8c8aac5c97', '2026-12-01 05:29:16.189239+00'),
	(10, 'operator', 'default', 'deposit', 'c29fff57-078d-4649-a76d-a7d4d3f83cf6', 'default', 'player-32234c6c-c3f4-4281-9494-e23f4b9fb980', '', '6ed3b67c-5e57-4a95-b578-c746cd0d7580', '2026-12-01 05:29:16.232356+00'),
	(11, 'operator', 'default', 'deposit', '31139135-ded4-467a-b747-ae90e67c8158', 'default', 'player-0019be12-4523-48af-bd10-a2626b24b28e', '', 'd3f19e91-9106-44bc-9c48-17019019c0d5', '2026-12-01 05:29:16.249486+00'),
	(12, 'operator', 'default', 'deposit', 'ae893b26-879a-43a7-98f7-042de3f37eb2', 'default', 'player-dca021e9-9ff9-49da-aa77-142106823032', '', 'fbe69142-3a48-4092-8757-cb33a00d256e', '2026-12-01 05:29:16.269394+00'),
	(13, 'operator', 'default', 'deposit', 'f604bfe8-8c50-46b0-a407-e01633096a57', 'default', 'player-7d33bdaf-63de-4d07-98b1-12357918e8a0', '', '6b0e9c5a-cb94-45de-bcac-f5b55ef7df97', '2026-12-01 05:29:16.706699+00'),
	(14, 'operator', 'default', 'deposit', '885fe084-3e67-4b70-ac3c-2109fe208dbb', 'default', 'player-2dccdd90-b3fe-4e8a-8cd5-24a95a539ad3', '', 'f9d25dcd-bbad-4f67-b945-70518b9bb08b', '2026-12-01 05:29:16.721714+00'),
	(15, 'operator', 'default', 'deposit', '2ca72f53-4e70-49d7-b113-4d409ad6b136', 'default', 'player-a6b63649-dcfc-40aa-b79e-26c7203704b9', '', 'bdea7205-ae0d-4ec1-ad37-41dd54b9f19f', '2026-12-01 05:29:16.741677+00'),
	(16, 'operator', 'default', 'deposit', '0707950b-ae63-479b-8126-83b182305edd', 'default', 'player-1704b450-3eca-4b84-9cb3-0a4079eff71b', '', '436802e1-2f9e-4dbc-944c-a0c4ad7fe129', '2026-12-01 05:29:16.768965+00'),
	(17, 'operator', 'default', 'deposit', '067ba45d-762a-40eb-a147-3f097de19aaf', 'default', 'player-727bfd28-e538-4b78-9a21-bebea409ad20', '', 'b6af23fc-c698-429f-9445-71ef55b6e340', '2026-12-01 05:29:17.178788+00'),
	(18, 'operator', 'default', 'deposit', 'c01c2558-744b-4d28-bc70-afb3c87a2af1', 'default', 'player-dbf9b937-a835-4a39-8f97-0ebc2dff83ff', '', 'bd0f19c6-b619-470d-b5f0-07a3ba931540', '2026-12-01 05:29:17.196791+00'),
	(19, 'operator', 'default', 'deposit', '47319463-80d5-4fc5-afeb-94deb49a1a8e', 'default', 'player-465a3550-acc5-428c-8fbb-616343d104d9', '', 'f66f577d-25aa-4b57-8090-be78e3da5fc7', '2026-12-01 05:29:17.340124+00'),
	(20, 'operator', 'default', 'deposit', 'e1b3a1b0-7749-4f4a-b1cf-452f04f2ec68', 'default', 'player-418caab6-313f-4211-8b86-0e18f8be2adf', '', '2af2cf1a-b292-4fb8-a16a-5b449147553e', '2026-12-01 05:29:17.348548+00'),
	(21, 'operator', 'default', 'deposit', '75b311ea-3664-4d1d-a9f8-19813a44bb78', 'default', 'player-a725e55e-4408-4c31-842c-b614b88d58f3', '', 'b7d6bdb0-8adf-4f28-bbe4-b536d75841fa', '2026-12-01 05:29:17.364881+00'),
	(22, 'operator', 'default', 'deposit', '4868e9dc-c7fc-4b2e-a30b-28444f3e0b7c', 'default', 'player-4f2d3fa1-d5e9-4c18-a53b-a992875ce2ba', '', '91aef8fe-f6eb-483c-ba55-5acb35ffb8fa', '2026-12-01 05:29:17.371725+00');






INSERT INTO wallet.pot VALUES
	('5ea05bef-7917-4cfa-bd3a-85a74d80bb2d', 'default', 'CHF', 200, 20, 1, 6, 'SETTLED', '{1,3}', '\x4a7f0dab2d87f1bdefc3745a450c67e88e6e019a4e9bc60cae83b027b7164650', '08db6c66-b540-5bfd-844a-4331d0932166', NULL, '2026-12-01 05:29:14.158727+00', '2026-12-01 05:29:14.383057+00', '2026-12-01 05:29:15.479191+00'),
	('4872f3b5-baf8-4418-b7be-f34f09d991b0', 'default', 'CHF', 200, 20, 1, 12, 'LOCKED', NULL, NULL, '2844fe4e-782c-5b53-b990-4ed0aeff76cd', NULL, '2026-12-01 05:29:15.622908+00', '2026-12-01 05:29:15.774267+00', NULL),
	('88938e5c-2f48-4122-ab47-a075a6ba0086', 'default', 'CHF', 200, 20, 1, 17, 'LOCKED', NULL, NULL, '90963944-88a8-5175-b5d0-0a768fab9fd2', NULL, '2026-12-01 05:29:16.318089+00', '2026-12-01 05:29:16.536398+00', NULL),
	('f2bf62f8-3263-420d-94f8-3b22185d22bf', 'default', 'CHF', 200, 20, 1, 22, 'LOCKED', NULL, NULL, 'cb6790ff-d60c-55f5-9e11-3b8eea63dc22', NULL, '2026-12-01 05:29:16.879468+00', '2026-12-01 05:29:17.032461+00', NULL),
	('1d92d481-f1c8-477b-a34a-ae269464dc24', 'default', 'CHF', 200, 20, 1, 25, 'OPEN', NULL, NULL, NULL, NULL, '2026-12-01 05:29:17.229211+00', NULL, NULL),
	('407944b6-79fe-4079-b695-203767b8fe6d', 'default', 'CHF', 200, 20, 1, 30, 'LOCKED', NULL, NULL, '79c9ca39-61f9-53d5-ac56-2e1c86906c18', NULL, '2026-12-01 05:29:17.416821+00', '2026-12-01 05:29:17.615514+00', NULL);






INSERT INTO wallet.retention VALUES
	(true, '-infinity', '00000000-0000-0000-0000-000000000000');



INSERT INTO wallet.roll_up VALUES
	(2, 1, '{2,3,5,7}', -4000, -4000, '\x8d9251d96ddae9981a3df83c524e73a9984f1743e228a7019eeac6a54db040ea', '2026-12-01 05:29:14.582751+00'),
	(2, 2, '{21,23}', -2000, -6000, '\x4e1b440e35888203b3d3f97947ca396298390ec2684acd11f310acedfb719365', '2026-12-01 05:29:15.588408+00'),
	(7, 1, '{20}', 20, 20, '\x19df75d598c67771f920a49428c87d83aa2a491be67c33947558f0c266989ec6', '2026-12-01 05:29:15.588646+00'),
	(2, 3, '{25,27,37,39,41,43}', -6000, -12000, '\x94720f33f33c01125ceb607713b99950c37eac2bf75b00a515d0c57486ab5a4d', '2026-12-01 05:29:16.603949+00'),
	(2, 4, '{53,55,57,59,69,71,77,79,81,83}', -10000, -22000, '\x6f94a3a1a8bfd0579e6ccd0caef5db839b6ec35d5ce8cd3780b8020963fee117', '2026-12-01 05:29:17.613975+00');



INSERT INTO wallet.schema_file VALUES
	('0001_ledger.sql', 'e1d5d273b5660ee354efc1b4096235ff0a189240db1a5d606bb0461071d9b709', '2026-12-01 05:29:08.139401+00'),
	('0002_recovery.sql', '3bd1dd0767a25c98484982009e9087a0d4fcbec87ed225b4090bfc47844e894a', '2026-12-01 05:29:08.185951+00');



INSERT INTO wallet.schema_state VALUES
	(true, '0002', '0002', '0.1.0', '2026-12-01 05:29:08.343554+00');



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



CREATE UNIQUE INDEX reference_used_once ON wallet.journal USING btree (tenant, kind, lower(reference)) WHERE ((pot_id IS NULL) AND (tenant IS NOT NULL) AND (reference <> ''::text));



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



REVOKE ALL ON FUNCTION wallet.later_checkpoint_after() FROM PUBLIC;



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



REVOKE ALL ON FUNCTION wallet.watch() FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.watch() TO jasshaus_wallet;



REVOKE ALL ON FUNCTION wallet.withdraw(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) FROM PUBLIC;
GRANT ALL ON FUNCTION wallet.withdraw(p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text, p_subject text, p_subject_tenant text) TO jasshaus_wallet;



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




