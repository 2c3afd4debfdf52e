-- HoldStake.

-- Idempotent by reservation id, refusals included. Everything that touches a pot queues at the pot's row, so its holds as read
-- after the first statement do not change until commit.
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
            -- Taken for another pot at the same moment.
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

GRANT EXECUTE ON FUNCTION wallet.hold_stake TO jasshaus_wallet;
