-- Accounts, journals and entries: the only way that money moves.

-- Returns the account, opening it if necessary. Its chain begins with its identity, so that no two chains are alike.
CREATE OR REPLACE FUNCTION wallet.account_of(p_kind wallet.account_kind, p_tenant text, p_owner text, p_currency text)
RETURNS bigint LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    account_id bigint;
BEGIN
    SELECT id INTO account_id FROM account
    WHERE tenant = p_tenant AND kind = p_kind AND owner = p_owner AND currency = p_currency;
    IF account_id IS NULL THEN
        INSERT INTO account (kind, tenant, owner, currency, chain)
        VALUES (p_kind, p_tenant, p_owner, p_currency,
                sha256(convert_to(jsonb_build_array(p_kind, p_tenant, p_owner, p_currency)::text, 'UTF8')))
        ON CONFLICT (tenant, kind, owner, currency) DO NOTHING;
        SELECT id INTO account_id FROM account
        WHERE tenant = p_tenant AND kind = p_kind AND owner = p_owner AND currency = p_currency;
    END IF;
    RETURN account_id;
END
$$;

-- Locks those accounts whose balance changes with each entry, always in the order of their ids.
CREATE OR REPLACE FUNCTION wallet.lock_accounts(p_accounts bigint[])
RETURNS void LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT FROM account WHERE id = ANY (p_accounts) AND kind IN ('player', 'pot') ORDER BY id FOR NO KEY UPDATE
$$;

-- The chain after an entry: SHA-256 over the previous chain and everything in the entry (times in microseconds since 1970).
-- For a journal with a request id, the actor is included, too.
CREATE OR REPLACE FUNCTION wallet.link(p_chain bytea, p_entry wallet.entry, p_journal wallet.journal)
RETURNS bytea LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT sha256(p_chain || convert_to((jsonb_build_array(
        p_entry.account_id, p_entry.sequence, p_entry.journal_id, p_journal.kind, p_journal.pot_id, p_journal.reference,
        (extract(epoch FROM p_journal.created_at) * 1000000)::bigint,
        p_entry.currency, p_entry.amount, p_entry.balance_after)
        || CASE WHEN p_journal.request_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(
            p_journal.tenant, p_journal.request_id, p_journal.actor_subject, p_journal.actor_tenant) END)::text, 'UTF8'))
$$;

-- Writes a journal like wallet.post, in an actor's name: p_tenant is the brand affected.
CREATE OR REPLACE FUNCTION wallet.post_by(
    p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[],
    p_tenant text, p_actor wallet.actor)
RETURNS uuid LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    written journal;
    posting record;
    posted account;
    line entry;
BEGIN
    PERFORM lock_accounts(p_accounts);
    INSERT INTO journal (kind, pot_id, reference, tenant, request_id, actor_subject, actor_tenant)
    VALUES (p_kind, p_pot, p_reference, p_tenant, p_actor.request_id, p_actor.subject, p_actor.tenant)
    RETURNING * INTO written;
    FOR posting IN
        SELECT each.account_id, each.amount FROM unnest(p_accounts, p_amounts) AS each (account_id, amount)
        WHERE each.amount <> 0 ORDER BY each.account_id
    LOOP
        SELECT * INTO STRICT posted FROM account WHERE id = posting.account_id;
        line := NULL;
        line.journal_id := written.id;
        line.account_id := posted.id;
        line.currency := posted.currency;
        line.amount := posting.amount;
        IF posted.kind IN ('player', 'pot') THEN
            line.sequence := posted.sequence + 1;
            line.balance_after := posted.balance + posting.amount;
            line.chain := link(posted.chain, line, written);
            UPDATE account SET balance = line.balance_after, sequence = line.sequence, chain = line.chain
            WHERE id = posted.id;
        END IF;
        INSERT INTO entry (journal_id, account_id, currency, amount, sequence, balance_after, chain)
        VALUES (line.journal_id, line.account_id, line.currency, line.amount,
                line.sequence, line.balance_after, line.chain)
        RETURNING id INTO line.id;
        IF posted.kind IN ('house', 'cashier') THEN
            INSERT INTO pending_roll_up (entry_id, account_id) VALUES (line.id, posted.id);
        END IF;
    END LOOP;
    RETURN written.id;
END
$$;

-- A journal of a service: it has no actor.
CREATE OR REPLACE FUNCTION wallet.post(
    p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[])
RETURNS uuid LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT post_by(p_kind, p_pot, p_reference, p_accounts, p_amounts, NULL, NULL)
$$;

-- The form of a refusal: operations return it, with the current pot if that explains it.
CREATE OR REPLACE FUNCTION wallet.refused(p_reason text, p_pot uuid DEFAULT NULL)
RETURNS jsonb LANGUAGE plpgsql STABLE SET search_path = wallet, pg_temp AS $$
BEGIN
    RETURN jsonb_build_object('refusal', p_reason)
        || CASE WHEN p_pot IS NULL THEN '{}' ELSE jsonb_build_object('pot', describe_pot(p_pot)) END;
END
$$;

-- An entry of a player's account as shown on the statement.
CREATE OR REPLACE FUNCTION wallet.describe_entry(p_entry wallet.entry)
RETURNS jsonb LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'journal_id', journal.id, 'sequence', p_entry.sequence, 'currency', p_entry.currency,
        'amount', p_entry.amount, 'balance_after', p_entry.balance_after, 'kind', journal.kind,
        'pot_id', journal.pot_id, 'reference', journal.reference,
        'created_us', (extract(epoch FROM journal.created_at) * 1000000)::bigint)
    FROM journal WHERE journal.id = p_entry.journal_id
$$;
