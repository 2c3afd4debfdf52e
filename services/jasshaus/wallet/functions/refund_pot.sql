-- RefundPot.

-- RefundPot. p_table NULL: for an open pot. From an open pot, a table can refund only the stakes of its own seats. Refusals,
-- with the pot: POT_SETTLED, POT_NOT_OPEN, TABLE_MISMATCH, OWN_TABLE.
CREATE OR REPLACE FUNCTION wallet.refund_pot(p_pot uuid, p_reason text, p_table uuid, p_seats jsonb, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
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

GRANT EXECUTE ON FUNCTION wallet.refund_pot TO jasshaus_wallet;
