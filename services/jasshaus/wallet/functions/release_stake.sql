-- ReleaseStake.

-- Idempotent by reservation id. An unknown reservation is closed for good (a tombstone): a late hold is refused.
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

GRANT EXECUTE ON FUNCTION wallet.release_stake TO jasshaus_wallet;
