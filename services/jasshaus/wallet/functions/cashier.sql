-- Deposit, Withdraw, Correct: between the cashier and a player.

-- Claims the request's row in wallet.idempotency: 'new' if written now, 'same' if it was there, 'reused' with a different body. Of two
-- concurrent requests, the second waits here until the first is committed.
CREATE OR REPLACE FUNCTION wallet.begin_request(p_tenant text, p_request uuid, p_body bytea)
RETURNS text LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    INSERT INTO idempotency (tenant, request_id, body_digest) VALUES (p_tenant, p_request, p_body) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN 'new';
    END IF;
    RETURN CASE WHEN body_digest = p_body THEN 'same' ELSE 'reused' END
    FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
END
$$;

-- A refusal that leaves the request id free: nothing is recorded.
CREATE OR REPLACE FUNCTION wallet.refused_unrecorded(p_tenant text, p_request uuid, p_reason text, p_pot uuid DEFAULT NULL)
RETURNS jsonb LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    DELETE FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
    RETURN refused(p_reason, p_pot);
END
$$;

-- p_amount: signed, as the player's account receives it. Idempotent by tenant and request id. Refusals, none of them recorded:
-- REQUEST_ID_REUSED, REFERENCE_USED (with `journal_id`), BALANCE_LIMIT, BALANCE_TOO_LOW. During a recovery only deposits are
-- accepted: what was paid out after the restore point is not known here.
CREATE OR REPLACE FUNCTION wallet.cashier_entry(
    p_kind wallet.journal_kind, p_act text, p_tenant text, p_player text, p_currency text, p_amount bigint, p_reference text,
    p_actor wallet.actor)
RETURNS jsonb LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    balance_limit CONSTANT bigint := 1000000000000000;
    asked CONSTANT jsonb := jsonb_build_array(p_kind, p_player, p_currency, abs(p_amount), p_reference)
        || CASE p_kind WHEN 'correction' THEN jsonb_build_array(sign(p_amount)) ELSE '[]' END;
    request CONSTANT uuid := p_actor.request_id;
    recorded text;
    player account;
    cashier bigint;
    written uuid;
    line entry;
BEGIN
    IF p_kind <> 'deposit' THEN
        PERFORM require_standing();
    END IF;
    recorded := begin_request(p_tenant, request, sha256(convert_to(asked::text, 'UTF8')));
    IF recorded = 'reused' THEN
        RETURN refused('REQUEST_ID_REUSED');
    ELSIF recorded = 'same' THEN
        SELECT entry.* INTO line FROM entry JOIN idempotency ON entry.id = entry_id
        WHERE tenant = p_tenant AND request_id = request;
        IF NOT FOUND THEN
            RETURN refused('REQUEST_ID_REUSED');
        END IF;
        RETURN jsonb_build_object('entry', describe_entry(line));
    END IF;

    -- Even if the row above were lost, the journal still has its request.
    SELECT entry.* INTO line FROM journal JOIN entry ON journal_id = journal.id JOIN account ON account.id = account_id
    WHERE journal.tenant = p_tenant AND request_id = request AND account.kind = 'player';
    IF FOUND THEN
        PERFORM FROM journal JOIN account ON account.id = line.account_id
        WHERE journal.id = line.journal_id
            AND (journal.kind, owner, line.currency, line.amount, reference)
                = (p_kind, p_player, p_currency, p_amount, p_reference);
        IF NOT FOUND THEN
            RETURN refused_unrecorded(p_tenant, request, 'REQUEST_ID_REUSED');
        END IF;
        UPDATE idempotency SET entry_id = line.id WHERE tenant = p_tenant AND request_id = request;
        RETURN jsonb_build_object('entry', describe_entry(line));
    END IF;

    IF p_reference <> '' THEN
        -- Of two concurrent requests with one reference, the second sees the first one's journal.
        PERFORM pg_advisory_xact_lock(hashtextextended(concat_ws('/', 'wallet.reference', p_tenant, p_kind, without_capitals(p_reference)), 0));
        SELECT id INTO written FROM journal
        WHERE tenant = p_tenant AND kind = p_kind AND pot_id IS NULL AND reference <> ''
            AND without_capitals(reference) = without_capitals(p_reference);
        IF FOUND THEN
            RETURN refused_unrecorded(p_tenant, request, 'REFERENCE_USED') || jsonb_build_object('journal_id', written);
        END IF;
    END IF;

    IF p_amount > 0 THEN
        PERFORM account_of('player', p_tenant, p_player, p_currency);
    END IF;
    SELECT * INTO player FROM account
    WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player AND currency = p_currency FOR NO KEY UPDATE;
    IF coalesce(player.balance, 0) + p_amount < 0 THEN
        RETURN refused_unrecorded(p_tenant, request, 'BALANCE_TOO_LOW');
    ELSIF p_amount > 0 AND player.balance + p_amount > balance_limit THEN
        RETURN refused_unrecorded(p_tenant, request, 'BALANCE_LIMIT');
    END IF;

    cashier := account_of('cashier', p_tenant, '', p_currency);
    written := post_by(p_kind, NULL, p_reference, ARRAY[cashier, player.id], ARRAY[-p_amount, p_amount], p_tenant, p_actor);
    SELECT * INTO STRICT line FROM entry WHERE journal_id = written AND account_id = player.id;
    UPDATE idempotency SET entry_id = line.id WHERE tenant = p_tenant AND request_id = request;
    PERFORM record_act(p_act, p_actor, p_tenant, p_player, p_reference, written);
    RETURN jsonb_build_object('entry', describe_entry(line));
END
$$;

CREATE OR REPLACE FUNCTION wallet.deposit(
    p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text,
    p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT cashier_entry('deposit', 'deposit', p_tenant, p_player, p_currency, p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;

-- p_amount: the amount paid out, positive.
CREATE OR REPLACE FUNCTION wallet.withdraw(
    p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text,
    p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT cashier_entry('withdrawal', 'withdraw', p_tenant, p_player, p_currency, -p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;

-- p_amount: signed.
CREATE OR REPLACE FUNCTION wallet.correct(
    p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text,
    p_subject text, p_subject_tenant text)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT cashier_entry('correction', 'correct', p_tenant, p_player, p_currency, p_amount, p_reference,
                         ROW(p_subject, p_subject_tenant, p_request)::actor)
$$;

GRANT EXECUTE ON FUNCTION wallet.deposit, wallet.withdraw, wallet.correct TO jasshaus_wallet;
