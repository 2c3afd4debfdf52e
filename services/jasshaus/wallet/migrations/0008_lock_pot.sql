-- Owns LockPot: four stakes are in, the match is on.

-- p_holds: [{seat, player, reservation_id, currency, amount}], four, one a seat. Idempotent by the pot and these holds.
-- Refusals, with the pot: HOLDS_DIFFER; POT_NOT_OPEN when it is over (settled on these very holds is the same answer again).
CREATE FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    same boolean;
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;

    SELECT count(held.seat) = 4 AND count(named.seat) = 4 AND count(*) = 4 INTO same
    FROM (SELECT seat, player, reservation_id, target.currency AS currency, target.stake AS amount
          FROM hold WHERE pot_id = p_pot AND state IN ('HELD', 'PAID')) AS held
    FULL JOIN jsonb_to_recordset(p_holds)
        AS named (seat smallint, player text, reservation_id uuid, currency text, amount bigint)
        USING (seat, player, reservation_id, currency, amount);

    IF target.state = 'REFUNDED' OR (target.state = 'SETTLED' AND NOT same) THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF NOT same THEN
        RETURN refused('HOLDS_DIFFER', p_pot);
    END IF;
    UPDATE pot SET state = 'LOCKED', locked_at = clock_timestamp() WHERE id = p_pot AND state = 'OPEN';
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;
