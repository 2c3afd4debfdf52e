


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
	('9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 'default', 'player-047fc763-8e7e-4fce-b5d9-757ee258e526', '563a3487-c8d8-4391-891f-8a2e0b72e62c', '\x3463343862353361323865373762303361313437316662383061393830656239', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c6173736963100118900320002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 400, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'e1a9b50c-a0d9-5fe5-8b6a-7cf5d620ea42', '[{"seat": 0, "player": "player-047fc763-8e7e-4fce-b5d9-757ee258e526", "reservation": "96f1fc72-a29d-5ed8-be9a-5989831a40af"}, {"seat": 1, "player": "player-afc3dc2b-8e1a-4f72-ad66-893e1d76caea", "reservation": "43171450-0bc6-5459-920d-cf0a7ae0870e"}, {"seat": 2, "player": "player-5efd1780-7c58-49f9-b9c8-dfa424e9fc43", "reservation": "595d87c7-b835-599f-8d84-7dbd48ce33c2"}, {"seat": 3, "player": "player-ec744ca8-de14-4ed8-8454-947265d3454f", "reservation": "def4130a-63a7-55ad-bbfd-539e281daf5b"}]', NULL, '2026-12-01 05:48:02.583+00', '2026-12-01 06:18:02.583+00', '2026-12-01 05:48:02.66138+00', NULL, false, false, NULL, NULL, '2026-12-01 05:48:32.693262+00', 4, true),
	('bc63d3e3-7a2f-4499-8b79-61acb039292b', 'default', 'player-37136121-7448-48af-922d-2ba7604e3fd0', 'd8c6cf7e-cd1b-4ada-984b-25f2bc95dd71', '\x3835393939333231333466666539666535366436383735663133626465363736', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'OPEN', NULL, NULL, NULL, '2026-12-01 05:48:04.089+00', '2026-12-01 06:18:04.089+00', NULL, NULL, false, false, NULL, NULL, '2026-12-01 05:49:04.139288+00', 2, true),
	('078037a0-6aa8-4ade-9c84-9d2740058d50', 'default', 'player-d3c040db-87a0-4517-883e-ad1a5f4967b6', '9f811edd-05be-47bc-9a5c-7221ab6fcca8', '\x3235356466373037353465323462333035326531323333383661363732643939', NULL, 'differenzler-classic', 'differenzler', '\x0a14646966666572656e7a6c65722d636c617373696310023802c00101c80101d00102d80102e00100e80101', '{"preset": "differenzler-classic", "rounds": 2, "variant": "VARIANT_DIFFERENZLER", "undertrump": "UNDERTRUMP_ALLOWED", "exact_bonus": 0, "live_points": true, "announcements": "ANNOUNCEMENTS_HIDDEN", "first_forehand": "FIRST_FOREHAND_RANDOM", "tie_round_eligible": "TIE_ROUND_ELIGIBLE_ALL"}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '1803029b-cb88-530e-8c39-f33ecb0953c9', '[{"seat": 0, "player": "player-d3c040db-87a0-4517-883e-ad1a5f4967b6", "reservation": "b8a84ce2-1d27-5586-a86c-f3298dc01eae"}, {"seat": 1, "player": "player-9de0126b-85ad-4ffd-8334-81952fa929cd", "reservation": "98f018be-5fb6-514b-b60d-55636f41b2a0"}, {"seat": 2, "player": "player-32403088-5b19-4ded-aa1c-94df88f50303", "reservation": "e6208d31-a7da-59f4-b38d-410f20da420c"}, {"seat": 3, "player": "player-4485df31-9728-4de2-9388-b4afb06d8c01", "reservation": "2eb54500-c777-51ab-bbf5-901425d3fba2"}]', NULL, '2026-12-01 05:48:03.224+00', '2026-12-01 06:18:03.224+00', '2026-12-01 05:48:03.390803+00', NULL, false, false, NULL, NULL, '2026-12-01 05:48:33.503833+00', 4, true),
	('053fbfc0-95ab-4162-921e-cddfd1a0001c', 'default', 'player-ad8f3b4c-8951-4559-bc93-490e7c794485', '2d4d1db8-219f-4a3f-99f3-84fea563a852', '\x3032313933313537666336313038363530326532393735323861336562396562', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '95d22e8a-5089-5d19-a24d-bdeac02f529d', '[{"seat": 0, "player": "player-ad8f3b4c-8951-4559-bc93-490e7c794485", "reservation": "68c8a6be-98af-55b8-b7b2-37085f82949c"}, {"seat": 1, "player": "player-f94af624-354c-4cda-99a1-1ee7a2128fed", "reservation": "597527ec-f8e9-5ba6-a224-3113a9069d5f"}, {"seat": 2, "player": "player-f96ddf62-c649-4db5-8098-a508314e8fab", "reservation": "f64160b6-22be-5434-a85e-1129db287e2e"}, {"seat": 3, "player": "player-1e3f2ce1-85ac-44b0-a3c7-cb7991d06067", "reservation": "aaff1a09-ab21-5c02-8361-9b6c055b527b"}]', NULL, '2026-12-01 05:48:04.243+00', '2026-12-01 06:18:04.243+00', '2026-12-01 05:48:04.336924+00', NULL, false, false, NULL, NULL, '2026-12-01 05:48:34.401652+00', 4, true),
	('a8c75c60-e4d3-4928-b315-cd34577216d2', 'default', 'player-7eb4551e-2186-4af0-bc96-a8612e81f0e3', '69a1ea26-11f7-4cc7-aa86-49e1f4af45be', '\x3132663335346161393865323035356630653164363935656563343563383734', NULL, 'schieber-partner', 'schieber', '\x0a1073636869656265722d706172746e6572100118ac0220002a0c080110011802200228033004306438014001489601500058016001680270027801800100880100900100980101a00101a80102c00100c80101', '{"finish": "FINISH_AUTOMATIC", "preset": "schieber-partner", "target": 300, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_OWN_FIRST_CARD", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_TEAM_ALL", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_SECOND_CARD", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '3fee23b7-4877-5777-8eb8-c2e82b44f87a', '[{"seat": 0, "player": "player-7eb4551e-2186-4af0-bc96-a8612e81f0e3", "reservation": "18d19f66-0e70-5330-b63b-79fc935c0c24"}, {"seat": 1, "player": "player-599b63ad-7a4b-4945-834d-cdb42deb35f6", "reservation": "4d3d49e7-7786-5a6f-841f-45f60bbc03c1"}, {"seat": 2, "player": "player-958c2d1d-e86f-41a8-bf8c-ba7f51568b8f", "reservation": "d7a62766-4f5d-5a76-b645-3d78292e916f"}, {"seat": 3, "player": "player-9ab4ef16-06dc-4d18-b029-5c49b34c8789", "reservation": "74214ee3-5ee8-58ea-9a9f-80cc2c0d71a0"}]', NULL, '2026-12-01 05:48:03.625+00', '2026-12-01 06:18:03.625+00', '2026-12-01 05:48:03.828009+00', NULL, false, false, NULL, NULL, '2026-12-01 05:48:33.880059+00', 4, true),
	('c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 'default', 'player-f0f8048b-7eb1-412c-8ee7-55201914c29f', '5b6606ef-4d1d-41f3-a00c-ea30206278ea', '\x3363323831383234623137343363306134366633626131653633373931653266', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'FINISHED', '120fbc18-f659-5db7-bf70-445cfd2ea57c', '[{"seat": 0, "player": "player-f0f8048b-7eb1-412c-8ee7-55201914c29f", "reservation": "c7bb2d0f-14c4-5623-80dc-066e22baa789"}, {"seat": 1, "player": "player-74bda634-b55a-42c8-b9e4-70a261708062", "reservation": "ca7ab02b-8596-5bb4-9b23-502373a15635"}, {"seat": 2, "player": "player-37801222-8349-40a1-9bed-b07f1e9367c4", "reservation": "8e190f76-dfbe-5295-85bd-80af9c4204f5"}, {"seat": 3, "player": "player-55b1bd9e-8d0f-4c73-a4ed-a2e69aedab8d", "reservation": "f87c62c9-2d92-56a8-873f-aac081ae7382"}]', '{"fee": 20, "points": [94, 112], "voided": false, "payouts": [390, 390], "end_time": "2026-12-01T05:48:02.532321+00:00", "winning_seats": [1, 3]}', '2026-12-01 05:48:01.68+00', '2026-12-01 06:18:01.68+00', '2026-12-01 05:48:01.819775+00', '2026-12-01 05:48:02.532321+00', false, false, NULL, NULL, NULL, 5, true);



INSERT INTO matchmaking.pot_watch VALUES
	(true, '2026-12-01 05:48:05.747296+00');



INSERT INTO matchmaking.schema_file VALUES
	('0001_games.sql', '5e8833f995a210e6b9d3d605b01ea9c92b1a63aa6514527923453ec6476d19f9', '2026-12-01 05:47:58.950834+00'),
	('0002_stray_pots.sql', '9cfc029dade52a3188b0e9e89cdf154c796eafcca6bcbe98b02346d2d6aab9ac', '2026-12-01 05:47:58.955464+00');



INSERT INTO matchmaking.schema_state VALUES
	(true, '0002', '0002', '0.1.0', '2026-12-01 05:47:58.957162+00');






INSERT INTO wallet.account OVERRIDING SYSTEM VALUE VALUES
	(30, 'pot', 'default', '053fbfc0-95ab-4162-921e-cddfd1a0001c', 'CHF', 800, 4, '\xf2996fbae21dd684eb95998d4e11c32a05ab161c352d4a12029d087e8dff5224', '2026-12-01 05:48:04.260221+00'),
	(13, 'player', 'default', 'player-d3c040db-87a0-4517-883e-ad1a5f4967b6', 'CHF', 800, 2, '\xc3f6159a014b3257668f004d2ec7ab266e0a385bd93fcb5433d1c03c4c9e0ff1', '2026-12-01 05:48:03.158583+00'),
	(1, 'player', 'default', 'player-f0f8048b-7eb1-412c-8ee7-55201914c29f', 'CHF', 800, 2, '\xa53515901a85ccb6a0fcfa7126b7faa974c6003fb1f03c16205f538bcd4b0b02', '2026-12-01 05:48:01.606203+00'),
	(14, 'player', 'default', 'player-9de0126b-85ad-4ffd-8334-81952fa929cd', 'CHF', 800, 2, '\xf40c9f4bca580d6816e336be997d7bed4fc180fbd44a35cec21fed6262190e5d', '2026-12-01 05:48:03.166749+00'),
	(23, 'player', 'default', 'player-37136121-7448-48af-922d-2ba7604e3fd0', 'CHF', 800, 2, '\xcade6d2ffda8ec8f8d62c5946f172e611bc86e92caa1aae3ac3cfe2a558669f3', '2026-12-01 05:48:04.073167+00'),
	(15, 'player', 'default', 'player-32403088-5b19-4ded-aa1c-94df88f50303', 'CHF', 800, 2, '\x3c667cd708f261dd4c405aa58c58d6007e1967c4d3fd7d5a52a1156fb09ba158', '2026-12-01 05:48:03.196223+00'),
	(4, 'player', 'default', 'player-37801222-8349-40a1-9bed-b07f1e9367c4', 'CHF', 800, 2, '\x20775a5b5baf0f7dcecef29016617296a59e6f47f70455d2682bc8172184c506', '2026-12-01 05:48:01.648598+00'),
	(16, 'player', 'default', 'player-4485df31-9728-4de2-9388-b4afb06d8c01', 'CHF', 800, 2, '\xcffaec4dda745fec683161835b5155edf077c8db9963238bea99d3e87898f07f', '2026-12-01 05:48:03.212644+00'),
	(17, 'pot', 'default', '078037a0-6aa8-4ade-9c84-9d2740058d50', 'CHF', 800, 4, '\x72dd82381c55edff7fb2a210b5660d1ce480cabcec6d3953569f8c16710defa0', '2026-12-01 05:48:03.227936+00'),
	(3, 'player', 'default', 'player-74bda634-b55a-42c8-b9e4-70a261708062', 'CHF', 1190, 3, '\x32cc14c90b57ed0849d9d975d5d22deee00eb489520b305ce3e1f882a893a582', '2026-12-01 05:48:01.637089+00'),
	(5, 'player', 'default', 'player-55b1bd9e-8d0f-4c73-a4ed-a2e69aedab8d', 'CHF', 1190, 3, '\xbb992ac323d235c8447b28d17e747ea58eac76fd896c320a0ecfb4afc0855e1b', '2026-12-01 05:48:01.654661+00'),
	(6, 'pot', 'default', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 'CHF', 0, 5, '\xbe1bd2f8eaea35bb9413ff5ee991efcb2d36f6a10675028aa2862573a9ae5610', '2026-12-01 05:48:01.686565+00'),
	(24, 'player', 'default', 'player-f8e66e60-ab4a-430b-994f-2523dd6637a4', 'CHF', 800, 2, '\xb62f6fcbc05f813af86f472a6f5cc87010a5aa056c8f171b33844343ca2c97e6', '2026-12-01 05:48:04.077977+00'),
	(25, 'pot', 'default', 'bc63d3e3-7a2f-4499-8b79-61acb039292b', 'CHF', 400, 2, '\x8e8403b314227bcffbea8e2dc589675a512f3d41a1d49cfbd1a38c1c13596332', '2026-12-01 05:48:04.092111+00'),
	(7, 'house', 'default', '', 'CHF', 20, 1, '\x9c0440b01131e8fcbd4de023b68d9764051ed910b83612930204853e1520e2dd', '2026-12-01 05:48:02.518001+00'),
	(8, 'player', 'default', 'player-047fc763-8e7e-4fce-b5d9-757ee258e526', 'CHF', 800, 2, '\x39d882328d93172a33881d0f9ed8c927f4734fee6485a0f51dea3906f1779aeb', '2026-12-01 05:48:02.559882+00'),
	(9, 'player', 'default', 'player-afc3dc2b-8e1a-4f72-ad66-893e1d76caea', 'CHF', 800, 2, '\x8da28b671468f2a5bfea1488f8855d370d5bcb830f5b7d48b50cfdc079e98079', '2026-12-01 05:48:02.565216+00'),
	(10, 'player', 'default', 'player-5efd1780-7c58-49f9-b9c8-dfa424e9fc43', 'CHF', 800, 2, '\xdd02a84baae0fed555c1b24a0ce29a9d53fc803710305ba01981b1f61fbf709f', '2026-12-01 05:48:02.568823+00'),
	(2, 'cashier', 'default', '', 'CHF', -15000, 2, '\xcd8c187650acca558cadfcc0f3da686624693dac3b8e066319a9dee9ed917fa8', '2026-12-01 05:48:01.614541+00'),
	(11, 'player', 'default', 'player-ec744ca8-de14-4ed8-8454-947265d3454f', 'CHF', 800, 2, '\x609fb7a5fb916af993a1c6b3a28eaecd6cb502cb35bebf3f44ccc1c089467169', '2026-12-01 05:48:02.57301+00'),
	(12, 'pot', 'default', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 'CHF', 800, 4, '\x4c889abe2c3325740acffbb288317638904c858a88e2ea1df7f5266a5600a4bd', '2026-12-01 05:48:02.590605+00'),
	(18, 'player', 'default', 'player-7eb4551e-2186-4af0-bc96-a8612e81f0e3', 'CHF', 800, 2, '\x0a266d3f01c11e2d01bf92169d9e3f892dee3be31376b63fcc1711f3b85290de', '2026-12-01 05:48:03.565262+00'),
	(19, 'player', 'default', 'player-599b63ad-7a4b-4945-834d-cdb42deb35f6', 'CHF', 800, 2, '\x7432a74c0449d5afb35df33016770f19d9f62c753db4c7ccec59e78705474b5e', '2026-12-01 05:48:03.569926+00'),
	(20, 'player', 'default', 'player-958c2d1d-e86f-41a8-bf8c-ba7f51568b8f', 'CHF', 800, 2, '\x1b794a7c893cf404a872b2ab00dce7b09fe029bfd66dbe26fc7e208e59a9dce7', '2026-12-01 05:48:03.574528+00'),
	(21, 'player', 'default', 'player-9ab4ef16-06dc-4d18-b029-5c49b34c8789', 'CHF', 800, 2, '\xc351133d1d53a17dcd3436c0a9347f1c474c13b92223f1f189ab213950838556', '2026-12-01 05:48:03.608384+00'),
	(22, 'pot', 'default', 'a8c75c60-e4d3-4928-b315-cd34577216d2', 'CHF', 800, 4, '\x90384c7d7decab0e039b91d191c581d2369612917ecc981f56b2b50f1d517793', '2026-12-01 05:48:03.649004+00'),
	(26, 'player', 'default', 'player-ad8f3b4c-8951-4559-bc93-490e7c794485', 'CHF', 800, 2, '\x6bf23a43b48fb4cca6fb3c40bfd089eb392c3a3ac9ec130850d1787da2f33800', '2026-12-01 05:48:04.201952+00'),
	(27, 'player', 'default', 'player-f94af624-354c-4cda-99a1-1ee7a2128fed', 'CHF', 800, 2, '\x597f7bb172e65c5ef5fa241cc630ee085a1e3015adba6fe90c5ec29f5cbef0cd', '2026-12-01 05:48:04.211162+00'),
	(28, 'player', 'default', 'player-f96ddf62-c649-4db5-8098-a508314e8fab', 'CHF', 800, 2, '\x45600eeeb8fcf47417ddf475da7c69060d4ebfd22edbb3321362e0117b3cc654', '2026-12-01 05:48:04.216697+00'),
	(29, 'player', 'default', 'player-1e3f2ce1-85ac-44b0-a3c7-cb7991d06067', 'CHF', 800, 2, '\xfee2e233765c13f256be4e5ff276e2c8e9219ff3f4ddc3136400a2d6f5789771', '2026-12-01 05:48:04.227864+00');



INSERT INTO wallet.alembic_version VALUES
	('0002');



INSERT INTO wallet.boot VALUES
	('2026-12-01 05:47:58.69505+00', 24041216, true, true);



INSERT INTO wallet.entry OVERRIDING SYSTEM VALUE VALUES
	(1, '1e1d3185-4665-4fe1-9474-3a034e4fdf43', 1, 'CHF', 1000, 1, 1000, '\x9d04eb42dea1a2f2a4d6db54dde707396046a08e841e06d50a058aeae585c616'),
	(2, '1e1d3185-4665-4fe1-9474-3a034e4fdf43', 2, 'CHF', -1000, NULL, NULL, NULL),
	(3, '16fcc00a-b2f3-4f6a-9ee4-ca4271b3e710', 2, 'CHF', -1000, NULL, NULL, NULL),
	(4, '16fcc00a-b2f3-4f6a-9ee4-ca4271b3e710', 3, 'CHF', 1000, 1, 1000, '\x485a9f37fd727828bb5b0194f348fe205fe0f1e4fab325d65419d9fe3d17f2d7'),
	(5, '54abe18c-5f9e-4df2-b1bd-cd68b56d2dff', 2, 'CHF', -1000, NULL, NULL, NULL),
	(6, '54abe18c-5f9e-4df2-b1bd-cd68b56d2dff', 4, 'CHF', 1000, 1, 1000, '\x0e2da4ef069435a119005bb28fae02d88ab1047d3b1c73cc3bb97605dbf3dc43'),
	(7, 'fcc56346-e16a-4253-9978-fcd6e524c5ce', 2, 'CHF', -1000, NULL, NULL, NULL),
	(8, 'fcc56346-e16a-4253-9978-fcd6e524c5ce', 5, 'CHF', 1000, 1, 1000, '\xd9b54fd0bbf69434c4ea385f1e50c5271c0be05116c2ab7d265503f96a5e811d'),
	(9, '186d23af-cebc-4f49-9ba6-ee9f90fc370f', 1, 'CHF', -200, 2, 800, '\xa53515901a85ccb6a0fcfa7126b7faa974c6003fb1f03c16205f538bcd4b0b02'),
	(10, '186d23af-cebc-4f49-9ba6-ee9f90fc370f', 6, 'CHF', 200, 1, 200, '\x7e42d803503e6443ce2e9f5aa43890e086d10651d76957dd76d2f048af957739'),
	(11, 'e3dc6fa1-cb2f-4522-a27f-d8beb29c7786', 3, 'CHF', -200, 2, 800, '\xfa0c0883e1f3c45aed6762ab2a885faf574ec3338b2e857c21dcbdaf93c23b2c'),
	(12, 'e3dc6fa1-cb2f-4522-a27f-d8beb29c7786', 6, 'CHF', 200, 2, 400, '\xfc6e8833e5d563b654d0714e4ef91d4145af40c7ff2d8f884bee57e0887fb262'),
	(13, 'a1370fa7-7636-43b1-b7f6-6bc4416c550b', 4, 'CHF', -200, 2, 800, '\x20775a5b5baf0f7dcecef29016617296a59e6f47f70455d2682bc8172184c506'),
	(14, 'a1370fa7-7636-43b1-b7f6-6bc4416c550b', 6, 'CHF', 200, 3, 600, '\x7c96d1b7beea3df85e19e648fbf19155bc8d6712fe0af0c9d42674084ac725d2'),
	(15, '2a59f6a3-8d94-460f-ad28-07069a3aede4', 5, 'CHF', -200, 2, 800, '\xa3135bd64ab8ceeb7baf2e9c034a954e2469e4decae2d4246875c84300427a1f'),
	(16, '2a59f6a3-8d94-460f-ad28-07069a3aede4', 6, 'CHF', 200, 4, 800, '\x03de2594a910548b26392bd7d3413214d6e0d7867d3a13a1055853b5730365e4'),
	(17, '4f47f958-9a3a-41e1-859f-dffbcebb355b', 3, 'CHF', 390, 3, 1190, '\x32cc14c90b57ed0849d9d975d5d22deee00eb489520b305ce3e1f882a893a582'),
	(18, '4f47f958-9a3a-41e1-859f-dffbcebb355b', 5, 'CHF', 390, 3, 1190, '\xbb992ac323d235c8447b28d17e747ea58eac76fd896c320a0ecfb4afc0855e1b'),
	(19, '4f47f958-9a3a-41e1-859f-dffbcebb355b', 6, 'CHF', -800, 5, 0, '\xbe1bd2f8eaea35bb9413ff5ee991efcb2d36f6a10675028aa2862573a9ae5610'),
	(20, '4f47f958-9a3a-41e1-859f-dffbcebb355b', 7, 'CHF', 20, NULL, NULL, NULL),
	(21, '8288724d-7a4e-4bb9-a845-c8e69b0653bd', 2, 'CHF', -1000, NULL, NULL, NULL),
	(22, '8288724d-7a4e-4bb9-a845-c8e69b0653bd', 8, 'CHF', 1000, 1, 1000, '\xf1ca3ac36d13297552d3a9562be70996661cdc8a7c5e135252f6f5e330206f5c'),
	(23, 'bc8f774c-97c8-491b-be36-59fc766425fd', 2, 'CHF', -1000, NULL, NULL, NULL),
	(24, 'bc8f774c-97c8-491b-be36-59fc766425fd', 9, 'CHF', 1000, 1, 1000, '\xa2582804fd13df2d11d4c9ddb8e0a470311c7b2a7f8612a9300cc779994be3e7'),
	(25, '00066d55-024e-493a-85ef-6fc304de583c', 2, 'CHF', -1000, NULL, NULL, NULL),
	(26, '00066d55-024e-493a-85ef-6fc304de583c', 10, 'CHF', 1000, 1, 1000, '\xa39a1f4ab647152ea6e6452ba91ca90ef7cedca4aa3d47069a657d4d4bd9cb3f'),
	(27, '6ff7bf32-0020-4b63-8895-1a24630629b4', 2, 'CHF', -1000, NULL, NULL, NULL),
	(28, '6ff7bf32-0020-4b63-8895-1a24630629b4', 11, 'CHF', 1000, 1, 1000, '\x9ac3a3e3d55d4f80d3c777027f3b232e773c3c0447a8d6b29bc4ca327b8016ca'),
	(29, 'f8e8c48f-a740-4a44-86b1-8f2606c0ecb3', 8, 'CHF', -200, 2, 800, '\x39d882328d93172a33881d0f9ed8c927f4734fee6485a0f51dea3906f1779aeb'),
	(30, 'f8e8c48f-a740-4a44-86b1-8f2606c0ecb3', 12, 'CHF', 200, 1, 200, '\x79f6325947ecda1af41ceae07bd75484651fe68f373df1024c37f41992ee9dcc'),
	(31, '9264ada8-9155-4271-bfb4-fb96423bf1af', 9, 'CHF', -200, 2, 800, '\x8da28b671468f2a5bfea1488f8855d370d5bcb830f5b7d48b50cfdc079e98079'),
	(32, '9264ada8-9155-4271-bfb4-fb96423bf1af', 12, 'CHF', 200, 2, 400, '\xbd44d653656112b21cd2eccf4a82adfbf55b32fd9eaa4bdf87539b2c05993520'),
	(33, '1a21208f-6453-49cf-ae7e-125ff4623932', 10, 'CHF', -200, 2, 800, '\xdd02a84baae0fed555c1b24a0ce29a9d53fc803710305ba01981b1f61fbf709f'),
	(34, '1a21208f-6453-49cf-ae7e-125ff4623932', 12, 'CHF', 200, 3, 600, '\x21850b3915582291353c027810a1ce20e4277f92872f2524b791fffad125c73d'),
	(35, 'b15d22c6-cbb8-4a29-aedc-92d85c1f7852', 11, 'CHF', -200, 2, 800, '\x609fb7a5fb916af993a1c6b3a28eaecd6cb502cb35bebf3f44ccc1c089467169'),
	(36, 'b15d22c6-cbb8-4a29-aedc-92d85c1f7852', 12, 'CHF', 200, 4, 800, '\x4c889abe2c3325740acffbb288317638904c858a88e2ea1df7f5266a5600a4bd'),
	(37, '17bcfed0-4f2e-49ac-831e-2b33a01a3825', 2, 'CHF', -1000, NULL, NULL, NULL),
	(38, '17bcfed0-4f2e-49ac-831e-2b33a01a3825', 13, 'CHF', 1000, 1, 1000, '\xe1c439727b2cddb09d12af76140cfd097085a995ae1a52742a9b39a133ad7cd8'),
	(39, 'f978fad3-518e-452d-b450-138f6cdc8d80', 2, 'CHF', -1000, NULL, NULL, NULL),
	(40, 'f978fad3-518e-452d-b450-138f6cdc8d80', 14, 'CHF', 1000, 1, 1000, '\xe4d01a65020d08aa18ca0009a23bb46adca289ae9095dcaaba47e215fafa741f'),
	(41, '169a1669-b064-4c46-9cbf-129f86627483', 2, 'CHF', -1000, NULL, NULL, NULL),
	(42, '169a1669-b064-4c46-9cbf-129f86627483', 15, 'CHF', 1000, 1, 1000, '\xdb6e0934188d06ca9aa10547077815ae0e7e26a6847affcfe5daabbd113ae77e'),
	(43, '9d1dc767-47b6-4de8-a6c2-d00e5e833f8b', 2, 'CHF', -1000, NULL, NULL, NULL),
	(44, '9d1dc767-47b6-4de8-a6c2-d00e5e833f8b', 16, 'CHF', 1000, 1, 1000, '\x9e1015ce557534e2fbf4e5313965dfe5afeab0127a0b40a6b760580dabbbc884'),
	(45, 'b4e06266-8521-464e-a29f-c0fb6bb55a09', 13, 'CHF', -200, 2, 800, '\xc3f6159a014b3257668f004d2ec7ab266e0a385bd93fcb5433d1c03c4c9e0ff1'),
	(46, 'b4e06266-8521-464e-a29f-c0fb6bb55a09', 17, 'CHF', 200, 1, 200, '\x5eeee650357f3c445f9015b97c5b172b84de4991a0476e0a0b94e8cdfc1a5a67'),
	(47, 'c4ce5269-bc56-478e-bef3-98ba32e8a5c0', 14, 'CHF', -200, 2, 800, '\xf40c9f4bca580d6816e336be997d7bed4fc180fbd44a35cec21fed6262190e5d'),
	(48, 'c4ce5269-bc56-478e-bef3-98ba32e8a5c0', 17, 'CHF', 200, 2, 400, '\x98e12d7ad6c4dc85bfbac8f04c253c8cf6ebec915e976309e509b40a7790f172'),
	(49, '83bb1500-6dce-40c2-a844-26a3a1806055', 15, 'CHF', -200, 2, 800, '\x3c667cd708f261dd4c405aa58c58d6007e1967c4d3fd7d5a52a1156fb09ba158'),
	(50, '83bb1500-6dce-40c2-a844-26a3a1806055', 17, 'CHF', 200, 3, 600, '\xbfd2a9d327fa62ce02c797833c6f9b839b2b5c8fb9dadc8dc2d8f7ed1768c8a3'),
	(51, 'b1dcbc64-ac57-401e-8997-388b617e8ddc', 16, 'CHF', -200, 2, 800, '\xcffaec4dda745fec683161835b5155edf077c8db9963238bea99d3e87898f07f'),
	(52, 'b1dcbc64-ac57-401e-8997-388b617e8ddc', 17, 'CHF', 200, 4, 800, '\x72dd82381c55edff7fb2a210b5660d1ce480cabcec6d3953569f8c16710defa0'),
	(53, '085cbe14-a59e-4682-9693-fd1329e438bf', 2, 'CHF', -1000, NULL, NULL, NULL),
	(54, '085cbe14-a59e-4682-9693-fd1329e438bf', 18, 'CHF', 1000, 1, 1000, '\xb8f662b277766996da4c6521fb47cca7b3fde7cd4ddfdc9b668c43e74f7f24c2'),
	(55, '0280d6ec-6fbb-4e94-adc1-d2cfaa3349b0', 2, 'CHF', -1000, NULL, NULL, NULL),
	(56, '0280d6ec-6fbb-4e94-adc1-d2cfaa3349b0', 19, 'CHF', 1000, 1, 1000, '\xfe9ccff3deea318f4ab52d2be340874fc1aeda1c8d7c6b84debeaafcef582eb5'),
	(57, 'df814063-cb99-4039-9493-3b3a301f7289', 2, 'CHF', -1000, NULL, NULL, NULL),
	(58, 'df814063-cb99-4039-9493-3b3a301f7289', 20, 'CHF', 1000, 1, 1000, '\xf911598b03ab99e2b52583a7863881a04171e136eacde07acfa3f39cc4abcd12'),
	(59, '6b210fd6-adde-40c9-9a21-78173006527d', 2, 'CHF', -1000, NULL, NULL, NULL),
	(60, '6b210fd6-adde-40c9-9a21-78173006527d', 21, 'CHF', 1000, 1, 1000, '\x658ba321576585504c96a13419d09739c5c7bbea4e3a16429e86a5fe826d1214'),
	(61, '9060fa81-a203-4411-9d91-fcd9c61f8981', 18, 'CHF', -200, 2, 800, '\x0a266d3f01c11e2d01bf92169d9e3f892dee3be31376b63fcc1711f3b85290de'),
	(62, '9060fa81-a203-4411-9d91-fcd9c61f8981', 22, 'CHF', 200, 1, 200, '\x293f02fded0571f8895361464b45734cea9889e5e3a9706e69197561e5f9f26b'),
	(63, 'fc1d6097-7c3f-43cd-81f9-f4b8d7cfacdf', 19, 'CHF', -200, 2, 800, '\x7432a74c0449d5afb35df33016770f19d9f62c753db4c7ccec59e78705474b5e'),
	(64, 'fc1d6097-7c3f-43cd-81f9-f4b8d7cfacdf', 22, 'CHF', 200, 2, 400, '\x4a144c814e130991daddf9f7ff325ca6ce3d17525ef890b721cb6913b5bed8d2'),
	(65, 'df8746d5-4536-41ee-b43d-5c501157151b', 20, 'CHF', -200, 2, 800, '\x1b794a7c893cf404a872b2ab00dce7b09fe029bfd66dbe26fc7e208e59a9dce7'),
	(66, 'df8746d5-4536-41ee-b43d-5c501157151b', 22, 'CHF', 200, 3, 600, '\xe78191256f246ddee76a3f5cd6ead0addb79da114bf1bb54d04190bae811fc8c'),
	(67, '9eaf22a5-4e21-4d35-9bdb-642b90ec5b79', 21, 'CHF', -200, 2, 800, '\xc351133d1d53a17dcd3436c0a9347f1c474c13b92223f1f189ab213950838556'),
	(68, '9eaf22a5-4e21-4d35-9bdb-642b90ec5b79', 22, 'CHF', 200, 4, 800, '\x90384c7d7decab0e039b91d191c581d2369612917ecc981f56b2b50f1d517793'),
	(69, '1bde6228-2539-4428-9b65-418f6d651c84', 2, 'CHF', -1000, NULL, NULL, NULL),
	(70, '1bde6228-2539-4428-9b65-418f6d651c84', 23, 'CHF', 1000, 1, 1000, '\x66d85b81acce8701620eb52748a01bf7b42f16add2614c6b8f5765647d7b079c'),
	(71, '93e156c2-b58a-4b8b-bd25-f00f2e48fa4b', 2, 'CHF', -1000, NULL, NULL, NULL),
	(72, '93e156c2-b58a-4b8b-bd25-f00f2e48fa4b', 24, 'CHF', 1000, 1, 1000, '\x83b023f3c4040e383a40502b2a912c8548662e8016037a1ed7190eb673a34a48'),
	(73, 'fc17b213-fd74-4458-a4f3-e7570a623b43', 23, 'CHF', -200, 2, 800, '\xcade6d2ffda8ec8f8d62c5946f172e611bc86e92caa1aae3ac3cfe2a558669f3'),
	(74, 'fc17b213-fd74-4458-a4f3-e7570a623b43', 25, 'CHF', 200, 1, 200, '\xeb527cdb60485884b3767ce6499384298775c06bf405599ebfc6245e95ad1457'),
	(79, 'dc47db1b-c7a4-4abe-a6ef-5f7028c15127', 2, 'CHF', -1000, NULL, NULL, NULL),
	(80, 'dc47db1b-c7a4-4abe-a6ef-5f7028c15127', 27, 'CHF', 1000, 1, 1000, '\xc038c7465e84c67a94baf808e8b4ae8c82fdf76854412433203f41d0f8b7dcdd'),
	(89, '6b6fbdfc-9dbb-4004-ae1f-1b715076367a', 28, 'CHF', -200, 2, 800, '\x45600eeeb8fcf47417ddf475da7c69060d4ebfd22edbb3321362e0117b3cc654'),
	(90, '6b6fbdfc-9dbb-4004-ae1f-1b715076367a', 30, 'CHF', 200, 3, 600, '\x0275dc11355535412073a776c4bf681af9e0e8765d7bc151a7b432d5259b42e1'),
	(75, '4abaa60f-4e97-46db-ac5e-2f8c7836cd49', 24, 'CHF', -200, 2, 800, '\xb62f6fcbc05f813af86f472a6f5cc87010a5aa056c8f171b33844343ca2c97e6'),
	(76, '4abaa60f-4e97-46db-ac5e-2f8c7836cd49', 25, 'CHF', 200, 2, 400, '\x8e8403b314227bcffbea8e2dc589675a512f3d41a1d49cfbd1a38c1c13596332'),
	(81, '41496729-b8b0-4a34-a6a9-010dcdd6bfec', 2, 'CHF', -1000, NULL, NULL, NULL),
	(82, '41496729-b8b0-4a34-a6a9-010dcdd6bfec', 28, 'CHF', 1000, 1, 1000, '\x2cbf8508ed005330f9d56cbacbe3da2e244437fc794397836b2fd33ea162fa07'),
	(85, '5da613a4-1637-4168-90f3-21ce1272c3e7', 26, 'CHF', -200, 2, 800, '\x6bf23a43b48fb4cca6fb3c40bfd089eb392c3a3ac9ec130850d1787da2f33800'),
	(86, '5da613a4-1637-4168-90f3-21ce1272c3e7', 30, 'CHF', 200, 1, 200, '\x637ea6aa979589162be86b1d3688603e89abdfde46a0f05a2e8d00e671c257f0'),
	(91, '2d3abcab-9688-4379-bcf1-b328f40dec8f', 29, 'CHF', -200, 2, 800, '\xfee2e233765c13f256be4e5ff276e2c8e9219ff3f4ddc3136400a2d6f5789771'),
	(92, '2d3abcab-9688-4379-bcf1-b328f40dec8f', 30, 'CHF', 200, 4, 800, '\xf2996fbae21dd684eb95998d4e11c32a05ab161c352d4a12029d087e8dff5224'),
	(77, 'b1bc2f1d-de3e-4058-928f-b13878ac421c', 2, 'CHF', -1000, NULL, NULL, NULL),
	(78, 'b1bc2f1d-de3e-4058-928f-b13878ac421c', 26, 'CHF', 1000, 1, 1000, '\x4c86f48b11efe9d32b3513184dee53f3b6fdbf0edc6a7123403754fbc2591bb8'),
	(83, 'f4328b8f-4a43-4faf-84e9-7689d6ed2ea9', 2, 'CHF', -1000, NULL, NULL, NULL),
	(84, 'f4328b8f-4a43-4faf-84e9-7689d6ed2ea9', 29, 'CHF', 1000, 1, 1000, '\x7f395e77341060d47f1130644542708e7760ea79328fa8dacbf3d84d0d82c415'),
	(87, '5e3b914f-e2f2-47a2-80ac-ba627a316dea', 27, 'CHF', -200, 2, 800, '\x597f7bb172e65c5ef5fa241cc630ee085a1e3015adba6fe90c5ec29f5cbef0cd'),
	(88, '5e3b914f-e2f2-47a2-80ac-ba627a316dea', 30, 'CHF', 200, 2, 400, '\xa431e0cace89f88bdb723f4cf242386693c4b3eddf3aa8022e0e56e7dd10e880');



INSERT INTO wallet.fee_schedule OVERRIDING SYSTEM VALUE VALUES
	(1, '', 250, 0, NULL, '2026-12-01 05:48:00.534688+00', NULL, '', NULL);






INSERT INTO wallet.hold VALUES
	('8e190f76-dfbe-5295-85bd-80af9c4204f5', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 2, 'player-37801222-8349-40a1-9bed-b07f1e9367c4', 4, 'PAID', NULL, NULL, '2026-12-01 05:48:01.741983+00'),
	('f87c62c9-2d92-56a8-873f-aac081ae7382', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 3, 'player-55b1bd9e-8d0f-4c73-a4ed-a2e69aedab8d', 5, 'PAID', NULL, 390, '2026-12-01 05:48:01.76146+00'),
	('ca7ab02b-8596-5bb4-9b23-502373a15635', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 1, 'player-74bda634-b55a-42c8-b9e4-70a261708062', 3, 'PAID', NULL, 390, '2026-12-01 05:48:01.720197+00'),
	('c7bb2d0f-14c4-5623-80dc-066e22baa789', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 0, 'player-f0f8048b-7eb1-412c-8ee7-55201914c29f', 1, 'PAID', NULL, NULL, '2026-12-01 05:48:01.700578+00'),
	('96f1fc72-a29d-5ed8-be9a-5989831a40af', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 0, 'player-047fc763-8e7e-4fce-b5d9-757ee258e526', 8, 'HELD', NULL, NULL, '2026-12-01 05:48:02.597464+00'),
	('43171450-0bc6-5459-920d-cf0a7ae0870e', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 1, 'player-afc3dc2b-8e1a-4f72-ad66-893e1d76caea', 9, 'HELD', NULL, NULL, '2026-12-01 05:48:02.614627+00'),
	('595d87c7-b835-599f-8d84-7dbd48ce33c2', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 2, 'player-5efd1780-7c58-49f9-b9c8-dfa424e9fc43', 10, 'HELD', NULL, NULL, '2026-12-01 05:48:02.632339+00'),
	('def4130a-63a7-55ad-bbfd-539e281daf5b', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 3, 'player-ec744ca8-de14-4ed8-8454-947265d3454f', 11, 'HELD', NULL, NULL, '2026-12-01 05:48:02.655252+00'),
	('b8a84ce2-1d27-5586-a86c-f3298dc01eae', '078037a0-6aa8-4ade-9c84-9d2740058d50', 0, 'player-d3c040db-87a0-4517-883e-ad1a5f4967b6', 13, 'HELD', NULL, NULL, '2026-12-01 05:48:03.233294+00'),
	('98f018be-5fb6-514b-b60d-55636f41b2a0', '078037a0-6aa8-4ade-9c84-9d2740058d50', 1, 'player-9de0126b-85ad-4ffd-8334-81952fa929cd', 14, 'HELD', NULL, NULL, '2026-12-01 05:48:03.255124+00'),
	('e6208d31-a7da-59f4-b38d-410f20da420c', '078037a0-6aa8-4ade-9c84-9d2740058d50', 2, 'player-32403088-5b19-4ded-aa1c-94df88f50303', 15, 'HELD', NULL, NULL, '2026-12-01 05:48:03.294538+00'),
	('2eb54500-c777-51ab-bbf5-901425d3fba2', '078037a0-6aa8-4ade-9c84-9d2740058d50', 3, 'player-4485df31-9728-4de2-9388-b4afb06d8c01', 16, 'HELD', NULL, NULL, '2026-12-01 05:48:03.354039+00'),
	('18d19f66-0e70-5330-b63b-79fc935c0c24', 'a8c75c60-e4d3-4928-b315-cd34577216d2', 0, 'player-7eb4551e-2186-4af0-bc96-a8612e81f0e3', 18, 'HELD', NULL, NULL, '2026-12-01 05:48:03.667381+00'),
	('4d3d49e7-7786-5a6f-841f-45f60bbc03c1', 'a8c75c60-e4d3-4928-b315-cd34577216d2', 1, 'player-599b63ad-7a4b-4945-834d-cdb42deb35f6', 19, 'HELD', NULL, NULL, '2026-12-01 05:48:03.716034+00'),
	('d7a62766-4f5d-5a76-b645-3d78292e916f', 'a8c75c60-e4d3-4928-b315-cd34577216d2', 2, 'player-958c2d1d-e86f-41a8-bf8c-ba7f51568b8f', 20, 'HELD', NULL, NULL, '2026-12-01 05:48:03.780979+00'),
	('74214ee3-5ee8-58ea-9a9f-80cc2c0d71a0', 'a8c75c60-e4d3-4928-b315-cd34577216d2', 3, 'player-9ab4ef16-06dc-4d18-b029-5c49b34c8789', 21, 'HELD', NULL, NULL, '2026-12-01 05:48:03.808548+00'),
	('f8cfbdae-b87f-5c32-b456-f4e1e4848eac', 'bc63d3e3-7a2f-4499-8b79-61acb039292b', 0, 'player-37136121-7448-48af-922d-2ba7604e3fd0', 23, 'HELD', NULL, NULL, '2026-12-01 05:48:04.103069+00'),
	('5156fb96-c513-5b34-a780-1de4f3a34947', 'bc63d3e3-7a2f-4499-8b79-61acb039292b', 1, 'player-f8e66e60-ab4a-430b-994f-2523dd6637a4', 24, 'HELD', NULL, NULL, '2026-12-01 05:48:04.185486+00'),
	('68c8a6be-98af-55b8-b7b2-37085f82949c', '053fbfc0-95ab-4162-921e-cddfd1a0001c', 0, 'player-ad8f3b4c-8951-4559-bc93-490e7c794485', 26, 'HELD', NULL, NULL, '2026-12-01 05:48:04.268252+00'),
	('597527ec-f8e9-5ba6-a224-3113a9069d5f', '053fbfc0-95ab-4162-921e-cddfd1a0001c', 1, 'player-f94af624-354c-4cda-99a1-1ee7a2128fed', 27, 'HELD', NULL, NULL, '2026-12-01 05:48:04.298903+00'),
	('f64160b6-22be-5434-a85e-1129db287e2e', '053fbfc0-95ab-4162-921e-cddfd1a0001c', 2, 'player-f96ddf62-c649-4db5-8098-a508314e8fab', 28, 'HELD', NULL, NULL, '2026-12-01 05:48:04.314284+00'),
	('aaff1a09-ab21-5c02-8361-9b6c055b527b', '053fbfc0-95ab-4162-921e-cddfd1a0001c', 3, 'player-1e3f2ce1-85ac-44b0-a3c7-cb7991d06067', 29, 'HELD', NULL, NULL, '2026-12-01 05:48:04.332108+00');



INSERT INTO wallet.idempotency VALUES
	('default', '2f86c430-1063-4628-9b57-d68e5ae9e663', '\xec4c49a59800951339f4c5dcd31a6de515663d929a709c774539927e419e3858', 1, '2026-12-01 05:48:01.603293+00'),
	('default', 'fe47b1cf-285a-4c90-9be7-e526d547f4f2', '\x218d04974b3ec7756e3948cbdb6462599b45c3e13b6b78032d434ef02fdf5b31', 4, '2026-12-01 05:48:01.635667+00'),
	('default', '98337a4e-3e06-4f68-9cc8-2312b556875c', '\xa87064141041ebee931fe75bc1beadde751301281b312e20ffb0b2a16f53c19a', 6, '2026-12-01 05:48:01.647211+00'),
	('default', '9de80e90-c0ad-46a7-8f43-9cd493ad578e', '\x54bb82553f46b49b83c1802c185b4d4ddc58d05ee5a7ec6bba5748dd4c80ac86', 8, '2026-12-01 05:48:01.654308+00'),
	('default', '35f392f5-cea9-4087-a899-5ac2788f83cf', '\x6105559c3c1d899420b50b74d7807fd85d2af2eb7ccc9c8f626ad4827896ad26', 22, '2026-12-01 05:48:02.559404+00'),
	('default', 'd6c4863b-385a-4534-bf48-61854899c47f', '\x9d68829767f6b3ff89d208637923dd7a16845baf535021f05d8f21ff9b46e764', 24, '2026-12-01 05:48:02.564865+00'),
	('default', 'f08ceecf-966b-43fd-aa51-40993cf33f49', '\x7a38342ad9cd28f7623c3576a1dfbbf9d1c22d45d48b55023511a4d7b292765f', 26, '2026-12-01 05:48:02.568478+00'),
	('default', '6e8b6cbe-68bf-4bb1-908b-d1c02ab7bb6e', '\x08e3b941b9e716c8d08391ad2e71584ecce9178b62f61e09d60bfd388a3b5272', 28, '2026-12-01 05:48:02.572661+00'),
	('default', '829a4d3e-988e-4b22-b8b2-4c65a5d60831', '\x858066137679fd5ac4963d46da5e17cfe1a875fdeabb6f8652013a0c000c9af7', 38, '2026-12-01 05:48:03.158177+00'),
	('default', '20961554-2228-4350-8b26-3b85a4d95610', '\x017697f4ad4bf60a6b0397c7591e80137b4f914a7eb20451c5091fddf10755f5', 40, '2026-12-01 05:48:03.166325+00'),
	('default', '9edcb7b3-0fc8-473e-b308-0fe2e3a1d57f', '\x162d908fc55431ad56c06e1487efe4f7d7d87a6d777cbabca87ef044d8415e6f', 42, '2026-12-01 05:48:03.195479+00'),
	('default', 'a9275985-2aa3-476b-abb0-1850d32c20e3', '\x9127cf16b40a235803e087369b60e49cb04e2ff64655c71a015e6088cf04bf65', 44, '2026-12-01 05:48:03.212243+00'),
	('default', 'fa162436-3f44-4544-9cab-08e756d0fc24', '\x6b20e3ea8a27c33299af2f7f90d8b1926959ff2212f05f2e5f015fdb558c34dc', 54, '2026-12-01 05:48:03.564842+00'),
	('default', '5ff5c9f3-6513-4bac-b0f4-f06976a72eb2', '\xd5cee9cc6100cd71151c477a66deacb6ad0fb507f2b844cddb04764bd76509f7', 56, '2026-12-01 05:48:03.569598+00'),
	('default', '8c7b969c-ad27-4c47-ba66-ac0630db5d9b', '\x03d810024352b8e11ddc573d990452f88b2988c734e229b54aed8a7e7a3a852d', 58, '2026-12-01 05:48:03.574217+00'),
	('default', '8df3da76-a66c-4741-a3c6-113fc22ea349', '\x681541a14895abf99ef5edba3257f89e547bceea584ba8495a40702b560ce75a', 60, '2026-12-01 05:48:03.607988+00'),
	('default', '890c17cc-f14c-4d8f-9c90-438122275b8a', '\x0859afcbe4e2d3b475bd8a2520dd7fe6c22a400b379dbf1d7af69d656d18ffe8', 70, '2026-12-01 05:48:04.073001+00'),
	('default', '5c66c336-0a01-4b0c-89fd-ff0cb2428166', '\x647186cf2599e293b52dfbe6657a47c8a17fd68004bb5f97c87d875d5e8ad2f1', 72, '2026-12-01 05:48:04.07761+00'),
	('default', 'db114dce-ad1c-4126-9086-0ad2615149fb', '\x18ed7ecb2424ac539e3a154234dbe18a480294b3321e1b4a75dd7f315f05a2d7', 78, '2026-12-01 05:48:04.201593+00'),
	('default', 'edae4734-f65f-4e54-8241-212bf3a91f71', '\x3a388919bb462aab3f815e4bd8a29ef634dcc1b5fb99fc17cff863a7acbcba75', 80, '2026-12-01 05:48:04.211042+00'),
	('default', 'f1b5ead2-f25e-4be1-aec0-cf563c175bf4', '\x4be91b2862e8f1c73c538490700604c30e3014ed83b74def61c59ea48bd769de', 82, '2026-12-01 05:48:04.21655+00'),
	('default', '0412a309-de76-4de3-a460-23132bf05a61', '\x5f2367ced34c35215bdc5f8fd3786f7fd2df7f817a20e344a81e178720351dde', 84, '2026-12-01 05:48:04.224501+00');



INSERT INTO wallet.journal VALUES
	('1e1d3185-4665-4fe1-9474-3a034e4fdf43', 'deposit', NULL, '', '2026-12-01 05:48:01.615077+00', '770', 'default', '2f86c430-1063-4628-9b57-d68e5ae9e663', 'operator', 'default'),
	('16fcc00a-b2f3-4f6a-9ee4-ca4271b3e710', 'deposit', NULL, '', '2026-12-01 05:48:01.637969+00', '771', 'default', 'fe47b1cf-285a-4c90-9be7-e526d547f4f2', 'operator', 'default'),
	('54abe18c-5f9e-4df2-b1bd-cd68b56d2dff', 'deposit', NULL, '', '2026-12-01 05:48:01.649392+00', '772', 'default', '98337a4e-3e06-4f68-9cc8-2312b556875c', 'operator', 'default'),
	('fcc56346-e16a-4253-9978-fcd6e524c5ce', 'deposit', NULL, '', '2026-12-01 05:48:01.65489+00', '773', 'default', '9de80e90-c0ad-46a7-8f43-9cd493ad578e', 'operator', 'default'),
	('186d23af-cebc-4f49-9ba6-ee9f90fc370f', 'stake', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', '', '2026-12-01 05:48:01.701224+00', '776', NULL, NULL, NULL, NULL),
	('e3dc6fa1-cb2f-4522-a27f-d8beb29c7786', 'stake', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', '', '2026-12-01 05:48:01.720711+00', '778', NULL, NULL, NULL, NULL),
	('a1370fa7-7636-43b1-b7f6-6bc4416c550b', 'stake', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', '', '2026-12-01 05:48:01.742456+00', '779', NULL, NULL, NULL, NULL),
	('2a59f6a3-8d94-460f-ad28-07069a3aede4', 'stake', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', '', '2026-12-01 05:48:01.761754+00', '780', NULL, NULL, NULL, NULL),
	('4f47f958-9a3a-41e1-859f-dffbcebb355b', 'payout', 'c2daeeeb-7f18-4c36-899d-235ea3e4e28c', '', '2026-12-01 05:48:02.518184+00', '785', NULL, NULL, NULL, NULL),
	('8288724d-7a4e-4bb9-a845-c8e69b0653bd', 'deposit', NULL, '', '2026-12-01 05:48:02.560148+00', '788', 'default', '35f392f5-cea9-4087-a899-5ac2788f83cf', 'operator', 'default'),
	('bc8f774c-97c8-491b-be36-59fc766425fd', 'deposit', NULL, '', '2026-12-01 05:48:02.565441+00', '789', 'default', 'd6c4863b-385a-4534-bf48-61854899c47f', 'operator', 'default'),
	('00066d55-024e-493a-85ef-6fc304de583c', 'deposit', NULL, '', '2026-12-01 05:48:02.569066+00', '790', 'default', 'f08ceecf-966b-43fd-aa51-40993cf33f49', 'operator', 'default'),
	('6ff7bf32-0020-4b63-8895-1a24630629b4', 'deposit', NULL, '', '2026-12-01 05:48:02.573232+00', '791', 'default', '6e8b6cbe-68bf-4bb1-908b-d1c02ab7bb6e', 'operator', 'default'),
	('f8e8c48f-a740-4a44-86b1-8f2606c0ecb3', 'stake', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', '', '2026-12-01 05:48:02.597789+00', '795', NULL, NULL, NULL, NULL),
	('9264ada8-9155-4271-bfb4-fb96423bf1af', 'stake', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', '', '2026-12-01 05:48:02.614958+00', '797', NULL, NULL, NULL, NULL),
	('1a21208f-6453-49cf-ae7e-125ff4623932', 'stake', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', '', '2026-12-01 05:48:02.632599+00', '798', NULL, NULL, NULL, NULL),
	('b15d22c6-cbb8-4a29-aedc-92d85c1f7852', 'stake', '9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', '', '2026-12-01 05:48:02.655467+00', '799', NULL, NULL, NULL, NULL),
	('17bcfed0-4f2e-49ac-831e-2b33a01a3825', 'deposit', NULL, '', '2026-12-01 05:48:03.158804+00', '806', 'default', '829a4d3e-988e-4b22-b8b2-4c65a5d60831', 'operator', 'default'),
	('f978fad3-518e-452d-b450-138f6cdc8d80', 'deposit', NULL, '', '2026-12-01 05:48:03.166994+00', '807', 'default', '20961554-2228-4350-8b26-3b85a4d95610', 'operator', 'default'),
	('169a1669-b064-4c46-9cbf-129f86627483', 'deposit', NULL, '', '2026-12-01 05:48:03.196502+00', '808', 'default', '9edcb7b3-0fc8-473e-b308-0fe2e3a1d57f', 'operator', 'default'),
	('9d1dc767-47b6-4de8-a6c2-d00e5e833f8b', 'deposit', NULL, '', '2026-12-01 05:48:03.212873+00', '809', 'default', 'a9275985-2aa3-476b-abb0-1850d32c20e3', 'operator', 'default'),
	('b4e06266-8521-464e-a29f-c0fb6bb55a09', 'stake', '078037a0-6aa8-4ade-9c84-9d2740058d50', '', '2026-12-01 05:48:03.23353+00', '812', NULL, NULL, NULL, NULL),
	('c4ce5269-bc56-478e-bef3-98ba32e8a5c0', 'stake', '078037a0-6aa8-4ade-9c84-9d2740058d50', '', '2026-12-01 05:48:03.255364+00', '814', NULL, NULL, NULL, NULL),
	('83bb1500-6dce-40c2-a844-26a3a1806055', 'stake', '078037a0-6aa8-4ade-9c84-9d2740058d50', '', '2026-12-01 05:48:03.294771+00', '815', NULL, NULL, NULL, NULL),
	('b1dcbc64-ac57-401e-8997-388b617e8ddc', 'stake', '078037a0-6aa8-4ade-9c84-9d2740058d50', '', '2026-12-01 05:48:03.359001+00', '816', NULL, NULL, NULL, NULL),
	('085cbe14-a59e-4682-9693-fd1329e438bf', 'deposit', NULL, '', '2026-12-01 05:48:03.565522+00', '821', 'default', 'fa162436-3f44-4544-9cab-08e756d0fc24', 'operator', 'default'),
	('0280d6ec-6fbb-4e94-adc1-d2cfaa3349b0', 'deposit', NULL, '', '2026-12-01 05:48:03.570148+00', '822', 'default', '5ff5c9f3-6513-4bac-b0f4-f06976a72eb2', 'operator', 'default'),
	('df814063-cb99-4039-9493-3b3a301f7289', 'deposit', NULL, '', '2026-12-01 05:48:03.574744+00', '823', 'default', '8c7b969c-ad27-4c47-ba66-ac0630db5d9b', 'operator', 'default'),
	('6b210fd6-adde-40c9-9a21-78173006527d', 'deposit', NULL, '', '2026-12-01 05:48:03.608609+00', '825', 'default', '8df3da76-a66c-4741-a3c6-113fc22ea349', 'operator', 'default'),
	('9060fa81-a203-4411-9d91-fcd9c61f8981', 'stake', 'a8c75c60-e4d3-4928-b315-cd34577216d2', '', '2026-12-01 05:48:03.667692+00', '828', NULL, NULL, NULL, NULL),
	('fc1d6097-7c3f-43cd-81f9-f4b8d7cfacdf', 'stake', 'a8c75c60-e4d3-4928-b315-cd34577216d2', '', '2026-12-01 05:48:03.716254+00', '830', NULL, NULL, NULL, NULL),
	('df8746d5-4536-41ee-b43d-5c501157151b', 'stake', 'a8c75c60-e4d3-4928-b315-cd34577216d2', '', '2026-12-01 05:48:03.781211+00', '831', NULL, NULL, NULL, NULL),
	('9eaf22a5-4e21-4d35-9bdb-642b90ec5b79', 'stake', 'a8c75c60-e4d3-4928-b315-cd34577216d2', '', '2026-12-01 05:48:03.808825+00', '832', NULL, NULL, NULL, NULL),
	('1bde6228-2539-4428-9b65-418f6d651c84', 'deposit', NULL, '', '2026-12-01 05:48:04.073359+00', '837', 'default', '890c17cc-f14c-4d8f-9c90-438122275b8a', 'operator', 'default'),
	('93e156c2-b58a-4b8b-bd25-f00f2e48fa4b', 'deposit', NULL, '', '2026-12-01 05:48:04.0782+00', '838', 'default', '5c66c336-0a01-4b0c-89fd-ff0cb2428166', 'operator', 'default'),
	('fc17b213-fd74-4458-a4f3-e7570a623b43', 'stake', 'bc63d3e3-7a2f-4499-8b79-61acb039292b', '', '2026-12-01 05:48:04.103286+00', '841', NULL, NULL, NULL, NULL),
	('4abaa60f-4e97-46db-ac5e-2f8c7836cd49', 'stake', 'bc63d3e3-7a2f-4499-8b79-61acb039292b', '', '2026-12-01 05:48:04.185728+00', '843', NULL, NULL, NULL, NULL),
	('b1bc2f1d-de3e-4058-928f-b13878ac421c', 'deposit', NULL, '', '2026-12-01 05:48:04.202191+00', '844', 'default', 'db114dce-ad1c-4126-9086-0ad2615149fb', 'operator', 'default'),
	('dc47db1b-c7a4-4abe-a6ef-5f7028c15127', 'deposit', NULL, '', '2026-12-01 05:48:04.211305+00', '845', 'default', 'edae4734-f65f-4e54-8241-212bf3a91f71', 'operator', 'default'),
	('41496729-b8b0-4a34-a6a9-010dcdd6bfec', 'deposit', NULL, '', '2026-12-01 05:48:04.216948+00', '846', 'default', 'f1b5ead2-f25e-4be1-aec0-cf563c175bf4', 'operator', 'default'),
	('f4328b8f-4a43-4faf-84e9-7689d6ed2ea9', 'deposit', NULL, '', '2026-12-01 05:48:04.228141+00', '847', 'default', '0412a309-de76-4de3-a460-23132bf05a61', 'operator', 'default'),
	('5da613a4-1637-4168-90f3-21ce1272c3e7', 'stake', '053fbfc0-95ab-4162-921e-cddfd1a0001c', '', '2026-12-01 05:48:04.268661+00', '850', NULL, NULL, NULL, NULL),
	('5e3b914f-e2f2-47a2-80ac-ba627a316dea', 'stake', '053fbfc0-95ab-4162-921e-cddfd1a0001c', '', '2026-12-01 05:48:04.299253+00', '852', NULL, NULL, NULL, NULL),
	('6b6fbdfc-9dbb-4004-ae1f-1b715076367a', 'stake', '053fbfc0-95ab-4162-921e-cddfd1a0001c', '', '2026-12-01 05:48:04.314433+00', '853', NULL, NULL, NULL, NULL),
	('2d3abcab-9688-4379-bcf1-b328f40dec8f', 'stake', '053fbfc0-95ab-4162-921e-cddfd1a0001c', '', '2026-12-01 05:48:04.332301+00', '854', NULL, NULL, NULL, NULL);



INSERT INTO wallet.lineage OVERRIDING SYSTEM VALUE VALUES
	(1, '7714208275847976824-e1afd7bdd1dc', '7714208275847976824/16387/16775', 1, '2026-12-01 05:48:00.527397+00');



INSERT INTO wallet.operator_act OVERRIDING SYSTEM VALUE VALUES
	(1, 'operator', 'default', 'deposit', '2f86c430-1063-4628-9b57-d68e5ae9e663', 'default', 'player-f0f8048b-7eb1-412c-8ee7-55201914c29f', '', '1e1d3185-4665-4fe1-9474-3a034e4fdf43', '2026-12-01 05:48:01.626407+00'),
	(2, 'operator', 'default', 'deposit', 'fe47b1cf-285a-4c90-9be7-e526d547f4f2', 'default', 'player-74bda634-b55a-42c8-b9e4-70a261708062', '', '16fcc00a-b2f3-4f6a-9ee4-ca4271b3e710', '2026-12-01 05:48:01.639595+00'),
	(3, 'operator', 'default', 'deposit', '98337a4e-3e06-4f68-9cc8-2312b556875c', 'default', 'player-37801222-8349-40a1-9bed-b07f1e9367c4', '', '54abe18c-5f9e-4df2-b1bd-cd68b56d2dff', '2026-12-01 05:48:01.651026+00'),
	(4, 'operator', 'default', 'deposit', '9de80e90-c0ad-46a7-8f43-9cd493ad578e', 'default', 'player-55b1bd9e-8d0f-4c73-a4ed-a2e69aedab8d', '', 'fcc56346-e16a-4253-9978-fcd6e524c5ce', '2026-12-01 05:48:01.65542+00'),
	(5, 'operator', 'default', 'deposit', '35f392f5-cea9-4087-a899-5ac2788f83cf', 'default', 'player-047fc763-8e7e-4fce-b5d9-757ee258e526', '', '8288724d-7a4e-4bb9-a845-c8e69b0653bd', '2026-12-01 05:48:02.560745+00'),
	(6, 'operator', 'default', 'deposit', 'd6c4863b-385a-4534-bf48-61854899c47f', 'default', 'player-afc3dc2b-8e1a-4f72-ad66-893e1d76caea', '', 'bc8f774c-97c8-491b-be36-59fc766425fd', '2026-12-01 05:48:02.565852+00'),
	(7, 'operator', 'default', 'deposit', 'f08ceecf-966b-43fd-aa51-40993cf33f49', 'default', 'player-5efd1780-7c58-49f9-b9c8-dfa424e9fc43', '', '00066d55-024e-493a-85ef-6fc304de583c', '2026-12-01 05:48:02.569503+00'),
	(8, 'operator', 'default', 'deposit', '6e8b6cbe-68bf-4bb1-908b-d1c02ab7bb6e', 'default', 'player-ec744ca8-de14-4ed8-8454-947265d3454f', '', '6ff7bf32-0020-4b63-8895-1a24630629b4', '2026-12-01 05:48:02.57366+00'),
	(9, 'operator', 'default', 'deposit', '829a4d3e-988e-4b22-b8b2-4c65a5d60831', 'default', 'player-d3c040db-87a0-4517-883e-ad1a5f4967b6', '', '17bcfed0-4f2e-49ac-831e-2b33a01a3825', '2026-12-01 05:48:03.159212+00'),
	(10, 'operator', 'default', 'deposit', '20961554-2228-4350-8b26-3b85a4d95610', 'default', 'player-9de0126b-85ad-4ffd-8334-81952fa929cd', '', 'f978fad3-518e-452d-b450-138f6cdc8d80', '2026-12-01 05:48:03.167406+00'),
	(11, 'operator', 'default', 'deposit', '9edcb7b3-0fc8-473e-b308-0fe2e3a1d57f', 'default', 'player-32403088-5b19-4ded-aa1c-94df88f50303', '', '169a1669-b064-4c46-9cbf-129f86627483', '2026-12-01 05:48:03.196951+00'),
	(12, 'operator', 'default', 'deposit', 'a9275985-2aa3-476b-abb0-1850d32c20e3', 'default', 'player-4485df31-9728-4de2-9388-b4afb06d8c01', '', '9d1dc767-47b6-4de8-a6c2-d00e5e833f8b', '2026-12-01 05:48:03.213284+00'),
	(13, 'operator', 'default', 'deposit', 'fa162436-3f44-4544-9cab-08e756d0fc24', 'default', 'player-7eb4551e-2186-4af0-bc96-a8612e81f0e3', '', '085cbe14-a59e-4682-9693-fd1329e438bf', '2026-12-01 05:48:03.565943+00'),
	(14, 'operator', 'default', 'deposit', '5ff5c9f3-6513-4bac-b0f4-f06976a72eb2', 'default', 'player-599b63ad-7a4b-4945-834d-cdb42deb35f6', '', '0280d6ec-6fbb-4e94-adc1-d2cfaa3349b0', '2026-12-01 05:48:03.570554+00'),
	(15, 'operator', 'default', 'deposit', '8c7b969c-ad27-4c47-ba66-ac0630db5d9b', 'default', 'player-958c2d1d-e86f-41a8-bf8c-ba7f51568b8f', '', 'df814063-cb99-4039-9493-3b3a301f7289', '2026-12-01 05:48:03.575137+00'),
	(16, 'operator', 'default', 'deposit', '8df3da76-a66c-4741-a3c6-113fc22ea349', 'default', 'player-9ab4ef16-06dc-4d18-b029-5c49b34c8789', '', '6b210fd6-adde-40c9-9a21-78173006527d', '2026-12-01 05:48:03.608997+00'),
	(17, 'operator', 'default', 'deposit', '890c17cc-f14c-4d8f-9c90-438122275b8a', 'default', 'player-37136121-7448-48af-922d-2ba7604e3fd0', '', '1bde6228-2539-4428-9b65-418f6d651c84', '2026-12-01 05:48:04.073707+00'),
	(18, 'operator', 'default', 'deposit', '5c66c336-0a01-4b0c-89fd-ff0cb2428166', 'default', 'player-f8e66e60-ab4a-430b-994f-2523dd6637a4', '', '93e156c2-b58a-4b8b-bd25-f00f2e48fa4b', '2026-12-01 05:48:04.078589+00'),
	(19, 'operator', 'default', 'deposit', 'db114dce-ad1c-4126-9086-0ad2615149fb', 'default', 'player-ad8f3b4c-8951-4559-bc93-490e7c794485', '', 'b1bc2f1d-de3e-4058-928f-b13878ac421c', '2026-12-01 05:48:04.202683+00'),
	(20, 'operator', 'default', 'deposit', 'edae4734-f65f-4e54-8241-212bf3a91f71', 'default', 'player-f94af624-354c-4cda-99a1-1ee7a2128fed', '', 'dc47db1b-c7a4-4abe-a6ef-5f7028c15127', '2026-12-01 05:48:04.211597+00'),
	(21, 'operator', 'default', 'deposit', 'f1b5ead2-f25e-4be1-aec0-cf563c175bf4', 'default', 'player-f96ddf62-c649-4db5-8098-a508314e8fab', '', '41496729-b8b0-4a34-a6a9-010dcdd6bfec', '2026-12-01 05:48:04.218172+00'),
	(22, 'operator', 'default', 'deposit', '0412a309-de76-4de3-a460-23132bf05a61', 'default', 'player-1e3f2ce1-85ac-44b0-a3c7-cb7991d06067', '', 'f4328b8f-4a43-4faf-84e9-7689d6ed2ea9', '2026-12-01 05:48:04.228725+00');



INSERT INTO wallet.pending_roll_up VALUES
	(59, 2),
	(69, 2),
	(71, 2),
	(77, 2),
	(79, 2),
	(81, 2),
	(83, 2);



INSERT INTO wallet.pot VALUES
	('c2daeeeb-7f18-4c36-899d-235ea3e4e28c', 'default', 'CHF', 200, 20, 1, 6, 'SETTLED', '{1,3}', '\xd91253dec6efb960fbcbd81873d0e69695002ed2591d4ee1836895301990f30f', '120fbc18-f659-5db7-bf70-445cfd2ea57c', NULL, '2026-12-01 05:48:01.686691+00', '2026-12-01 05:48:01.830616+00', '2026-12-01 05:48:02.518911+00'),
	('9e6b65b1-3db2-45fe-8b6b-7259d3cb5bb0', 'default', 'CHF', 200, 20, 1, 12, 'LOCKED', NULL, NULL, 'e1a9b50c-a0d9-5fe5-8b6a-7cf5d620ea42', NULL, '2026-12-01 05:48:02.590708+00', '2026-12-01 05:48:02.666602+00', NULL),
	('078037a0-6aa8-4ade-9c84-9d2740058d50', 'default', 'CHF', 200, 20, 1, 17, 'LOCKED', NULL, NULL, '1803029b-cb88-530e-8c39-f33ecb0953c9', NULL, '2026-12-01 05:48:03.228038+00', '2026-12-01 05:48:03.427844+00', NULL),
	('a8c75c60-e4d3-4928-b315-cd34577216d2', 'default', 'CHF', 200, 20, 1, 22, 'LOCKED', NULL, NULL, '3fee23b7-4877-5777-8eb8-c2e82b44f87a', NULL, '2026-12-01 05:48:03.649095+00', '2026-12-01 05:48:03.840884+00', NULL),
	('bc63d3e3-7a2f-4499-8b79-61acb039292b', 'default', 'CHF', 200, 20, 1, 25, 'OPEN', NULL, NULL, NULL, NULL, '2026-12-01 05:48:04.093853+00', NULL, NULL),
	('053fbfc0-95ab-4162-921e-cddfd1a0001c', 'default', 'CHF', 200, 20, 1, 30, 'LOCKED', NULL, NULL, '95d22e8a-5089-5d19-a24d-bdeac02f529d', NULL, '2026-12-01 05:48:04.260306+00', '2026-12-01 05:48:04.341616+00', NULL);






INSERT INTO wallet.retention VALUES
	(true, '-infinity', '00000000-0000-0000-0000-000000000000');



INSERT INTO wallet.roll_up VALUES
	(2, 1, '{2,3,5,7,21,23,25,27}', -8000, -8000, '\x38756d518a6ec7f9f2ad4a8838adbe8b4c18699f7e46da84b0de97919fc415fd', '2026-12-01 05:48:02.580374+00'),
	(7, 1, '{20}', 20, 20, '\x9c0440b01131e8fcbd4de023b68d9764051ed910b83612930204853e1520e2dd', '2026-12-01 05:48:02.580939+00'),
	(2, 2, '{37,39,41,43,53,55,57}', -7000, -15000, '\xcd8c187650acca558cadfcc0f3da686624693dac3b8e066319a9dee9ed917fa8', '2026-12-01 05:48:03.583822+00');



INSERT INTO wallet.schema_file VALUES
	('0001_ledger.sql', 'e1d5d273b5660ee354efc1b4096235ff0a189240db1a5d606bb0461071d9b709', '2026-12-01 05:47:58.899474+00'),
	('0002_recovery.sql', '3bd1dd0767a25c98484982009e9087a0d4fcbec87ed225b4090bfc47844e894a', '2026-12-01 05:47:58.904514+00');



INSERT INTO wallet.schema_state VALUES
	(true, '0002', '0002', '0.1.0', '2026-12-01 05:47:58.918848+00');



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




