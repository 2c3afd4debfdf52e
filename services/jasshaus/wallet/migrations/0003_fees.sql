-- Owns the arithmetic of fee and payout, and the versions of the fee schedule.

-- floor(pot x fee_bps / 10000), at least fee_min, at most fee_max, never over the pot.
CREATE FUNCTION wallet.fee(p_pot bigint, p_schedule wallet.fee_schedule)
RETURNS bigint LANGUAGE sql IMMUTABLE SET search_path = wallet, pg_temp AS $$
    SELECT least(greatest(p_pot * p_schedule.fee_bps / 10000, p_schedule.fee_min), p_schedule.fee_max, p_pot)
$$;

-- Equal parts; left-over units one each from the first.
CREATE FUNCTION wallet.split(p_net bigint, p_parts integer)
RETURNS bigint[] LANGUAGE sql IMMUTABLE SET search_path = wallet, pg_temp AS $$
    SELECT array_agg(p_net / p_parts + CASE WHEN part < p_net % p_parts THEN 1 ELSE 0 END ORDER BY part)
    FROM generate_series(0, p_parts - 1) AS part
$$;

-- The tenant's own latest schedule, else the latest of everybody.
CREATE FUNCTION wallet.schedule_of(p_tenant text)
RETURNS wallet.fee_schedule LANGUAGE plpgsql STABLE SET search_path = wallet, pg_temp AS $$
DECLARE
    schedule fee_schedule;
BEGIN
    SELECT * INTO schedule FROM fee_schedule
    WHERE tenant IN (p_tenant, '') ORDER BY tenant = '', version DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no fee schedule yet' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN schedule;
END
$$;

-- What four stakes turn into.
CREATE FUNCTION wallet.quote(p_currency text, p_stake bigint, p_fee bigint, p_schedule wallet.fee_schedule)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'currency', p_currency, 'stake', p_stake, 'pot', 4 * p_stake, 'fee', p_fee, 'net', 4 * p_stake - p_fee,
        'side_payouts', split(4 * p_stake - p_fee, 2),
        'fee_schedule_version', p_schedule.version, 'fee_bps', p_schedule.fee_bps)
$$;

-- QuotePots: one quote for each stake, in order, by the current schedule.
CREATE FUNCTION wallet.quote_pots(p_tenant text, p_currencies text[], p_stakes bigint[])
RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    schedule fee_schedule := schedule_of(p_tenant);
BEGIN
    RETURN jsonb_build_object('quotes', coalesce(
        (SELECT jsonb_agg(quote(currency, stake, fee(4 * stake, schedule), schedule) ORDER BY place)
         FROM unnest(p_currencies, p_stakes) WITH ORDINALITY AS asked (currency, stake, place)), '[]'));
END
$$;

-- Makes the schedule for everybody be these terms: a new version only if the latest differs. Returns the version.
CREATE FUNCTION wallet.ensure_fee_schedule(p_fee_bps integer, p_fee_min bigint, p_fee_max bigint)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    latest fee_schedule;
BEGIN
    -- Replicas start together: one of them writes.
    PERFORM pg_advisory_xact_lock(hashtext('wallet.fee_schedule'));
    SELECT * INTO latest FROM fee_schedule WHERE tenant = '' ORDER BY version DESC LIMIT 1;
    IF (latest.fee_bps, latest.fee_min, latest.fee_max) IS DISTINCT FROM (p_fee_bps, p_fee_min, p_fee_max) THEN
        INSERT INTO fee_schedule (fee_bps, fee_min, fee_max) VALUES (p_fee_bps, p_fee_min, p_fee_max)
        RETURNING * INTO latest;
    END IF;
    RETURN jsonb_build_object('version', latest.version);
END
$$;
