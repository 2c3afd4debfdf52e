-- Operator acts: who, when, why.

-- Records an act; does nothing without an actor.
CREATE OR REPLACE FUNCTION wallet.record_act(
    p_kind text, p_actor wallet.actor, p_tenant text, p_object text, p_reason text, p_journal uuid)
RETURNS void LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    INSERT INTO operator_act (subject, subject_tenant, kind, request_id, tenant, object, reason, journal_id)
    SELECT p_actor.subject, p_actor.tenant, p_kind, p_actor.request_id, p_tenant, p_object, p_reason, p_journal
    WHERE p_actor.subject IS NOT NULL
$$;

-- RecordAct: what an operator is about to do at another service. Idempotent by request id.
CREATE OR REPLACE FUNCTION wallet.record_operator_act(
    p_kind text, p_request uuid, p_tenant text, p_object text, p_reason text, p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    act bigint;
BEGIN
    INSERT INTO operator_act (subject, subject_tenant, kind, request_id, tenant, object, reason)
    VALUES (p_subject, p_subject_tenant, p_kind, p_request, p_tenant, p_object, p_reason)
    ON CONFLICT DO NOTHING;
    SELECT id INTO act FROM operator_act
    WHERE request_id = p_request AND kind = p_kind AND subject = p_subject AND subject_tenant = p_subject_tenant
        AND tenant = p_tenant AND object = p_object AND reason = p_reason;
    IF NOT FOUND THEN
        RETURN refused('REQUEST_ID_REUSED');
    END IF;
    RETURN jsonb_build_object('act_id', act);
END
$$;

-- ListOperatorActs: up to p_limit acts before p_before (NULL: from the newest), newest first; p_subject '' for all operators.
CREATE OR REPLACE FUNCTION wallet.operator_acts(p_subject text, p_before bigint, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('acts', coalesce(jsonb_agg(jsonb_build_object(
        'act_id', page.id, 'subject', subject, 'subject_tenant', subject_tenant, 'kind', kind, 'request_id', request_id,
        'tenant', tenant, 'object', object, 'reason', reason, 'journal_id', journal_id,
        'created_us', (extract(epoch FROM created_at) * 1000000)::bigint) ORDER BY page.id DESC), '[]'))
    FROM (
        SELECT operator_act.* FROM operator_act
        WHERE (p_subject = '' OR subject = p_subject) AND id < coalesce(p_before, 9223372036854775807)
        ORDER BY id DESC LIMIT p_limit) AS page
$$;

GRANT EXECUTE ON FUNCTION wallet.record_operator_act, wallet.operator_acts TO jasshaus_wallet;
