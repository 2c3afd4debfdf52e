


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
	('0003');









INSERT INTO matchmaking.game VALUES
	('afce624c-a94a-4945-9130-ca1f87d17d05', 'default', 'player-c5370356-ddd1-4a3a-a89b-dad84bc55bb0', '11313cd3-24c1-4224-9f3c-e8b4734e8b13', '\x6132386632313865306566386432636636303431663731636463646464666161', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'FINISHED', '926fbba2-a95e-5de8-a90e-c90bebc94e0e', '[{"seat": 0, "player": "player-c5370356-ddd1-4a3a-a89b-dad84bc55bb0", "reservation": "4ff09225-bb5a-5435-bf11-4d9ffc601daf"}, {"seat": 1, "player": "player-c8bc2c23-2b1a-4f00-822c-3dbf5b957a66", "reservation": "e8911ed6-8be6-5915-9002-1e402e80a385"}, {"seat": 2, "player": "player-7d4b6bee-ebd9-4a60-afb6-8b15ec3db857", "reservation": "69fd6b15-bf3a-5000-90fb-5383b51a1afd"}, {"seat": 3, "player": "player-95c99e31-01df-4c21-b644-21aad5f1011a", "reservation": "e9775d78-fc90-5db7-9e01-d4aec5597161"}]', '{"fee": 20, "points": [94, 112], "voided": false, "payouts": [390, 390], "end_time": "2026-12-01T05:44:52.099502+00:00", "winning_seats": [1, 3]}', '2026-12-01 05:44:51.007+00', '2026-12-01 06:14:51.007+00', '2026-12-01 05:44:51.084377+00', '2026-12-01 05:44:52.099502+00', false, false, NULL, NULL, '2026-12-01 05:44:54.102159+00', 5, true),
	('ccf8059b-46fe-4027-947c-eed6de26ac06', 'default', 'player-24350adc-26a3-4a93-8d75-f5da583b098b', '1644d2ff-cf4d-4c27-84d8-f78b218a2ae2', '\x3630323938613265656535313539323738643938343534303535313665643132', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c6173736963100118900320002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 400, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'db21911c-6696-58ed-9a2e-25acb30300b5', '[{"seat": 0, "player": "player-24350adc-26a3-4a93-8d75-f5da583b098b", "reservation": "c863ef68-25cd-56a6-b04a-e93895d88e76"}, {"seat": 1, "player": "player-57de4803-4c32-4e10-9f28-cad8e200d517", "reservation": "9a35c9d7-7789-5894-a9c1-84089652a524"}, {"seat": 2, "player": "player-292718d3-705f-4134-8aef-82d65aca45b1", "reservation": "5145fd09-a057-551c-b878-46bebaeaa5f7"}, {"seat": 3, "player": "player-53083eeb-7459-458d-bd76-91e173a1a6a0", "reservation": "1d2eeff7-a6d0-524c-a54d-83f19e27cdae"}]', NULL, '2026-12-01 05:44:52.136+00', '2026-12-01 06:14:52.136+00', '2026-12-01 05:44:52.185078+00', NULL, false, false, NULL, NULL, '2026-12-01 05:45:22.213458+00', 4, true),
	('b93c34ed-9b72-4348-8048-043b93209850', 'default', 'player-ea65413b-bddd-4a44-a715-265a93669820', '4576918d-2b33-4189-a7c0-dc041a93e8e3', '\x3161646135623362646366306666326631643239346339396565346466613335', NULL, 'differenzler-classic', 'differenzler', '\x0a14646966666572656e7a6c65722d636c617373696310023802c00101c80101d00102d80102e00100e80101', '{"preset": "differenzler-classic", "rounds": 2, "variant": "VARIANT_DIFFERENZLER", "undertrump": "UNDERTRUMP_ALLOWED", "exact_bonus": 0, "live_points": true, "announcements": "ANNOUNCEMENTS_HIDDEN", "first_forehand": "FIRST_FOREHAND_RANDOM", "tie_round_eligible": "TIE_ROUND_ELIGIBLE_ALL"}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'c6d68184-96c9-53a6-8e14-a6d2d0987a02', '[{"seat": 0, "player": "player-ea65413b-bddd-4a44-a715-265a93669820", "reservation": "81966ec8-c9cf-5c02-9b4e-19651cd08902"}, {"seat": 1, "player": "player-3838945c-8ce1-4146-92d1-ee0904910151", "reservation": "80cbe166-1177-5c79-b4c9-cedf5d85d219"}, {"seat": 2, "player": "player-8cd4d489-72f6-48d0-be9c-3fd012d09ea6", "reservation": "bec5789a-1a9a-5981-82ae-05528dc6b3c5"}, {"seat": 3, "player": "player-f61a82df-7576-46b2-ad12-1222dbb68fc7", "reservation": "88833a21-3ff0-5dd7-9c45-31ba51a22ed9"}]', NULL, '2026-12-01 05:44:52.539+00', '2026-12-01 06:14:52.539+00', '2026-12-01 05:44:52.583209+00', NULL, false, false, NULL, NULL, '2026-12-01 05:45:22.606283+00', 4, true),
	('10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 'default', 'player-2ee3a753-c71c-4adb-93a4-7d545fdb8f92', '2b1e2991-ae81-4ce8-a7e5-ee3a049d4296', '\x6134393664656564626537626337306239376333636136346162663730333365', NULL, 'schieber-partner', 'schieber', '\x0a1073636869656265722d706172746e6572100118ac0220002a0c080110011802200228033004306438014001489601500058016001680270027801800100880100900100980101a00101a80102c00100c80101', '{"finish": "FINISH_AUTOMATIC", "preset": "schieber-partner", "target": 300, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_OWN_FIRST_CARD", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_TEAM_ALL", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_SECOND_CARD", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', 'bf60ea1c-3605-5946-aa5d-fd2ac0d552fc', '[{"seat": 0, "player": "player-2ee3a753-c71c-4adb-93a4-7d545fdb8f92", "reservation": "50a71f81-9abc-5fff-b86d-15c0b7190d4b"}, {"seat": 1, "player": "player-b1e46326-b5b6-4b0f-bf28-6722da595640", "reservation": "63e46bed-7009-51cc-8957-98fe294c997d"}, {"seat": 2, "player": "player-f6525292-25ac-4ac3-8e8b-fbb9e871c8ce", "reservation": "7b31a5a5-f0ac-5655-8650-75ea4826d08a"}, {"seat": 3, "player": "player-35e207af-4331-4194-9d69-c5bf94a03fd6", "reservation": "6225bd38-b35b-5fd4-aef6-e27014e7a68c"}]', NULL, '2026-12-01 05:44:52.672+00', '2026-12-01 06:14:52.672+00', '2026-12-01 05:44:52.744034+00', NULL, false, false, NULL, NULL, '2026-12-01 05:45:22.770828+00', 4, true),
	('0f883380-f59a-486b-8c35-d3b2d9d39158', 'default', 'player-5d826678-8163-4fa3-a059-3da62003703b', '62099689-079a-43be-bd71-f6f2616d674f', '\x6466623532356335626331633730306331303634396566366666346166366533', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'OPEN', NULL, NULL, NULL, '2026-12-01 05:44:52.859+00', '2026-12-01 06:14:52.859+00', NULL, NULL, false, false, NULL, NULL, '2026-12-01 05:45:52.874176+00', 2, true),
	('b8833b0b-65e4-4062-856b-50a645d4673d', 'default', 'player-9488bcdf-8457-4101-9967-61e75466953a', '48831985-94c1-4f75-a7c7-805addd0dd1a', '\x6363356135646635383161643430336436383531613762636335626439323538', NULL, 'schieber-classic', 'schieber', '\x0a1073636869656265722d636c61737369631001186420002a0c080110011802200228033004306438014001489601500058016001680170017801800100880100900100980101a00102a80101b00101b80101c00100c80101', '{"finish": "FINISH_CLAIM", "preset": "schieber-classic", "target": 100, "variant": "VARIANT_SCHIEBER", "weis_when": "WEIS_WHEN_BEFORE_LEAD", "claim_when": "CLAIM_WHEN_OWN_TRICK", "four_nines": 150, "undertrump": "UNDERTRUMP_FORBIDDEN", "une_points": "UNE_POINTS_SIX11", "weis_award": "WEIS_AWARD_BEST_ONLY", "weis_table": "WEIS_TABLE_SIMPLE", "live_points": false, "match_bonus": 100, "multipliers": {"bells": 2, "roses": 1, "acorns": 1, "obenabe": 3, "shields": 2, "unenufe": 4}, "weis_shared": false, "low_quartets": 0, "stoeck_timing": "STOECK_TIMING_END", "weis_tiebreak": "WEIS_TIEBREAK_KIND_RANK", "first_forehand": "FIRST_FOREHAND_RANDOM", "schneider_below": 0, "weis_split_runs": false, "weis_declaration": "WEIS_DECLARATION_MANUAL", "weis_needs_trick": false, "une_weis_reversed": true, "claim_counts_unplayed_stoeck": true}', 'CHF', 200, '{"fee": 20, "net": 780, "pot": 800, "stake": 200, "fee_bps": 250, "currency": "CHF", "side_payouts": [390, 390], "fee_schedule_version": 1}', 0, 'PLAYING', '3ed3f69b-fb39-567f-9aa8-27c2ebab7619', '[{"seat": 0, "player": "player-9488bcdf-8457-4101-9967-61e75466953a", "reservation": "af9570e0-ab96-5867-be98-51d871462f41"}, {"seat": 1, "player": "player-ab46a69a-b0b9-4cb3-a1c4-2776a17e4e30", "reservation": "c151c589-0db6-5ea0-b644-d3c398cb6517"}, {"seat": 2, "player": "player-1d809d4e-17e4-432a-88a4-103096829706", "reservation": "a4cabbda-1ab7-5832-a0e4-b64e9dd9100d"}, {"seat": 3, "player": "player-abe3324e-f8fe-408d-a917-19722e1ff916", "reservation": "283566b5-c4ee-5f8d-ad7d-c64cc4fd1d1f"}]', NULL, '2026-12-01 05:44:52.908+00', '2026-12-01 06:14:52.908+00', '2026-12-01 05:44:52.966565+00', NULL, false, false, NULL, NULL, '2026-12-01 05:45:22.98244+00', 4, true);



INSERT INTO matchmaking.pot_watch VALUES
	(true, '2026-12-01 05:44:54.241839+00');



INSERT INTO matchmaking.schema_file VALUES
	('0001_games.sql', '5e8833f995a210e6b9d3d605b01ea9c92b1a63aa6514527923453ec6476d19f9', '2026-12-01 05:44:48.014567+00'),
	('0002_stray_pots.sql', 'f3e856c124dce8753ba7432bce56cf785fd3163c9c4733e62f2cd57164a294ff', '2026-12-01 05:44:48.018619+00'),
	('0003_other_ends.sql', '0e27713d3643f118a09d4641d760eff6baa59296710e0ea08ce855740be1d0dc', '2026-12-01 05:44:48.020288+00');



INSERT INTO matchmaking.schema_state VALUES
	(true, '0003', '0002', '0.1.0', '2026-12-01 05:44:48.021627+00');






INSERT INTO wallet.account OVERRIDING SYSTEM VALUE VALUES
	(13, 'player', 'default', 'player-ea65413b-bddd-4a44-a715-265a93669820', 'CHF', 800, 2, '\xc4a3064b900c79548d57ca70badb747770e945d14e19ed85e1f981bbeadd8cd9', '2026-12-01 05:44:52.518262+00'),
	(23, 'player', 'default', 'player-5d826678-8163-4fa3-a059-3da62003703b', 'CHF', 800, 2, '\xe2b824c2a6c52a960fb058beabb7dca072aaa13af8b64b729aa609775b97c97c', '2026-12-01 05:44:52.845838+00'),
	(1, 'player', 'default', 'player-c5370356-ddd1-4a3a-a89b-dad84bc55bb0', 'CHF', 800, 2, '\x13d6045279a5532f0f4f0f62b19eda6e8671433888e9895679fe993c107bca5f', '2026-12-01 05:44:50.968597+00'),
	(14, 'player', 'default', 'player-3838945c-8ce1-4146-92d1-ee0904910151', 'CHF', 800, 2, '\x2fc7b720964be1ed85f7bc0c18f142e420bc6251a7aef151429d89e682cc3230', '2026-12-01 05:44:52.523841+00'),
	(29, 'player', 'default', 'player-abe3324e-f8fe-408d-a917-19722e1ff916', 'CHF', 800, 2, '\xe63349515bfe463ff87ff987b64ca2cb1adc51dc027575b17cdb5893d5695773', '2026-12-01 05:44:52.902463+00'),
	(15, 'player', 'default', 'player-8cd4d489-72f6-48d0-be9c-3fd012d09ea6', 'CHF', 800, 2, '\xe4082860f39703d9545954d2d75190826565c1df7ac78b5c4df33f6e51f7a945', '2026-12-01 05:44:52.52883+00'),
	(4, 'player', 'default', 'player-7d4b6bee-ebd9-4a60-afb6-8b15ec3db857', 'CHF', 800, 2, '\x9274f9dd55841dc95130a5df8426abaff0c365ba4cfafc0dc991b34c2300198b', '2026-12-01 05:44:50.985452+00'),
	(24, 'player', 'default', 'player-90f28b94-44f8-462f-8be3-8830a577ed46', 'CHF', 800, 2, '\x375593e911ddcc764cdd9a421eb82aa9bb62cc03df85002544519f5bf04420d1', '2026-12-01 05:44:52.849049+00'),
	(16, 'player', 'default', 'player-f61a82df-7576-46b2-ad12-1222dbb68fc7', 'CHF', 800, 2, '\xd11a6ef5e3af6bcbda4cef80278d4850b9c0f8c15281716f5af2ae7dcb333eaf', '2026-12-01 05:44:52.532601+00'),
	(17, 'pot', 'default', 'b93c34ed-9b72-4348-8048-043b93209850', 'CHF', 800, 4, '\x7549bc724a694a1798c7463295b314afc43aefe1131eeff9d91693be4d361d47', '2026-12-01 05:44:52.542866+00'),
	(30, 'pot', 'default', 'b8833b0b-65e4-4062-856b-50a645d4673d', 'CHF', 800, 4, '\x1b71a4bdba3f64f80d729537f9d5ba21fc2c193bf7246e7467a651dc9e5ae4b8', '2026-12-01 05:44:52.910525+00'),
	(3, 'player', 'default', 'player-c8bc2c23-2b1a-4f00-822c-3dbf5b957a66', 'CHF', 1190, 3, '\x272a38e337d8f8d7d4113521d71aeec076fd989055eb7474e124d465384fd68e', '2026-12-01 05:44:50.977812+00'),
	(5, 'player', 'default', 'player-95c99e31-01df-4c21-b644-21aad5f1011a', 'CHF', 1190, 3, '\x2022ded80cc2564dfa1f248c4ee4aeeae0ed454cc289c8dc0f82582ac8c9f194', '2026-12-01 05:44:50.991371+00'),
	(6, 'pot', 'default', 'afce624c-a94a-4945-9130-ca1f87d17d05', 'CHF', 0, 5, '\x4ba98e89109ae404960570dca2951a2157690a99a9c2e284847523f27702af82', '2026-12-01 05:44:51.016852+00'),
	(25, 'pot', 'default', '0f883380-f59a-486b-8c35-d3b2d9d39158', 'CHF', 400, 2, '\x9d8ce1e758bfcc40d2253e688bdc7a09f33218f03f2748dc54ad6404a1711d70', '2026-12-01 05:44:52.863348+00'),
	(8, 'player', 'default', 'player-24350adc-26a3-4a93-8d75-f5da583b098b', 'CHF', 800, 2, '\x95e8afcef4c3b461469882983a031b776de084db612f0c52cd6df35bb1516d6a', '2026-12-01 05:44:52.120106+00'),
	(9, 'player', 'default', 'player-57de4803-4c32-4e10-9f28-cad8e200d517', 'CHF', 800, 2, '\xd917082875810504605179dd39853e6b75397c0eaaa5f0cb9b8f7478d805a73b', '2026-12-01 05:44:52.123677+00'),
	(10, 'player', 'default', 'player-292718d3-705f-4134-8aef-82d65aca45b1', 'CHF', 800, 2, '\xcc601abf35e76815ce7510388ed566b2217c35891448ee967f32de036b23c0df', '2026-12-01 05:44:52.127057+00'),
	(11, 'player', 'default', 'player-53083eeb-7459-458d-bd76-91e173a1a6a0', 'CHF', 800, 2, '\x0e794a96ebe09cf0c92363c55cdd4a95cbd66a894cdc892892ee823f509b16d8', '2026-12-01 05:44:52.13011+00'),
	(12, 'pot', 'default', 'ccf8059b-46fe-4027-947c-eed6de26ac06', 'CHF', 800, 4, '\xae4d69d58bb00f75ccc24e0f0c604a6e4c1d3e3969b9a375f8658b96bd72feb7', '2026-12-01 05:44:52.139544+00'),
	(18, 'player', 'default', 'player-2ee3a753-c71c-4adb-93a4-7d545fdb8f92', 'CHF', 800, 2, '\x23db8e0b295cdfd4d5ee5a02064f71cd8ecdf4c7b163d9b83d843fc81aef63e5', '2026-12-01 05:44:52.643174+00'),
	(19, 'player', 'default', 'player-b1e46326-b5b6-4b0f-bf28-6722da595640', 'CHF', 800, 2, '\x02d9057248b206c713352a97331bb7c7bc9732825ecacdc7e7c336e20ef26ed3', '2026-12-01 05:44:52.651822+00'),
	(20, 'player', 'default', 'player-f6525292-25ac-4ac3-8e8b-fbb9e871c8ce', 'CHF', 800, 2, '\xa4d3e0280b35ba78d4edb8f8f47b2a478170198720488ed381035d128019d8e0', '2026-12-01 05:44:52.660117+00'),
	(21, 'player', 'default', 'player-35e207af-4331-4194-9d69-c5bf94a03fd6', 'CHF', 800, 2, '\x1d70c6ed7baa049dd991690afd5c3999b43b39ce1a82138b7fac49f2bd259fd8', '2026-12-01 05:44:52.664566+00'),
	(22, 'pot', 'default', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 'CHF', 800, 4, '\xf0a8688f9a5543fc1a5ae7ba0257dca0e8e788bfa7a6988ea64407acb1defc03', '2026-12-01 05:44:52.674753+00'),
	(26, 'player', 'default', 'player-9488bcdf-8457-4101-9967-61e75466953a', 'CHF', 800, 2, '\x3e4421c749fe280768b9dcc10a743465a74959e409b758d724e12868c56cf02d', '2026-12-01 05:44:52.892742+00'),
	(2, 'cashier', 'default', '', 'CHF', -22000, 2, '\xb8c30f7d69c3480e8d77accae63005d99b33d3a456261bf3aac078bdea1025c2', '2026-12-01 05:44:50.969221+00'),
	(7, 'house', 'default', '', 'CHF', 20, 1, '\x8554db5c65b79a5f026702051f1859fcd867e01f8cb1d514e5a11a94722c77c2', '2026-12-01 05:44:52.093571+00'),
	(27, 'player', 'default', 'player-ab46a69a-b0b9-4cb3-a1c4-2776a17e4e30', 'CHF', 800, 2, '\x856fcdf796b60e64fdca704bbee17c860faa448e6ad1511a1c91ad6e6e022a4b', '2026-12-01 05:44:52.896928+00'),
	(28, 'player', 'default', 'player-1d809d4e-17e4-432a-88a4-103096829706', 'CHF', 800, 2, '\x71bd385ed75ce7c6b381327184329b559cd3c2c8f23e92ecd46d86ad0e3fd400', '2026-12-01 05:44:52.899928+00');



INSERT INTO wallet.alembic_version VALUES
	('0002');



INSERT INTO wallet.boot VALUES
	('2026-12-01 05:44:47.841941+00', 24041216, true, true);



INSERT INTO wallet.entry OVERRIDING SYSTEM VALUE VALUES
	(1, '60cdab53-2473-42fe-932c-2d6181627bf4', 1, 'CHF', 1000, 1, 1000, '\x5c11af613deaa3d25f8f0f3d115e28b12e3c4a968bd18992ebbe97c6ae38c9e4'),
	(2, '60cdab53-2473-42fe-932c-2d6181627bf4', 2, 'CHF', -1000, NULL, NULL, NULL),
	(3, '36275f14-fa8c-45f5-ab38-aead2a81aa7f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(4, '36275f14-fa8c-45f5-ab38-aead2a81aa7f', 3, 'CHF', 1000, 1, 1000, '\xc9bb218a3df831ab96042d08efd32b1263cf102a3c7e91c3b5ae822a317a9bbc'),
	(5, 'b1b58ddc-dae2-499d-9409-ff10d57ae83f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(6, 'b1b58ddc-dae2-499d-9409-ff10d57ae83f', 4, 'CHF', 1000, 1, 1000, '\xb24bde5d9d0180ed9975b91a4d873b4c543e8529b9fd5080e73eb9be88b27869'),
	(7, 'e6b379fa-f7a2-4f7c-bc66-fd70e2fe2c41', 2, 'CHF', -1000, NULL, NULL, NULL),
	(8, 'e6b379fa-f7a2-4f7c-bc66-fd70e2fe2c41', 5, 'CHF', 1000, 1, 1000, '\xa403a414556ed7096052146c691a32ad9ad56a82c1fedea2952ca58a1b8042bc'),
	(9, '7254c973-d9f9-4edd-8aa8-70284a4fd1f7', 1, 'CHF', -200, 2, 800, '\x13d6045279a5532f0f4f0f62b19eda6e8671433888e9895679fe993c107bca5f'),
	(10, '7254c973-d9f9-4edd-8aa8-70284a4fd1f7', 6, 'CHF', 200, 1, 200, '\xb7fd948063da9e10a496990ec87af46856ac6fae81c74a868a2f45c34303a49b'),
	(11, '3547672d-a4c2-42f3-82ac-04ff10dab76c', 3, 'CHF', -200, 2, 800, '\x9425e3ee441e3b896d0227887ed2c02ca38721826fadfdac7485cd982120d1e8'),
	(12, '3547672d-a4c2-42f3-82ac-04ff10dab76c', 6, 'CHF', 200, 2, 400, '\xa6cb022401ced4bf82abe9b4809a5c6b3f360052e7f1d062e4bde63410071f68'),
	(13, 'c6894bab-27f0-4b9c-b263-de5e180e4180', 4, 'CHF', -200, 2, 800, '\x9274f9dd55841dc95130a5df8426abaff0c365ba4cfafc0dc991b34c2300198b'),
	(14, 'c6894bab-27f0-4b9c-b263-de5e180e4180', 6, 'CHF', 200, 3, 600, '\xc4a97608f948e320bb92dadec8e90841c69cbc647bb1a6eed0d9b504da88d139'),
	(15, 'b7c1eada-50e8-437e-bc44-6e3ab2d77cd2', 5, 'CHF', -200, 2, 800, '\x7bb590683f07c17782e518d65f443d71847002d17269829dbcbcc908719504be'),
	(16, 'b7c1eada-50e8-437e-bc44-6e3ab2d77cd2', 6, 'CHF', 200, 4, 800, '\x7156bc65b26b6762cf433f5251f7774a61197a0873375ae7ce28da65b3be763e'),
	(17, 'c6d4d757-a041-4b24-bc35-9df7bb4fcf66', 3, 'CHF', 390, 3, 1190, '\x272a38e337d8f8d7d4113521d71aeec076fd989055eb7474e124d465384fd68e'),
	(18, 'c6d4d757-a041-4b24-bc35-9df7bb4fcf66', 5, 'CHF', 390, 3, 1190, '\x2022ded80cc2564dfa1f248c4ee4aeeae0ed454cc289c8dc0f82582ac8c9f194'),
	(19, 'c6d4d757-a041-4b24-bc35-9df7bb4fcf66', 6, 'CHF', -800, 5, 0, '\x4ba98e89109ae404960570dca2951a2157690a99a9c2e284847523f27702af82'),
	(20, 'c6d4d757-a041-4b24-bc35-9df7bb4fcf66', 7, 'CHF', 20, NULL, NULL, NULL),
	(21, 'b7d61379-4b87-4beb-b494-bc4608948f56', 2, 'CHF', -1000, NULL, NULL, NULL),
	(22, 'b7d61379-4b87-4beb-b494-bc4608948f56', 8, 'CHF', 1000, 1, 1000, '\xf09bbd1dd7526af2e403deec83320b9c1ff8f902ea92d8ccef2ea7904bce6d30'),
	(23, '2b7e1b16-ddea-49da-9a04-8f666f109042', 2, 'CHF', -1000, NULL, NULL, NULL),
	(24, '2b7e1b16-ddea-49da-9a04-8f666f109042', 9, 'CHF', 1000, 1, 1000, '\x239ccc3f393dff35fa9bd2b83c731694d9003eedb31da6077613d87e75e4502b'),
	(25, 'c838692a-4d2c-4c2f-bf0a-b7391e1ba980', 2, 'CHF', -1000, NULL, NULL, NULL),
	(26, 'c838692a-4d2c-4c2f-bf0a-b7391e1ba980', 10, 'CHF', 1000, 1, 1000, '\x340fbc7fd0c61ca3382513420727e1792b14c0733ea5f54da5cc212b2b9f561b'),
	(27, 'bbc5b357-4d7f-4971-a676-8608ceb8e31f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(28, 'bbc5b357-4d7f-4971-a676-8608ceb8e31f', 11, 'CHF', 1000, 1, 1000, '\x1637ab152b72897eb1b6fc492e473ebb7fe0a2c286e11daca3fb3e19bb654bdb'),
	(29, '4df3f790-f86a-4f7c-8547-95a3b0737da4', 8, 'CHF', -200, 2, 800, '\x95e8afcef4c3b461469882983a031b776de084db612f0c52cd6df35bb1516d6a'),
	(30, '4df3f790-f86a-4f7c-8547-95a3b0737da4', 12, 'CHF', 200, 1, 200, '\xc4740278c8e03054ea3b073b88bf2825aba5dafb42a9029ce8c5c49058933e66'),
	(31, 'cb421a7e-5b90-4b29-b0b5-4903f4c9866b', 9, 'CHF', -200, 2, 800, '\xd917082875810504605179dd39853e6b75397c0eaaa5f0cb9b8f7478d805a73b'),
	(32, 'cb421a7e-5b90-4b29-b0b5-4903f4c9866b', 12, 'CHF', 200, 2, 400, '\x71dd6d6438a1deca5698109f952a07a26b800aa78f8cf600fb70e27b7213a657'),
	(33, '9e036711-b828-4661-9303-7728bbb893a5', 10, 'CHF', -200, 2, 800, '\xcc601abf35e76815ce7510388ed566b2217c35891448ee967f32de036b23c0df'),
	(34, '9e036711-b828-4661-9303-7728bbb893a5', 12, 'CHF', 200, 3, 600, '\x5820f2f066bcf6467eac87ce5aec8f6857d0f21bfc8cf7d4318579ef0c0275f0'),
	(35, 'aa8d7c61-62d6-4ba9-ab16-e897b7892f29', 11, 'CHF', -200, 2, 800, '\x0e794a96ebe09cf0c92363c55cdd4a95cbd66a894cdc892892ee823f509b16d8'),
	(36, 'aa8d7c61-62d6-4ba9-ab16-e897b7892f29', 12, 'CHF', 200, 4, 800, '\xae4d69d58bb00f75ccc24e0f0c604a6e4c1d3e3969b9a375f8658b96bd72feb7'),
	(37, '93073266-efa1-44b7-b9a3-3b9248a600a4', 2, 'CHF', -1000, NULL, NULL, NULL),
	(38, '93073266-efa1-44b7-b9a3-3b9248a600a4', 13, 'CHF', 1000, 1, 1000, '\xf5876b774ab4ea5f1f42a6d82a60c8e2ee30360951d3ec0d42d66815bb78693d'),
	(39, '4a399e8c-bdce-4ae0-96b3-9683624addee', 2, 'CHF', -1000, NULL, NULL, NULL),
	(40, '4a399e8c-bdce-4ae0-96b3-9683624addee', 14, 'CHF', 1000, 1, 1000, '\x9599247055ef0f76d3261d645e705958f3842ee924a66367a0868a963df63a57'),
	(41, '1b044f1b-5b62-4166-91b2-1dcc1aa132ba', 2, 'CHF', -1000, NULL, NULL, NULL),
	(42, '1b044f1b-5b62-4166-91b2-1dcc1aa132ba', 15, 'CHF', 1000, 1, 1000, '\xcd7fadfe56cf38549338027537a40092f503410162eeea31e23aa85ceabd8e35'),
	(43, '907ccbac-76e8-4caa-8fa6-c23f9f4165b2', 2, 'CHF', -1000, NULL, NULL, NULL),
	(44, '907ccbac-76e8-4caa-8fa6-c23f9f4165b2', 16, 'CHF', 1000, 1, 1000, '\x2a00be62804fb627b5c6324a1a78be683f5e49812b18d92fe780c6c4196d386e'),
	(45, '07ac5d13-b183-4d74-ac2d-debe6dd74ac8', 13, 'CHF', -200, 2, 800, '\xc4a3064b900c79548d57ca70badb747770e945d14e19ed85e1f981bbeadd8cd9'),
	(46, '07ac5d13-b183-4d74-ac2d-debe6dd74ac8', 17, 'CHF', 200, 1, 200, '\x4f0b10912450b72f252a6745ddaa2c591aa4c290aff568caa508747698b104ab'),
	(47, '24b3cd2e-0949-4fa1-b4cc-798b16ed7f8d', 14, 'CHF', -200, 2, 800, '\x2fc7b720964be1ed85f7bc0c18f142e420bc6251a7aef151429d89e682cc3230'),
	(48, '24b3cd2e-0949-4fa1-b4cc-798b16ed7f8d', 17, 'CHF', 200, 2, 400, '\x3d5c46e5d036d57c54c0cebec2653c02ca8ae6c5bff9bb3c1867ecf9969f12c1'),
	(49, '9b3608e0-bfe2-4428-a750-cae9f1a57cb8', 15, 'CHF', -200, 2, 800, '\xe4082860f39703d9545954d2d75190826565c1df7ac78b5c4df33f6e51f7a945'),
	(50, '9b3608e0-bfe2-4428-a750-cae9f1a57cb8', 17, 'CHF', 200, 3, 600, '\x2cc08eb85659dfe1804d43e3c1442d0c5e883794cebb35f5668f032aec5f86fd'),
	(51, 'a836052f-4656-44dd-a317-eb2d1275c472', 16, 'CHF', -200, 2, 800, '\xd11a6ef5e3af6bcbda4cef80278d4850b9c0f8c15281716f5af2ae7dcb333eaf'),
	(52, 'a836052f-4656-44dd-a317-eb2d1275c472', 17, 'CHF', 200, 4, 800, '\x7549bc724a694a1798c7463295b314afc43aefe1131eeff9d91693be4d361d47'),
	(53, 'b6db4e44-40a3-486c-ac31-a6d4c39e12a7', 2, 'CHF', -1000, NULL, NULL, NULL),
	(54, 'b6db4e44-40a3-486c-ac31-a6d4c39e12a7', 18, 'CHF', 1000, 1, 1000, '\xe36b8fd9eb2e861f99c7b482114c95945bf1ba4dc2daf74d1b17adc37e2d8491'),
	(55, 'bb3012f8-f94a-4553-ba01-0a7f82da1385', 2, 'CHF', -1000, NULL, NULL, NULL),
	(56, 'bb3012f8-f94a-4553-ba01-0a7f82da1385', 19, 'CHF', 1000, 1, 1000, '\xe7ea39acd7d177b2bfc14601024fe28d05bb36d706ce18a56f55eee8f326dfd1'),
	(57, '4266095f-0409-482b-98f5-097d37de7cb0', 2, 'CHF', -1000, NULL, NULL, NULL),
	(58, '4266095f-0409-482b-98f5-097d37de7cb0', 20, 'CHF', 1000, 1, 1000, '\x0533af05ed400701811f56a809d1f3b47116e453208572e509c5ced0109e76ac'),
	(59, '24c8a1e9-9b40-43eb-9f3c-1efd2f1016b4', 2, 'CHF', -1000, NULL, NULL, NULL),
	(60, '24c8a1e9-9b40-43eb-9f3c-1efd2f1016b4', 21, 'CHF', 1000, 1, 1000, '\xd9e80f6b56121ac80e3cf7729e00d44b39cfc24d5008b297a3cf4653071ebb4d'),
	(61, '789c8dd5-93b7-43c9-ac6a-660ae6d066f9', 18, 'CHF', -200, 2, 800, '\x23db8e0b295cdfd4d5ee5a02064f71cd8ecdf4c7b163d9b83d843fc81aef63e5'),
	(62, '789c8dd5-93b7-43c9-ac6a-660ae6d066f9', 22, 'CHF', 200, 1, 200, '\xc5f6f0e3d29588d80e3c2990a832f9b60c693390917f56931f54ffbff88f019e'),
	(63, 'de012b60-a4f6-4d64-8267-b7f2893839e6', 19, 'CHF', -200, 2, 800, '\x02d9057248b206c713352a97331bb7c7bc9732825ecacdc7e7c336e20ef26ed3'),
	(64, 'de012b60-a4f6-4d64-8267-b7f2893839e6', 22, 'CHF', 200, 2, 400, '\x69a488bcecee208269749f1caa1c50a76919b67bb659a6c66fafcb2c3d7f8863'),
	(65, '284b1957-8fb8-43e7-a3c5-f1742ecd016c', 20, 'CHF', -200, 2, 800, '\xa4d3e0280b35ba78d4edb8f8f47b2a478170198720488ed381035d128019d8e0'),
	(66, '284b1957-8fb8-43e7-a3c5-f1742ecd016c', 22, 'CHF', 200, 3, 600, '\x194d2f2f874996cc2ee5d07ca9e9e6d2b67b0376ba9be4dcb413fb246f6dc36f'),
	(67, '8f2161d2-eb51-405a-a709-4203370c73f3', 21, 'CHF', -200, 2, 800, '\x1d70c6ed7baa049dd991690afd5c3999b43b39ce1a82138b7fac49f2bd259fd8'),
	(68, '8f2161d2-eb51-405a-a709-4203370c73f3', 22, 'CHF', 200, 4, 800, '\xf0a8688f9a5543fc1a5ae7ba0257dca0e8e788bfa7a6988ea64407acb1defc03'),
	(69, '28d91ed5-ce80-42a2-9e36-90ea00caf276', 2, 'CHF', -1000, NULL, NULL, NULL),
	(70, '28d91ed5-ce80-42a2-9e36-90ea00caf276', 23, 'CHF', 1000, 1, 1000, '\xeca44b397d0e1d1b1a6db191e7f5d655264d3211c3607cadbc47af7aae141a0c'),
	(71, '3481f05b-8962-4cc5-b066-19c10693ca37', 2, 'CHF', -1000, NULL, NULL, NULL),
	(72, '3481f05b-8962-4cc5-b066-19c10693ca37', 24, 'CHF', 1000, 1, 1000, '\xb8541a68149d7003a9aac58263ebbf6dccdcbceda83145ccc9818891c8a50942'),
	(73, 'dd55a76d-cb0d-42e9-a86d-eaa6023e98f8', 23, 'CHF', -200, 2, 800, '\xe2b824c2a6c52a960fb058beabb7dca072aaa13af8b64b729aa609775b97c97c'),
	(74, 'dd55a76d-cb0d-42e9-a86d-eaa6023e98f8', 25, 'CHF', 200, 1, 200, '\x1b517c492adb11e53142405f4148912a542085f534d4ccbae5e2a933735dbd4d'),
	(79, '51d2866c-8823-4af3-957e-0e4f82305272', 2, 'CHF', -1000, NULL, NULL, NULL),
	(80, '51d2866c-8823-4af3-957e-0e4f82305272', 27, 'CHF', 1000, 1, 1000, '\x98c6b94ee0ab1cf4b2d597a105d84c091cc62c694f4ef2529b6a3a0eb3930581'),
	(91, '311762a1-a2ed-4c72-b08e-4ee6035d202b', 29, 'CHF', -200, 2, 800, '\xe63349515bfe463ff87ff987b64ca2cb1adc51dc027575b17cdb5893d5695773'),
	(92, '311762a1-a2ed-4c72-b08e-4ee6035d202b', 30, 'CHF', 200, 4, 800, '\x1b71a4bdba3f64f80d729537f9d5ba21fc2c193bf7246e7467a651dc9e5ae4b8'),
	(75, '92dff5bd-cc4c-4334-b792-0a3dafc293c7', 24, 'CHF', -200, 2, 800, '\x375593e911ddcc764cdd9a421eb82aa9bb62cc03df85002544519f5bf04420d1'),
	(76, '92dff5bd-cc4c-4334-b792-0a3dafc293c7', 25, 'CHF', 200, 2, 400, '\x9d8ce1e758bfcc40d2253e688bdc7a09f33218f03f2748dc54ad6404a1711d70'),
	(81, 'c049efa7-c752-44a9-921d-fedf2dc9680f', 2, 'CHF', -1000, NULL, NULL, NULL),
	(82, 'c049efa7-c752-44a9-921d-fedf2dc9680f', 28, 'CHF', 1000, 1, 1000, '\xf8daea32a35e31cf547230841e707af4399ded7da9f3c2f46972dc6f33c70c05'),
	(85, 'de36ab06-a1c3-4f7f-a7f8-1e6c10078b83', 26, 'CHF', -200, 2, 800, '\x3e4421c749fe280768b9dcc10a743465a74959e409b758d724e12868c56cf02d'),
	(86, 'de36ab06-a1c3-4f7f-a7f8-1e6c10078b83', 30, 'CHF', 200, 1, 200, '\xf82a4c43125932564866380c60a6f75211d5d4f600dc1e3402cbada1e29955f7'),
	(87, 'f2d082d2-0495-422f-97e3-c64e72598f24', 27, 'CHF', -200, 2, 800, '\x856fcdf796b60e64fdca704bbee17c860faa448e6ad1511a1c91ad6e6e022a4b'),
	(88, 'f2d082d2-0495-422f-97e3-c64e72598f24', 30, 'CHF', 200, 2, 400, '\xd8b315f51ea359c0bee6db5778ee35c4fa0951856f81529cdfd047c7af2a6f83'),
	(77, '443b0ff4-964f-4ec3-9040-461790bf303c', 2, 'CHF', -1000, NULL, NULL, NULL),
	(78, '443b0ff4-964f-4ec3-9040-461790bf303c', 26, 'CHF', 1000, 1, 1000, '\xfdb109cddc01bfc12d452fc43e4bff23380c5330b27e8db3180a8d16db3dd1b3'),
	(83, '8b660caa-3d88-488e-aff5-22cbc26aefbb', 2, 'CHF', -1000, NULL, NULL, NULL),
	(84, '8b660caa-3d88-488e-aff5-22cbc26aefbb', 29, 'CHF', 1000, 1, 1000, '\x9a61737b4a8bc784fd8d57d138a664d11112da42107bab858f83040b161a1a24'),
	(89, '8afe6c69-1379-43fd-b3f4-f89088331f71', 28, 'CHF', -200, 2, 800, '\x71bd385ed75ce7c6b381327184329b559cd3c2c8f23e92ecd46d86ad0e3fd400'),
	(90, '8afe6c69-1379-43fd-b3f4-f89088331f71', 30, 'CHF', 200, 3, 600, '\x0f22352a491f9886b8b757a8ded9a1f55aba039d6e428317d8e1b3a4e31eb7d5');



INSERT INTO wallet.fee_schedule OVERRIDING SYSTEM VALUE VALUES
	(1, '', 250, 0, NULL, '2026-12-01 05:44:48.884986+00', NULL, '', NULL);






INSERT INTO wallet.hold VALUES
	('69fd6b15-bf3a-5000-90fb-5383b51a1afd', 'afce624c-a94a-4945-9130-ca1f87d17d05', 2, 'player-7d4b6bee-ebd9-4a60-afb6-8b15ec3db857', 4, 'PAID', NULL, NULL, '2026-12-01 05:44:51.061982+00'),
	('e9775d78-fc90-5db7-9e01-d4aec5597161', 'afce624c-a94a-4945-9130-ca1f87d17d05', 3, 'player-95c99e31-01df-4c21-b644-21aad5f1011a', 5, 'PAID', NULL, 390, '2026-12-01 05:44:51.076258+00'),
	('4ff09225-bb5a-5435-bf11-4d9ffc601daf', 'afce624c-a94a-4945-9130-ca1f87d17d05', 0, 'player-c5370356-ddd1-4a3a-a89b-dad84bc55bb0', 1, 'PAID', NULL, NULL, '2026-12-01 05:44:51.028154+00'),
	('e8911ed6-8be6-5915-9002-1e402e80a385', 'afce624c-a94a-4945-9130-ca1f87d17d05', 1, 'player-c8bc2c23-2b1a-4f00-822c-3dbf5b957a66', 3, 'PAID', NULL, 390, '2026-12-01 05:44:51.047445+00'),
	('c863ef68-25cd-56a6-b04a-e93895d88e76', 'ccf8059b-46fe-4027-947c-eed6de26ac06', 0, 'player-24350adc-26a3-4a93-8d75-f5da583b098b', 8, 'HELD', NULL, NULL, '2026-12-01 05:44:52.145474+00'),
	('9a35c9d7-7789-5894-a9c1-84089652a524', 'ccf8059b-46fe-4027-947c-eed6de26ac06', 1, 'player-57de4803-4c32-4e10-9f28-cad8e200d517', 9, 'HELD', NULL, NULL, '2026-12-01 05:44:52.159004+00'),
	('5145fd09-a057-551c-b878-46bebaeaa5f7', 'ccf8059b-46fe-4027-947c-eed6de26ac06', 2, 'player-292718d3-705f-4134-8aef-82d65aca45b1', 10, 'HELD', NULL, NULL, '2026-12-01 05:44:52.171627+00'),
	('1d2eeff7-a6d0-524c-a54d-83f19e27cdae', 'ccf8059b-46fe-4027-947c-eed6de26ac06', 3, 'player-53083eeb-7459-458d-bd76-91e173a1a6a0', 11, 'HELD', NULL, NULL, '2026-12-01 05:44:52.181254+00'),
	('81966ec8-c9cf-5c02-9b4e-19651cd08902', 'b93c34ed-9b72-4348-8048-043b93209850', 0, 'player-ea65413b-bddd-4a44-a715-265a93669820', 13, 'HELD', NULL, NULL, '2026-12-01 05:44:52.546509+00'),
	('80cbe166-1177-5c79-b4c9-cedf5d85d219', 'b93c34ed-9b72-4348-8048-043b93209850', 1, 'player-3838945c-8ce1-4146-92d1-ee0904910151', 14, 'HELD', NULL, NULL, '2026-12-01 05:44:52.55682+00'),
	('bec5789a-1a9a-5981-82ae-05528dc6b3c5', 'b93c34ed-9b72-4348-8048-043b93209850', 2, 'player-8cd4d489-72f6-48d0-be9c-3fd012d09ea6', 15, 'HELD', NULL, NULL, '2026-12-01 05:44:52.568458+00'),
	('88833a21-3ff0-5dd7-9c45-31ba51a22ed9', 'b93c34ed-9b72-4348-8048-043b93209850', 3, 'player-f61a82df-7576-46b2-ad12-1222dbb68fc7', 16, 'HELD', NULL, NULL, '2026-12-01 05:44:52.579431+00'),
	('50a71f81-9abc-5fff-b86d-15c0b7190d4b', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 0, 'player-2ee3a753-c71c-4adb-93a4-7d545fdb8f92', 18, 'HELD', NULL, NULL, '2026-12-01 05:44:52.683173+00'),
	('63e46bed-7009-51cc-8957-98fe294c997d', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 1, 'player-b1e46326-b5b6-4b0f-bf28-6722da595640', 19, 'HELD', NULL, NULL, '2026-12-01 05:44:52.696564+00'),
	('7b31a5a5-f0ac-5655-8650-75ea4826d08a', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 2, 'player-f6525292-25ac-4ac3-8e8b-fbb9e871c8ce', 20, 'HELD', NULL, NULL, '2026-12-01 05:44:52.708048+00'),
	('6225bd38-b35b-5fd4-aef6-e27014e7a68c', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 3, 'player-35e207af-4331-4194-9d69-c5bf94a03fd6', 21, 'HELD', NULL, NULL, '2026-12-01 05:44:52.739492+00'),
	('56a44172-2f36-581e-8ce9-5627b5c02abe', '0f883380-f59a-486b-8c35-d3b2d9d39158', 0, 'player-5d826678-8163-4fa3-a059-3da62003703b', 23, 'HELD', NULL, NULL, '2026-12-01 05:44:52.870094+00'),
	('7a252e01-849e-572e-879f-dfe21fba6d01', '0f883380-f59a-486b-8c35-d3b2d9d39158', 1, 'player-90f28b94-44f8-462f-8be3-8830a577ed46', 24, 'HELD', NULL, NULL, '2026-12-01 05:44:52.883255+00'),
	('af9570e0-ab96-5867-be98-51d871462f41', 'b8833b0b-65e4-4062-856b-50a645d4673d', 0, 'player-9488bcdf-8457-4101-9967-61e75466953a', 26, 'HELD', NULL, NULL, '2026-12-01 05:44:52.914179+00'),
	('c151c589-0db6-5ea0-b644-d3c398cb6517', 'b8833b0b-65e4-4062-856b-50a645d4673d', 1, 'player-ab46a69a-b0b9-4cb3-a1c4-2776a17e4e30', 27, 'HELD', NULL, NULL, '2026-12-01 05:44:52.93372+00'),
	('a4cabbda-1ab7-5832-a0e4-b64e9dd9100d', 'b8833b0b-65e4-4062-856b-50a645d4673d', 2, 'player-1d809d4e-17e4-432a-88a4-103096829706', 28, 'HELD', NULL, NULL, '2026-12-01 05:44:52.950243+00'),
	('283566b5-c4ee-5f8d-ad7d-c64cc4fd1d1f', 'b8833b0b-65e4-4062-856b-50a645d4673d', 3, 'player-abe3324e-f8fe-408d-a917-19722e1ff916', 29, 'HELD', NULL, NULL, '2026-12-01 05:44:52.960664+00');



INSERT INTO wallet.idempotency VALUES
	('default', '2455510e-02b8-4bcb-8c70-5430f4c7e480', '\x3e38783f40f576a72a3c61c6a84db3b9c4a86932229c887704f626b56beb5ff0', 1, '2026-12-01 05:44:50.966807+00'),
	('default', 'f281e01d-1860-47f8-810e-6fee0fb6d56d', '\xb53419b954e47c7676f3cf3bfc4a99d8cd40afddf5645729f60d97adb4b06eab', 4, '2026-12-01 05:44:50.976625+00'),
	('default', '6c3328a9-6c2c-4fb6-8958-8adadf8ac0ad', '\x629c4da95ef95e3e058e525130ed889c5737f065be0eadbc9993f4db6d84f38c', 6, '2026-12-01 05:44:50.984051+00'),
	('default', 'ac752c1b-2423-44df-ac16-c87a99bae5d7', '\xd9de2fc3cf925ab2a9482e5a7ed386d7a14d05278bf8cce83229b5dcdc992f5c', 8, '2026-12-01 05:44:50.99103+00'),
	('default', '64ea2446-bcb2-43f1-a27a-9597991e0b32', '\x967092519920fdcc37b4b151a9cc5c7215ad198b95e545182a70f7a4d6a4c282', 22, '2026-12-01 05:44:52.119616+00'),
	('default', '11c6097c-3c14-4b51-990a-66345bcc0a13', '\x4de58659561de34ebb08e28b8914b2d1938d19e073695f2ad4b4c3919e80d359', 24, '2026-12-01 05:44:52.12333+00'),
	('default', '550a2103-a555-4edf-ad01-a89e7e987116', '\x391bc0911b758ece6e3c9076bd14d4af2efd0f20a31c5816a56b3ba2d76397f1', 26, '2026-12-01 05:44:52.12673+00'),
	('default', '9f673126-853f-48ad-a263-ea0caacba3a1', '\xf9a85159e07453289934cebd9f819d2be82fc7b309ce6712f8edacee06f9a13c', 28, '2026-12-01 05:44:52.129825+00'),
	('default', 'b4f8b40c-2886-4d21-ba6b-43b67a3b518a', '\xc2fb540f1e49bdf91a0bcf27094600729d068cfe0769e013e348c3b0a7534830', 38, '2026-12-01 05:44:52.517847+00'),
	('default', 'cecc9042-4000-4e9f-bdce-0c7cd1dd989a', '\x896035026fb8d0ca188847263a0dea3cdf7b0be5924805fb947f32b203a6aab0', 40, '2026-12-01 05:44:52.523404+00'),
	('default', '7cffc482-a865-43c1-af0a-02041ca244f1', '\x8dd0771a9b2dbb1e3e57656f38bcd394fb548efeeb7bd0942739885e53ba2b96', 42, '2026-12-01 05:44:52.528327+00'),
	('default', '358756ec-ad9e-4cf1-8bdd-4c0736a83efc', '\xf51beb4a0cea6af7e9bf4e9094cfc49fd0c55db8b96f11319e521e8a226701c6', 44, '2026-12-01 05:44:52.53228+00'),
	('default', '2dab8d41-187d-40fa-adcd-cc9acff5e519', '\x9204747f16dfc3e3565c44dc907529bd70e5587e49fe4d7352ec9ec0cfa2a248', 54, '2026-12-01 05:44:52.642783+00'),
	('default', '514a1b4c-f28a-4750-a172-33240d4e05fe', '\xc5a48436156c1b7d86ce85ff0751f14e4c48c0f655c5187b96929c9d6548e86b', 56, '2026-12-01 05:44:52.651365+00'),
	('default', '7cf4325c-6e3c-4695-9038-d84ecf5fa32d', '\xbea9cc369bd93c73357bf49b8230ffde9e002b160e461c2b95b1d6c98d0c2a1d', 58, '2026-12-01 05:44:52.657641+00'),
	('default', 'b1403498-e9cb-4189-81e2-5dd6b28bf88c', '\xe34e7defa8755f1667f9116133ad2cbdcfc191e99e5be0b5aff9a4632a566f79', 60, '2026-12-01 05:44:52.664445+00'),
	('default', 'd2e9794e-8383-435a-878e-5117da67f205', '\x5819bcdd9ac285cb70bc44c6c23055dde9d0389effc7c12d3af7bf4896e35db6', 70, '2026-12-01 05:44:52.845661+00'),
	('default', '26207d7c-92a4-44b2-83fe-e457c609dc2a', '\x5fb1f51e325652eb851b4a5bf824bfe333f524efeac36ea5a95a08d6ec89d276', 72, '2026-12-01 05:44:52.848695+00'),
	('default', '6eaacd4d-3661-40db-89e4-dfee8f7413b2', '\xa78132f50fa1486db9cc0787d93dd99215864db994de30d1f63a9ae425a8d036', 78, '2026-12-01 05:44:52.892212+00'),
	('default', 'a264912e-44e4-46b9-8627-1ba30b3b5682', '\x794b9fb359c1522660c6e7ac80a8be0cd403f5d865edfa01b1e3447d3e1b20d6', 80, '2026-12-01 05:44:52.896796+00'),
	('default', '37cfdead-5ccb-4aae-a81a-6e2d34be3596', '\x9cfb61bd8206c2738eb4f06d791aa5993113edaa9acf2b946369de933a0c2914', 82, '2026-12-01 05:44:52.899579+00'),
	('default', '0fd4d62f-ee89-465e-9e23-48fa091e0501', '\x4d56a643d2ae59228e684e5a97d653a36057c5f3658a38e771ea2a25a474b5d3', 84, '2026-12-01 05:44:52.902352+00');



INSERT INTO wallet.journal VALUES
	('60cdab53-2473-42fe-932c-2d6181627bf4', 'deposit', NULL, '', '2026-12-01 05:44:50.969712+00', '771', 'default', '2455510e-02b8-4bcb-8c70-5430f4c7e480', 'operator', 'default'),
	('36275f14-fa8c-45f5-ab38-aead2a81aa7f', 'deposit', NULL, '', '2026-12-01 05:44:50.978554+00', '772', 'default', 'f281e01d-1860-47f8-810e-6fee0fb6d56d', 'operator', 'default'),
	('b1b58ddc-dae2-499d-9409-ff10d57ae83f', 'deposit', NULL, '', '2026-12-01 05:44:50.98632+00', '773', 'default', '6c3328a9-6c2c-4fb6-8958-8adadf8ac0ad', 'operator', 'default'),
	('e6b379fa-f7a2-4f7c-bc66-fd70e2fe2c41', 'deposit', NULL, '', '2026-12-01 05:44:50.991586+00', '774', 'default', 'ac752c1b-2423-44df-ac16-c87a99bae5d7', 'operator', 'default'),
	('7254c973-d9f9-4edd-8aa8-70284a4fd1f7', 'stake', 'afce624c-a94a-4945-9130-ca1f87d17d05', '', '2026-12-01 05:44:51.028961+00', '777', NULL, NULL, NULL, NULL),
	('3547672d-a4c2-42f3-82ac-04ff10dab76c', 'stake', 'afce624c-a94a-4945-9130-ca1f87d17d05', '', '2026-12-01 05:44:51.048033+00', '779', NULL, NULL, NULL, NULL),
	('c6894bab-27f0-4b9c-b263-de5e180e4180', 'stake', 'afce624c-a94a-4945-9130-ca1f87d17d05', '', '2026-12-01 05:44:51.062613+00', '780', NULL, NULL, NULL, NULL),
	('b7c1eada-50e8-437e-bc44-6e3ab2d77cd2', 'stake', 'afce624c-a94a-4945-9130-ca1f87d17d05', '', '2026-12-01 05:44:51.077273+00', '781', NULL, NULL, NULL, NULL),
	('c6d4d757-a041-4b24-bc35-9df7bb4fcf66', 'payout', 'afce624c-a94a-4945-9130-ca1f87d17d05', '', '2026-12-01 05:44:52.093759+00', '789', NULL, NULL, NULL, NULL),
	('b7d61379-4b87-4beb-b494-bc4608948f56', 'deposit', NULL, '', '2026-12-01 05:44:52.120397+00', '792', 'default', '64ea2446-bcb2-43f1-a27a-9597991e0b32', 'operator', 'default'),
	('2b7e1b16-ddea-49da-9a04-8f666f109042', 'deposit', NULL, '', '2026-12-01 05:44:52.124015+00', '793', 'default', '11c6097c-3c14-4b51-990a-66345bcc0a13', 'operator', 'default'),
	('c838692a-4d2c-4c2f-bf0a-b7391e1ba980', 'deposit', NULL, '', '2026-12-01 05:44:52.127307+00', '794', 'default', '550a2103-a555-4edf-ad01-a89e7e987116', 'operator', 'default'),
	('bbc5b357-4d7f-4971-a676-8608ceb8e31f', 'deposit', NULL, '', '2026-12-01 05:44:52.130337+00', '795', 'default', '9f673126-853f-48ad-a263-ea0caacba3a1', 'operator', 'default'),
	('4df3f790-f86a-4f7c-8547-95a3b0737da4', 'stake', 'ccf8059b-46fe-4027-947c-eed6de26ac06', '', '2026-12-01 05:44:52.145717+00', '798', NULL, NULL, NULL, NULL),
	('cb421a7e-5b90-4b29-b0b5-4903f4c9866b', 'stake', 'ccf8059b-46fe-4027-947c-eed6de26ac06', '', '2026-12-01 05:44:52.159211+00', '800', NULL, NULL, NULL, NULL),
	('9e036711-b828-4661-9303-7728bbb893a5', 'stake', 'ccf8059b-46fe-4027-947c-eed6de26ac06', '', '2026-12-01 05:44:52.171987+00', '801', NULL, NULL, NULL, NULL),
	('aa8d7c61-62d6-4ba9-ab16-e897b7892f29', 'stake', 'ccf8059b-46fe-4027-947c-eed6de26ac06', '', '2026-12-01 05:44:52.181475+00', '802', NULL, NULL, NULL, NULL),
	('93073266-efa1-44b7-b9a3-3b9248a600a4', 'deposit', NULL, '', '2026-12-01 05:44:52.518504+00', '807', 'default', 'b4f8b40c-2886-4d21-ba6b-43b67a3b518a', 'operator', 'default'),
	('4a399e8c-bdce-4ae0-96b3-9683624addee', 'deposit', NULL, '', '2026-12-01 05:44:52.524089+00', '808', 'default', 'cecc9042-4000-4e9f-bdce-0c7cd1dd989a', 'operator', 'default'),
	('1b044f1b-5b62-4166-91b2-1dcc1aa132ba', 'deposit', NULL, '', '2026-12-01 05:44:52.529093+00', '809', 'default', '7cffc482-a865-43c1-af0a-02041ca244f1', 'operator', 'default'),
	('907ccbac-76e8-4caa-8fa6-c23f9f4165b2', 'deposit', NULL, '', '2026-12-01 05:44:52.532788+00', '810', 'default', '358756ec-ad9e-4cf1-8bdd-4c0736a83efc', 'operator', 'default'),
	('07ac5d13-b183-4d74-ac2d-debe6dd74ac8', 'stake', 'b93c34ed-9b72-4348-8048-043b93209850', '', '2026-12-01 05:44:52.546736+00', '813', NULL, NULL, NULL, NULL),
	('24b3cd2e-0949-4fa1-b4cc-798b16ed7f8d', 'stake', 'b93c34ed-9b72-4348-8048-043b93209850', '', '2026-12-01 05:44:52.557019+00', '815', NULL, NULL, NULL, NULL),
	('9b3608e0-bfe2-4428-a750-cae9f1a57cb8', 'stake', 'b93c34ed-9b72-4348-8048-043b93209850', '', '2026-12-01 05:44:52.568667+00', '816', NULL, NULL, NULL, NULL),
	('a836052f-4656-44dd-a317-eb2d1275c472', 'stake', 'b93c34ed-9b72-4348-8048-043b93209850', '', '2026-12-01 05:44:52.579663+00', '817', NULL, NULL, NULL, NULL),
	('b6db4e44-40a3-486c-ac31-a6d4c39e12a7', 'deposit', NULL, '', '2026-12-01 05:44:52.643398+00', '822', 'default', '2dab8d41-187d-40fa-adcd-cc9acff5e519', 'operator', 'default'),
	('bb3012f8-f94a-4553-ba01-0a7f82da1385', 'deposit', NULL, '', '2026-12-01 05:44:52.652095+00', '823', 'default', '514a1b4c-f28a-4750-a172-33240d4e05fe', 'operator', 'default'),
	('4266095f-0409-482b-98f5-097d37de7cb0', 'deposit', NULL, '', '2026-12-01 05:44:52.660393+00', '824', 'default', '7cf4325c-6e3c-4695-9038-d84ecf5fa32d', 'operator', 'default'),
	('24c8a1e9-9b40-43eb-9f3c-1efd2f1016b4', 'deposit', NULL, '', '2026-12-01 05:44:52.664714+00', '825', 'default', 'b1403498-e9cb-4189-81e2-5dd6b28bf88c', 'operator', 'default'),
	('789c8dd5-93b7-43c9-ac6a-660ae6d066f9', 'stake', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', '', '2026-12-01 05:44:52.683426+00', '828', NULL, NULL, NULL, NULL),
	('de012b60-a4f6-4d64-8267-b7f2893839e6', 'stake', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', '', '2026-12-01 05:44:52.696792+00', '830', NULL, NULL, NULL, NULL),
	('284b1957-8fb8-43e7-a3c5-f1742ecd016c', 'stake', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', '', '2026-12-01 05:44:52.708274+00', '831', NULL, NULL, NULL, NULL),
	('8f2161d2-eb51-405a-a709-4203370c73f3', 'stake', '10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', '', '2026-12-01 05:44:52.739698+00', '832', NULL, NULL, NULL, NULL),
	('28d91ed5-ce80-42a2-9e36-90ea00caf276', 'deposit', NULL, '', '2026-12-01 05:44:52.846026+00', '837', 'default', 'd2e9794e-8383-435a-878e-5117da67f205', 'operator', 'default'),
	('3481f05b-8962-4cc5-b066-19c10693ca37', 'deposit', NULL, '', '2026-12-01 05:44:52.849253+00', '838', 'default', '26207d7c-92a4-44b2-83fe-e457c609dc2a', 'operator', 'default'),
	('dd55a76d-cb0d-42e9-a86d-eaa6023e98f8', 'stake', '0f883380-f59a-486b-8c35-d3b2d9d39158', '', '2026-12-01 05:44:52.870314+00', '841', NULL, NULL, NULL, NULL),
	('92dff5bd-cc4c-4334-b792-0a3dafc293c7', 'stake', '0f883380-f59a-486b-8c35-d3b2d9d39158', '', '2026-12-01 05:44:52.883512+00', '843', NULL, NULL, NULL, NULL),
	('443b0ff4-964f-4ec3-9040-461790bf303c', 'deposit', NULL, '', '2026-12-01 05:44:52.893044+00', '844', 'default', '6eaacd4d-3661-40db-89e4-dfee8f7413b2', 'operator', 'default'),
	('51d2866c-8823-4af3-957e-0e4f82305272', 'deposit', NULL, '', '2026-12-01 05:44:52.897087+00', '845', 'default', 'a264912e-44e4-46b9-8627-1ba30b3b5682', 'operator', 'default'),
	('c049efa7-c752-44a9-921d-fedf2dc9680f', 'deposit', NULL, '', '2026-12-01 05:44:52.900133+00', '846', 'default', '37cfdead-5ccb-4aae-a81a-6e2d34be3596', 'operator', 'default'),
	('8b660caa-3d88-488e-aff5-22cbc26aefbb', 'deposit', NULL, '', '2026-12-01 05:44:52.902666+00', '847', 'default', '0fd4d62f-ee89-465e-9e23-48fa091e0501', 'operator', 'default'),
	('de36ab06-a1c3-4f7f-a7f8-1e6c10078b83', 'stake', 'b8833b0b-65e4-4062-856b-50a645d4673d', '', '2026-12-01 05:44:52.914366+00', '850', NULL, NULL, NULL, NULL),
	('f2d082d2-0495-422f-97e3-c64e72598f24', 'stake', 'b8833b0b-65e4-4062-856b-50a645d4673d', '', '2026-12-01 05:44:52.933913+00', '853', NULL, NULL, NULL, NULL),
	('8afe6c69-1379-43fd-b3f4-f89088331f71', 'stake', 'b8833b0b-65e4-4062-856b-50a645d4673d', '', '2026-12-01 05:44:52.950442+00', '854', NULL, NULL, NULL, NULL),
	('311762a1-a2ed-4c72-b08e-4ee6035d202b', 'stake', 'b8833b0b-65e4-4062-856b-50a645d4673d', '', '2026-12-01 05:44:52.960943+00', '855', NULL, NULL, NULL, NULL);



INSERT INTO wallet.lineage OVERRIDING SYSTEM VALUE VALUES
	(1, '7714207457156860654-86abcc4fd09b', '7714207457156860654/16387/16775', 1, '2026-12-01 05:44:48.879462+00');



INSERT INTO wallet.operator_act OVERRIDING SYSTEM VALUE VALUES
	(1, 'operator', 'default', 'deposit', '2455510e-02b8-4bcb-8c70-5430f4c7e480', 'default', 'player-c5370356-ddd1-4a3a-a89b-dad84bc55bb0', '', '60cdab53-2473-42fe-932c-2d6181627bf4', '2026-12-01 05:44:50.97216+00'),
	(2, 'operator', 'default', 'deposit', 'f281e01d-1860-47f8-810e-6fee0fb6d56d', 'default', 'player-c8bc2c23-2b1a-4f00-822c-3dbf5b957a66', '', '36275f14-fa8c-45f5-ab38-aead2a81aa7f', '2026-12-01 05:44:50.980311+00'),
	(3, 'operator', 'default', 'deposit', '6c3328a9-6c2c-4fb6-8958-8adadf8ac0ad', 'default', 'player-7d4b6bee-ebd9-4a60-afb6-8b15ec3db857', '', 'b1b58ddc-dae2-499d-9409-ff10d57ae83f', '2026-12-01 05:44:50.988064+00'),
	(4, 'operator', 'default', 'deposit', 'ac752c1b-2423-44df-ac16-c87a99bae5d7', 'default', 'player-95c99e31-01df-4c21-b644-21aad5f1011a', '', 'e6b379fa-f7a2-4f7c-bc66-fd70e2fe2c41', '2026-12-01 05:44:50.992243+00'),
	(5, 'operator', 'default', 'deposit', '64ea2446-bcb2-43f1-a27a-9597991e0b32', 'default', 'player-24350adc-26a3-4a93-8d75-f5da583b098b', '', 'b7d61379-4b87-4beb-b494-bc4608948f56', '2026-12-01 05:44:52.120812+00'),
	(6, 'operator', 'default', 'deposit', '11c6097c-3c14-4b51-990a-66345bcc0a13', 'default', 'player-57de4803-4c32-4e10-9f28-cad8e200d517', '', '2b7e1b16-ddea-49da-9a04-8f666f109042', '2026-12-01 05:44:52.124456+00'),
	(7, 'operator', 'default', 'deposit', '550a2103-a555-4edf-ad01-a89e7e987116', 'default', 'player-292718d3-705f-4134-8aef-82d65aca45b1', '', 'c838692a-4d2c-4c2f-bf0a-b7391e1ba980', '2026-12-01 05:44:52.127777+00'),
	(8, 'operator', 'default', 'deposit', '9f673126-853f-48ad-a263-ea0caacba3a1', 'default', 'player-53083eeb-7459-458d-bd76-91e173a1a6a0', '', 'bbc5b357-4d7f-4971-a676-8608ceb8e31f', '2026-12-01 05:44:52.130725+00'),
	(9, 'operator', 'default', 'deposit', 'b4f8b40c-2886-4d21-ba6b-43b67a3b518a', 'default', 'player-ea65413b-bddd-4a44-a715-265a93669820', '', '93073266-efa1-44b7-b9a3-3b9248a600a4', '2026-12-01 05:44:52.518945+00'),
	(10, 'operator', 'default', 'deposit', 'cecc9042-4000-4e9f-bdce-0c7cd1dd989a', 'default', 'player-3838945c-8ce1-4146-92d1-ee0904910151', '', '4a399e8c-bdce-4ae0-96b3-9683624addee', '2026-12-01 05:44:52.524504+00'),
	(11, 'operator', 'default', 'deposit', '7cffc482-a865-43c1-af0a-02041ca244f1', 'default', 'player-8cd4d489-72f6-48d0-be9c-3fd012d09ea6', '', '1b044f1b-5b62-4166-91b2-1dcc1aa132ba', '2026-12-01 05:44:52.529669+00'),
	(12, 'operator', 'default', 'deposit', '358756ec-ad9e-4cf1-8bdd-4c0736a83efc', 'default', 'player-f61a82df-7576-46b2-ad12-1222dbb68fc7', '', '907ccbac-76e8-4caa-8fa6-c23f9f4165b2', '2026-12-01 05:44:52.533165+00'),
	(13, 'operator', 'default', 'deposit', '2dab8d41-187d-40fa-adcd-cc9acff5e519', 'default', 'player-2ee3a753-c71c-4adb-93a4-7d545fdb8f92', '', 'b6db4e44-40a3-486c-ac31-a6d4c39e12a7', '2026-12-01 05:44:52.643901+00'),
	(14, 'operator', 'default', 'deposit', '514a1b4c-f28a-4750-a172-33240d4e05fe', 'default', 'player-b1e46326-b5b6-4b0f-bf28-6722da595640', '', 'bb3012f8-f94a-4553-ba01-0a7f82da1385', '2026-12-01 05:44:52.652748+00'),
	(15, 'operator', 'default', 'deposit', '7cf4325c-6e3c-4695-9038-d84ecf5fa32d', 'default', 'player-f6525292-25ac-4ac3-8e8b-fbb9e871c8ce', '', '4266095f-0409-482b-98f5-097d37de7cb0', '2026-12-01 05:44:52.660834+00'),
	(16, 'operator', 'default', 'deposit', 'b1403498-e9cb-4189-81e2-5dd6b28bf88c', 'default', 'player-35e207af-4331-4194-9d69-c5bf94a03fd6', '', '24c8a1e9-9b40-43eb-9f3c-1efd2f1016b4', '2026-12-01 05:44:52.66501+00'),
	(17, 'operator', 'default', 'deposit', 'd2e9794e-8383-435a-878e-5117da67f205', 'default', 'player-5d826678-8163-4fa3-a059-3da62003703b', '', '28d91ed5-ce80-42a2-9e36-90ea00caf276', '2026-12-01 05:44:52.846361+00'),
	(18, 'operator', 'default', 'deposit', '26207d7c-92a4-44b2-83fe-e457c609dc2a', 'default', 'player-90f28b94-44f8-462f-8be3-8830a577ed46', '', '3481f05b-8962-4cc5-b066-19c10693ca37', '2026-12-01 05:44:52.849646+00'),
	(19, 'operator', 'default', 'deposit', '6eaacd4d-3661-40db-89e4-dfee8f7413b2', 'default', 'player-9488bcdf-8457-4101-9967-61e75466953a', '', '443b0ff4-964f-4ec3-9040-461790bf303c', '2026-12-01 05:44:52.89416+00'),
	(20, 'operator', 'default', 'deposit', 'a264912e-44e4-46b9-8627-1ba30b3b5682', 'default', 'player-ab46a69a-b0b9-4cb3-a1c4-2776a17e4e30', '', '51d2866c-8823-4af3-957e-0e4f82305272', '2026-12-01 05:44:52.897398+00'),
	(21, 'operator', 'default', 'deposit', '37cfdead-5ccb-4aae-a81a-6e2d34be3596', 'default', 'player-1d809d4e-17e4-432a-88a4-103096829706', '', 'c049efa7-c752-44a9-921d-fedf2dc9680f', '2026-12-01 05:44:52.90051+00'),
	(22, 'operator', 'default', 'deposit', '0fd4d62f-ee89-465e-9e23-48fa091e0501', 'default', 'player-abe3324e-f8fe-408d-a917-19722e1ff916', '', '8b660caa-3d88-488e-aff5-22cbc26aefbb', '2026-12-01 05:44:52.90297+00');






INSERT INTO wallet.pot VALUES
	('afce624c-a94a-4945-9130-ca1f87d17d05', 'default', 'CHF', 200, 20, 1, 6, 'SETTLED', '{1,3}', '\xad451b5a0a8ce95418ee7ea103988d202dfb9900fbcc3dbb7ed757c5f3c3d4ae', '926fbba2-a95e-5de8-a90e-c90bebc94e0e', NULL, '2026-12-01 05:44:51.017301+00', '2026-12-01 05:44:51.090168+00', '2026-12-01 05:44:52.094703+00'),
	('ccf8059b-46fe-4027-947c-eed6de26ac06', 'default', 'CHF', 200, 20, 1, 12, 'LOCKED', NULL, NULL, 'db21911c-6696-58ed-9a2e-25acb30300b5', NULL, '2026-12-01 05:44:52.139629+00', '2026-12-01 05:44:52.188337+00', NULL),
	('b93c34ed-9b72-4348-8048-043b93209850', 'default', 'CHF', 200, 20, 1, 17, 'LOCKED', NULL, NULL, 'c6d68184-96c9-53a6-8e14-a6d2d0987a02', NULL, '2026-12-01 05:44:52.542964+00', '2026-12-01 05:44:52.588322+00', NULL),
	('10b3c2dd-b538-4ccc-a5f8-cd3cd6f9553e', 'default', 'CHF', 200, 20, 1, 22, 'LOCKED', NULL, NULL, 'bf60ea1c-3605-5946-aa5d-fd2ac0d552fc', NULL, '2026-12-01 05:44:52.674834+00', '2026-12-01 05:44:52.748272+00', NULL),
	('0f883380-f59a-486b-8c35-d3b2d9d39158', 'default', 'CHF', 200, 20, 1, 25, 'OPEN', NULL, NULL, NULL, NULL, '2026-12-01 05:44:52.863418+00', NULL, NULL),
	('b8833b0b-65e4-4062-856b-50a645d4673d', 'default', 'CHF', 200, 20, 1, 30, 'LOCKED', NULL, NULL, '3ed3f69b-fb39-567f-9aa8-27c2ebab7619', NULL, '2026-12-01 05:44:52.910607+00', '2026-12-01 05:44:52.971097+00', NULL);






INSERT INTO wallet.retention VALUES
	(true, '-infinity', '00000000-0000-0000-0000-000000000000');



INSERT INTO wallet.roll_up VALUES
	(2, 1, '{2,3,5,7}', -4000, -4000, '\x437a6c23a9620c00196231a25fd9e2d58a4b9964699cec4c344bee0a7575bb45', '2026-12-01 05:44:51.916569+00'),
	(2, 2, '{21,23,25,27,37,39,41,43,53,55,57,59,69,71,77,79,81,83}', -18000, -22000, '\xb8c30f7d69c3480e8d77accae63005d99b33d3a456261bf3aac078bdea1025c2', '2026-12-01 05:44:52.918974+00'),
	(7, 1, '{20}', 20, 20, '\x8554db5c65b79a5f026702051f1859fcd867e01f8cb1d514e5a11a94722c77c2', '2026-12-01 05:44:52.919896+00');



INSERT INTO wallet.schema_file VALUES
	('0001_ledger.sql', 'e1d5d273b5660ee354efc1b4096235ff0a189240db1a5d606bb0461071d9b709', '2026-12-01 05:44:47.968735+00'),
	('0002_recovery.sql', '3bd1dd0767a25c98484982009e9087a0d4fcbec87ed225b4090bfc47844e894a', '2026-12-01 05:44:47.973772+00');



INSERT INTO wallet.schema_state VALUES
	(true, '0002', '0002', '0.1.0', '2026-12-01 05:44:47.988825+00');



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




