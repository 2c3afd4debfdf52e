-- OpenPot.

-- Idempotent by the pot's id. Fixes stake, fee and schedule. Refusal: POT_CONFLICT if the id exists with different terms.
-- A pot that was removed cannot be opened again.
CREATE OR REPLACE FUNCTION wallet.open_pot(p_pot uuid, p_tenant text, p_currency text, p_stake bigint)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION wallet.open_pot TO jasshaus_wallet;
