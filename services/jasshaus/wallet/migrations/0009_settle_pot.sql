-- Owns SettlePot: pot - fee to the winners, the fee to the house.

-- p_seats: the winning seats, in seat order. Idempotent by the pot and the result (seats and digest).
-- Refusals, with the pot: POT_NOT_LOCKED, POT_REFUNDED, SETTLEMENT_CONFLICT.
CREATE FUNCTION wallet.settle_pot(p_pot uuid, p_seats smallint[], p_digest bytea, p_table uuid)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    shares bigint[];
    winners bigint[];
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'OPEN' THEN
        RETURN refused('POT_NOT_LOCKED', p_pot);
    ELSIF target.state = 'REFUNDED' THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF target.state = 'SETTLED' AND (target.winning_seats, target.result_digest::bytea) <> (p_seats, p_digest) THEN
        RETURN refused('SETTLEMENT_CONFLICT', p_pot);
    ELSIF target.state = 'LOCKED' THEN
        shares := split(4 * target.stake - target.fee, cardinality(p_seats));
        SELECT array_agg(account_id ORDER BY seat) INTO winners
        FROM hold WHERE pot_id = p_pot AND state = 'HELD' AND seat = ANY (p_seats);
        PERFORM post('payout', p_pot, '',
            ARRAY[target.account_id, account_of('house', target.tenant, '', target.currency)] || winners,
            ARRAY[-4 * target.stake, target.fee] || shares);
        UPDATE hold SET state = 'PAID', payout = shares[array_position(p_seats, seat)]
        WHERE pot_id = p_pot AND state = 'HELD';
        UPDATE pot SET state = 'SETTLED', winning_seats = p_seats, result_digest = p_digest, table_id = p_table,
                       closed_at = clock_timestamp()
        WHERE id = p_pot;
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;
