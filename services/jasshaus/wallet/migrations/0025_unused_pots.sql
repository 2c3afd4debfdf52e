-- Pots through which no money ever went are removed after a while. Their ids stay taken.

-- A late OpenPot, hold or release of a pot that was removed finds its id here, and nothing is made anew.
CREATE TABLE wallet.fenced_pot (
    id uuid PRIMARY KEY,
    fenced_on date NOT NULL DEFAULT current_date
);
-- How far wallet.remove_unused_pots has come: each pot is looked at once, since what has a journal after that time keeps it.
CREATE TABLE wallet.retention (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    created_at timestamptz NOT NULL DEFAULT '-infinity',
    pot_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO wallet.retention DEFAULT VALUES;
-- Without it, removing an account reads all holds.
CREATE INDEX hold_of_account ON wallet.hold (account_id);

-- Looks at the next p_limit pots opened more than p_days ago, and removes those without a journal, with holds and account. Returns how
-- many it looked at and removed; nothing while another process is at it.
CREATE FUNCTION wallet.remove_unused_pots(p_days integer, p_limit integer)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

-- OpenPot, HoldStake and ReleaseStake as before, but for a pot that was removed.
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

CREATE OR REPLACE FUNCTION wallet.hold_stake(p_pot uuid, p_reservation uuid, p_seat integer, p_player text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

CREATE OR REPLACE FUNCTION wallet.release_stake(p_pot uuid, p_reservation uuid)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT SELECT ON wallet.fenced_pot, wallet.retention TO jasshaus_wallet;
GRANT EXECUTE ON FUNCTION wallet.remove_unused_pots TO jasshaus_wallet;
