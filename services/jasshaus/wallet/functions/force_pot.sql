-- ForceRefundPot and ForceSettlePot: an operator's decision.

-- p_winners NULL: refund, otherwise settle. Idempotent by the pot's tenant and request id. Refusals, none of them recorded: OWN_TABLE,
-- POT_SETTLED, POT_NOT_LOCKED, POT_REFUNDED, with the pot; REQUEST_ID_REUSED.
CREATE OR REPLACE FUNCTION wallet.force_pot(p_pot uuid, p_winners smallint[], p_reason text, p_actor wallet.actor)
RETURNS jsonb LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    act CONSTANT text := CASE WHEN p_winners IS NULL THEN 'refund_pot' ELSE 'settle_pot' END;
    asked CONSTANT bytea := sha256(convert_to(jsonb_build_array(act, p_pot, p_winners, p_reason)::text, 'UTF8'));
    request CONSTANT uuid := p_actor.request_id;
    target pot;
    refusal text;
    written uuid;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;
    CASE begin_request(target.tenant, request, asked)
        WHEN 'reused' THEN RETURN refused('REQUEST_ID_REUSED');
        WHEN 'same' THEN RETURN jsonb_build_object('pot', describe_pot(p_pot));
        ELSE NULL;
    END CASE;
    SELECT * INTO STRICT target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    refusal := CASE
        WHEN plays_for(p_pot, p_actor.subject) THEN 'OWN_TABLE'
        WHEN target.state = 'SETTLED' THEN 'POT_SETTLED'
        WHEN p_winners IS NOT NULL AND target.state = 'OPEN' THEN 'POT_NOT_LOCKED'
        WHEN p_winners IS NOT NULL AND target.state = 'REFUNDED' THEN 'POT_REFUNDED' END;
    IF refusal IS NOT NULL THEN
        RETURN refused_unrecorded(target.tenant, request, refusal, p_pot);
    ELSIF p_winners IS NOT NULL THEN
        written := pay(target, p_winners, asked, NULL, p_actor);
    ELSIF target.state <> 'REFUNDED' THEN
        written := give_back(target, 'OPERATOR', NULL, p_actor);
    END IF;
    PERFORM record_act(act, p_actor, target.tenant, p_pot::text, p_reason, written);
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

CREATE OR REPLACE FUNCTION wallet.force_refund_pot(p_pot uuid, p_request uuid, p_reason text, p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT force_pot(p_pot, NULL, p_reason, ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;

CREATE OR REPLACE FUNCTION wallet.force_settle_pot(
    p_pot uuid, p_request uuid, p_winners smallint[], p_reason text, p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT force_pot(p_pot, p_winners, p_reason, ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;

GRANT EXECUTE ON FUNCTION wallet.force_refund_pot, wallet.force_settle_pot TO jasshaus_wallet;
