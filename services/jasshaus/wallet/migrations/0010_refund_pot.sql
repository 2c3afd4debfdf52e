-- Owns RefundPot: every held stake back to its player.

-- Idempotent by the pot. The reason stays with the journal: each player's statement says it. Refusals, with the pot: POT_SETTLED;
-- POT_NOT_OPEN where a locked pot's game is said never to have started: its match is on, and settles it.
CREATE FUNCTION wallet.refund_pot(p_pot uuid, p_reason text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    payees bigint[];
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'SETTLED' THEN
        RETURN refused('POT_SETTLED', p_pot);
    ELSIF target.state = 'LOCKED' AND p_reason = 'GAME_CLOSED' THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF target.state IN ('OPEN', 'LOCKED') THEN
        SELECT array_agg(account_id ORDER BY seat) INTO payees FROM hold WHERE pot_id = p_pot AND state = 'HELD';
        IF payees IS NOT NULL THEN
            PERFORM post('refund', p_pot, p_reason,
                ARRAY[target.account_id] || payees,
                ARRAY[-target.stake * cardinality(payees)] || array_fill(target.stake, ARRAY[cardinality(payees)]));
            UPDATE hold SET state = 'REFUNDED', payout = target.stake WHERE pot_id = p_pot AND state = 'HELD';
        END IF;
        UPDATE pot SET state = 'REFUNDED', refund_reason = p_reason, closed_at = clock_timestamp() WHERE id = p_pot;
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;
