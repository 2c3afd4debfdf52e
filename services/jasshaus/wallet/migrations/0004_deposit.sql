-- Owns Deposit: cashier to player, opening the account when it is the first time.

-- An entry of a player's account as the statement shows it.
CREATE FUNCTION wallet.describe_entry(p_entry wallet.entry)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'journal_id', journal.id, 'sequence', p_entry.sequence, 'currency', p_entry.currency,
        'amount', p_entry.amount, 'balance_after', p_entry.balance_after, 'kind', journal.kind,
        'pot_id', journal.pot_id, 'reference', journal.reference,
        'created_us', (extract(epoch FROM journal.created_at) * 1000000)::bigint)
    FROM journal WHERE journal.id = p_entry.journal_id
$$;

-- Idempotent by tenant and request id. Refusals: REQUEST_ID_REUSED, BALANCE_LIMIT (not recorded: the id stays free).
CREATE FUNCTION wallet.deposit(
    p_tenant text, p_request uuid, p_player text, p_currency text, p_amount bigint, p_reference text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    balance_limit CONSTANT bigint := 1000000000000000;
    body bytea := sha256(convert_to(
        jsonb_build_array('deposit', p_player, p_currency, p_amount, p_reference)::text, 'UTF8'));
    known idempotency;
    cashier bigint;
    payee bigint;
    written uuid;
    line entry;
BEGIN
    -- Two at once: the second one waits here until the first is committed, and then reads its answer.
    INSERT INTO idempotency (tenant, request_id, body_digest) VALUES (p_tenant, p_request, body)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        SELECT * INTO STRICT known FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
        IF known.body_digest <> body THEN
            RETURN refused('REQUEST_ID_REUSED');
        END IF;
        SELECT * INTO STRICT line FROM entry WHERE id = known.entry_id;
        RETURN jsonb_build_object('entry', describe_entry(line));
    END IF;

    cashier := account_of('cashier', p_tenant, '', p_currency);
    payee := account_of('player', p_tenant, p_player, p_currency);
    PERFORM lock_accounts(ARRAY[payee]);
    IF (SELECT balance + p_amount > balance_limit FROM account WHERE id = payee) THEN
        DELETE FROM idempotency WHERE tenant = p_tenant AND request_id = p_request;
        RETURN refused('BALANCE_LIMIT');
    END IF;

    written := post('deposit', NULL, p_reference, ARRAY[cashier, payee], ARRAY[-p_amount, p_amount]);
    SELECT * INTO STRICT line FROM entry WHERE journal_id = written AND account_id = payee;
    UPDATE idempotency SET entry_id = line.id WHERE tenant = p_tenant AND request_id = p_request;
    RETURN jsonb_build_object('entry', describe_entry(line));
END
$$;
