-- Fee schedules, fees and quotes.

-- floor(pot x fee_bps / 10000), at least fee_min, at most fee_max, never more than the pot.
CREATE OR REPLACE FUNCTION wallet.fee(p_pot bigint, p_schedule wallet.fee_schedule)
RETURNS bigint LANGUAGE sql IMMUTABLE SET search_path = wallet, pg_temp AS $$
    SELECT least(greatest(p_pot * p_schedule.fee_bps / 10000, p_schedule.fee_min), p_schedule.fee_max, p_pot)
$$;

-- Equal parts; left-over units go one each from the first part on.
CREATE OR REPLACE FUNCTION wallet.split(p_net bigint, p_parts integer)
RETURNS bigint[] LANGUAGE sql IMMUTABLE SET search_path = wallet, pg_temp AS $$
    SELECT array_agg(p_net / p_parts + CASE WHEN part < p_net % p_parts THEN 1 ELSE 0 END ORDER BY part)
    FROM generate_series(0, p_parts - 1) AS part
$$;

-- A quote for four stakes.
CREATE OR REPLACE FUNCTION wallet.quote(p_currency text, p_stake bigint, p_fee bigint, p_schedule wallet.fee_schedule)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'currency', p_currency, 'stake', p_stake, 'pot', 4 * p_stake, 'fee', p_fee, 'net', 4 * p_stake - p_fee,
        'side_payouts', split(4 * p_stake - p_fee, 2),
        'fee_schedule_version', p_schedule.version, 'fee_bps', p_schedule.fee_bps)
$$;

-- The latest effective version of the tenant's own schedule, else of the general one.
CREATE OR REPLACE FUNCTION wallet.schedule_of(p_tenant text)
RETURNS wallet.fee_schedule LANGUAGE plpgsql STABLE SET search_path = wallet, pg_temp AS $$
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

-- QuotePots: one quote per stake, in order, under the current schedule.
CREATE OR REPLACE FUNCTION wallet.quote_pots(p_tenant text, p_currencies text[], p_stakes bigint[])
RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    schedule fee_schedule := schedule_of(p_tenant);
BEGIN
    RETURN jsonb_build_object('quotes', coalesce(
        (SELECT jsonb_agg(quote(currency, stake, fee(4 * stake, schedule), schedule) ORDER BY place)
         FROM unnest(p_currencies, p_stakes) WITH ORDINALITY AS asked (currency, stake, place)), '[]'));
END
$$;

-- Sets the first general schedule if there is none at all; returns the latest. A process with other terms changes nothing.
CREATE OR REPLACE FUNCTION wallet.ensure_fee_schedule(p_fee_bps integer, p_fee_min bigint, p_fee_max bigint)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    latest bigint;
BEGIN
    -- Replicas start together: only one of them writes.
    PERFORM pg_advisory_xact_lock(hashtext('wallet.fee_schedule'));
    SELECT max(version) INTO latest FROM fee_schedule WHERE tenant = '';
    IF latest IS NULL THEN
        INSERT INTO fee_schedule (fee_bps, fee_min, fee_max) VALUES (p_fee_bps, p_fee_min, p_fee_max)
        RETURNING version INTO latest;
    END IF;
    RETURN jsonb_build_object('version', latest);
END
$$;

CREATE OR REPLACE FUNCTION wallet.describe_schedule(p_schedule wallet.fee_schedule)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'version', p_schedule.version, 'tenant', p_schedule.tenant, 'fee_bps', p_schedule.fee_bps,
        'fee_min', p_schedule.fee_min, 'fee_max', p_schedule.fee_max,
        'start_us', (extract(epoch FROM coalesce(p_schedule.start_at, p_schedule.created_at)) * 1000000)::bigint,
        'created_us', (extract(epoch FROM p_schedule.created_at) * 1000000)::bigint,
        'created_by', p_schedule.created_by)
$$;

-- SetFeeSchedule. p_tenant '': every brand without its own; p_start_us NULL: from now on. Idempotent by tenant and request id.
-- Refusals: REQUEST_ID_REUSED; SCHEDULE_TOO_EARLY for a start in the past, or before that of another version of the tenant.
CREATE OR REPLACE FUNCTION wallet.set_fee_schedule(
    p_tenant text, p_request uuid, p_fee_bps integer, p_fee_min bigint, p_fee_max bigint, p_start_us bigint,
    p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

-- Up to p_limit versions before p_before (NULL: from the newest), newest first.
CREATE OR REPLACE FUNCTION wallet.fee_schedules(p_before bigint, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('schedules', coalesce(jsonb_agg(describe_schedule(page) ORDER BY page.version DESC), '[]'))
    FROM (SELECT fee_schedule.* FROM fee_schedule WHERE version < coalesce(p_before, 9223372036854775807)
          ORDER BY version DESC LIMIT p_limit) AS page
$$;

GRANT EXECUTE ON FUNCTION wallet.quote_pots, wallet.ensure_fee_schedule, wallet.set_fee_schedule, wallet.fee_schedules TO jasshaus_wallet;
