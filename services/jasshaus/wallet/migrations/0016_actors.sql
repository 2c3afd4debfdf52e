-- Who did it: every operator's act is recorded, and stands in the journal it wrote.

-- NULL in journals of services, and in those written by a release that did not record them.
ALTER TABLE wallet.journal
    ADD COLUMN tenant text,
    ADD COLUMN request_id uuid,
    ADD COLUMN actor_subject text,
    ADD COLUMN actor_tenant text,
    DROP CONSTRAINT journal_check;
ALTER TABLE wallet.journal ADD CONSTRAINT pot_or_cashier CHECK (
    (pot_id IS NULL) = (kind IN ('deposit', 'withdrawal', 'correction'))) NOT VALID;

-- The guards against doing it twice that do not depend on wallet.idempotency. References of before are in wallet.old_reference.
CREATE UNIQUE INDEX request_done_once ON wallet.journal (tenant, request_id) WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX reference_used_once ON wallet.journal (tenant, kind, reference)
    WHERE pot_id IS NULL AND tenant IS NOT NULL AND reference <> '';

-- References of deposits from before journals named their tenant. Some may have been used more than once: the first counts.
CREATE TABLE wallet.old_reference (
    tenant text NOT NULL,
    reference text NOT NULL,
    journal_id uuid NOT NULL REFERENCES wallet.journal,
    PRIMARY KEY (tenant, reference)
);

-- `object`: the player or pot it was done to, '' for a fee schedule. `tenant` '': every brand.
CREATE TABLE wallet.operator_act (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject text NOT NULL CHECK (subject <> ''),
    subject_tenant text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('deposit', 'withdraw', 'correct', 'set_fee_schedule', 'refund_pot', 'settle_pot')),
    request_id uuid NOT NULL,
    tenant text NOT NULL,
    object text NOT NULL,
    reason text NOT NULL,
    journal_id uuid REFERENCES wallet.journal,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX operator_act_by_subject ON wallet.operator_act (subject, id);
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.operator_act
    FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();

-- Who acts: the `sub` and `tenant` of their token, and the id of the request. A NULL subject: nobody that is known.
CREATE TYPE wallet.actor AS (subject text, tenant text, request_id uuid);

-- As before; and of a journal with a request id, who did it, too. The hashes of earlier entries stay what they were.
CREATE OR REPLACE FUNCTION wallet.link(p_chain bytea, p_entry wallet.entry, p_journal wallet.journal)
RETURNS bytea LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT sha256(p_chain || convert_to((jsonb_build_array(
        p_entry.account_id, p_entry.sequence, p_entry.journal_id, p_journal.kind, p_journal.pot_id, p_journal.reference,
        (extract(epoch FROM p_journal.created_at) * 1000000)::bigint,
        p_entry.currency, p_entry.amount, p_entry.balance_after)
        || CASE WHEN p_journal.request_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(
            p_journal.tenant, p_journal.request_id, p_journal.actor_subject, p_journal.actor_tenant) END)::text, 'UTF8'))
$$;

-- Writes a journal as wallet.post does, in an actor's name: p_tenant is the brand it is done to.
CREATE FUNCTION wallet.post_by(
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

-- A journal of a service: nobody's act but the pot's own story.
CREATE OR REPLACE FUNCTION wallet.post(
    p_kind wallet.journal_kind, p_pot uuid, p_reference text, p_accounts bigint[], p_amounts bigint[])
RETURNS uuid LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    SELECT post_by(p_kind, p_pot, p_reference, p_accounts, p_amounts, NULL, NULL)
$$;

-- Records an act; of nobody that is known, nothing.
CREATE FUNCTION wallet.record_act(
    p_kind text, p_actor wallet.actor, p_tenant text, p_object text, p_reason text, p_journal uuid)
RETURNS void LANGUAGE sql SET search_path = wallet, pg_temp AS $$
    INSERT INTO operator_act (subject, subject_tenant, kind, request_id, tenant, object, reason, journal_id)
    SELECT p_actor.subject, p_actor.tenant, p_kind, p_actor.request_id, p_tenant, p_object, p_reason, p_journal
    WHERE p_actor.subject IS NOT NULL
$$;

-- ListOperatorActs: the p_limit acts before p_before (NULL: from the newest), newest first; p_subject '' for everybody's.
CREATE FUNCTION wallet.operator_acts(p_subject text, p_before bigint, p_limit integer)
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT SELECT ON wallet.operator_act, wallet.old_reference TO jasshaus_wallet;
GRANT EXECUTE ON FUNCTION wallet.operator_acts TO jasshaus_wallet;
