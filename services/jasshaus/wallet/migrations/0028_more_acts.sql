-- Acts of operators at other services, and the end of a recovery that an operator decides.

ALTER TABLE wallet.operator_act DROP CONSTRAINT operator_act_kind_check;
ALTER TABLE wallet.operator_act ADD CONSTRAINT operator_act_kind_check CHECK (kind IN (
    'deposit', 'withdraw', 'correct', 'set_fee_schedule', 'refund_pot', 'settle_pot',
    'abort_table', 'reconcile_table', 'end_recovery'));

-- An act that wrote no journal is recorded once for its request.
CREATE UNIQUE INDEX operator_act_once ON wallet.operator_act (request_id, kind)
    WHERE kind IN ('abort_table', 'reconcile_table', 'end_recovery');

-- RecordAct: what an operator is about to do at another service. The same request id is the same act.
CREATE FUNCTION wallet.record_operator_act(
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

-- Whose decision ended it; NULL when the comparison did.
ALTER TABLE wallet.recovery ADD COLUMN ended_by text;

CREATE OR REPLACE FUNCTION wallet.describe_recovery(p_recovery wallet.recovery)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'recovery_id', p_recovery.id, 'cause', p_recovery.cause,
        'begun_us', (extract(epoch FROM p_recovery.begun_at) * 1000000)::bigint,
        'ended_us', (extract(epoch FROM p_recovery.ended_at) * 1000000)::bigint,
        'position', jsonb_build_object('lineage', name, 'timeline', timeline, 'flushed', p_recovery.flushed),
        'repaired', p_recovery.repaired, 'unmatched', p_recovery.unmatched, 'ended_by', coalesce(p_recovery.ended_by, ''))
    FROM lineage WHERE id = p_recovery.lineage_id
$$;

-- ForceEndRecovery: an operator opens the gate before every table is compared. Refusals: RECOVERY_NOT_CURRENT when another one has
-- begun, or is about to, or this one is over otherwise; REQUEST_ID_REUSED.
CREATE FUNCTION wallet.force_end_recovery(
    p_recovery bigint, p_request uuid, p_reason text, p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    latest recovery;
    done operator_act;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('wallet.recovery'));
    SELECT * INTO done FROM operator_act WHERE request_id = p_request AND kind = 'end_recovery';
    IF FOUND AND (done.subject, done.subject_tenant, done.object, done.reason)
            IS DISTINCT FROM (p_subject, p_subject_tenant, p_recovery::text, p_reason) THEN
        RETURN refused('REQUEST_ID_REUSED');
    END IF;
    SELECT * INTO latest FROM recovery ORDER BY id DESC LIMIT 1;
    IF done.id IS NOT NULL THEN
        SELECT * INTO latest FROM recovery WHERE id = p_recovery;
        RETURN jsonb_build_object('recovery', describe_recovery(latest));
    END IF;
    IF latest.id IS DISTINCT FROM p_recovery OR latest.ended_at IS NOT NULL
            OR taken_back(position_now(), NULL, NULL) IS NOT NULL THEN
        RETURN refused('RECOVERY_NOT_CURRENT');
    END IF;
    UPDATE recovery SET ended_at = clock_timestamp(), ended_by = p_subject WHERE id = p_recovery RETURNING * INTO latest;
    PERFORM record_act('end_recovery', ROW(p_subject, p_subject_tenant, p_request)::actor, '', p_recovery::text, p_reason, NULL);
    RETURN jsonb_build_object('recovery', describe_recovery(latest));
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wallet.record_operator_act, wallet.force_end_recovery TO jasshaus_wallet;
