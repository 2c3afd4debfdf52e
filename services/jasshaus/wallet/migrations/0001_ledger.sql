-- The ledger's tables, and what the database itself enforces on them, whoever writes. Documented in docs/ledger.md. The operations are
-- in wallet/functions.
--
-- Amounts are whole minor units (Rappen for CHF). Locks are always taken in the order: idempotency row, pot row, accounts by id.

CREATE SCHEMA IF NOT EXISTS wallet;
REVOKE ALL ON SCHEMA wallet FROM PUBLIC;

-- The role the service connects as, or is a member of. Where it is missing it is made without a login: the operator gives it one.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'jasshaus_wallet') THEN
        CREATE ROLE jasshaus_wallet NOLOGIN;
    END IF;
END
$$;

CREATE DOMAIN wallet.currency_code AS text CHECK (VALUE ~ '^[A-Z][A-Z0-9]{2,7}$');
CREATE DOMAIN wallet.tenant_name AS text CHECK (VALUE ~ '^[a-z0-9][a-z0-9-]{0,62}$');
CREATE DOMAIN wallet.digest AS bytea CHECK (octet_length(VALUE) = 32);

CREATE TYPE wallet.account_kind AS ENUM ('player', 'pot', 'house', 'cashier');
CREATE TYPE wallet.journal_kind AS ENUM ('deposit', 'stake', 'release', 'payout', 'refund', 'withdrawal', 'correction');
CREATE TYPE wallet.pot_state AS ENUM ('OPEN', 'LOCKED', 'SETTLED', 'REFUNDED');
-- HELD: in the pot. PAID: went into the settlement. RELEASED, REFUNDED: given back, by itself or with the whole pot.
-- REFUSED: never held and never will be. RELEASED without an amount: given back before it was ever held (a tombstone).
CREATE TYPE wallet.hold_state AS ENUM ('HELD', 'PAID', 'RELEASED', 'REFUNDED', 'REFUSED');

-- Versions are only ever added: a pot keeps the version it was opened by. An empty tenant: all that
-- have no schedule of their own. `start_at` NULL: in force from when it was made. `request_id` and `created_by`: of the operator who set it.
CREATE TABLE wallet.fee_schedule (
    version bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL DEFAULT '',
    fee_bps integer NOT NULL CHECK (fee_bps BETWEEN 0 AND 10000),
    fee_min bigint NOT NULL CHECK (fee_min >= 0),
    fee_max bigint CHECK (fee_max >= fee_min),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    start_at timestamptz,
    created_by text NOT NULL DEFAULT '',
    request_id uuid
);
CREATE UNIQUE INDEX schedule_set_once ON wallet.fee_schedule (tenant, request_id) WHERE request_id IS NOT NULL;
CREATE INDEX fee_schedule_latest ON wallet.fee_schedule (tenant, version DESC);

-- Player and pot accounts: balance, sequence and chain move with each entry, under the row's lock.
-- House and cashier accounts: entries are appended without touching this row (it would be hot) and counted in by wallet.roll_up;
-- sequence is then the number of batches. `owner` is the player, or the pot's id.
CREATE TABLE wallet.account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind wallet.account_kind NOT NULL,
    tenant wallet.tenant_name NOT NULL,
    owner text NOT NULL DEFAULT '' CHECK ((owner = '') = (kind IN ('house', 'cashier'))),
    currency wallet.currency_code NOT NULL,
    balance numeric(38, 0) NOT NULL DEFAULT 0,
    sequence bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
    chain wallet.digest NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (tenant, kind, owner, currency),
    UNIQUE (id, currency),
    CONSTRAINT balance_not_negative CHECK (kind IN ('house', 'cashier') OR balance >= 0),
    CONSTRAINT balance_fits CHECK (kind IN ('house', 'cashier') OR balance <= 9000000000000000000)
);

-- What is left of pots that are over would make every sum of accounts grow with history.
CREATE INDEX account_besides_pots ON wallet.account (currency) WHERE kind <> 'pot';

CREATE TABLE wallet.pot (
    id uuid PRIMARY KEY,
    tenant wallet.tenant_name NOT NULL,
    currency wallet.currency_code NOT NULL,
    stake bigint NOT NULL CHECK (stake BETWEEN 1 AND 1000000000000),
    fee bigint NOT NULL CHECK (fee BETWEEN 0 AND 4 * stake),
    fee_schedule_version bigint NOT NULL REFERENCES wallet.fee_schedule,
    account_id bigint NOT NULL UNIQUE,
    state wallet.pot_state NOT NULL DEFAULT 'OPEN',
    winning_seats smallint[],
    result_digest wallet.digest,
    table_id uuid,
    refund_reason text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    locked_at timestamptz,
    closed_at timestamptz,
    FOREIGN KEY (account_id, currency) REFERENCES wallet.account (id, currency),
    CONSTRAINT settled_with_a_result CHECK (
        (state = 'SETTLED') = (winning_seats IS NOT NULL AND result_digest IS NOT NULL)),
    CONSTRAINT refunded_for_a_reason CHECK ((state = 'REFUNDED') = (refund_reason IS NOT NULL)),
    CONSTRAINT closed_when_over CHECK ((state IN ('SETTLED', 'REFUNDED')) = (closed_at IS NOT NULL))
);

CREATE INDEX pot_underway_by_age ON wallet.pot (created_at, id) WHERE state IN ('OPEN', 'LOCKED');
CREATE INDEX pot_by_age ON wallet.pot (created_at, id);

-- What an entry belongs to: one movement of money, all of whose entries add to zero in each currency. An operator's journal names them
-- (`actor_subject` and `actor_tenant`: `sub` and `tenant` of the token), the brand it was done to and the request; a service's does not.
CREATE TABLE wallet.journal (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    kind wallet.journal_kind NOT NULL,
    pot_id uuid REFERENCES wallet.pot,
    reference text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
    tenant text,
    request_id uuid,
    actor_subject text,
    actor_tenant text,
    CONSTRAINT pot_or_cashier CHECK ((pot_id IS NULL) = (kind IN ('deposit', 'withdrawal', 'correction'))),
    CONSTRAINT reference_without_stray_blanks CHECK (reference = btrim(reference) AND reference !~ '\s\s')
);
-- The guards against doing it twice that do not depend on wallet.idempotency. R1 and r1 are the same reference.
CREATE UNIQUE INDEX request_done_once ON wallet.journal (tenant, request_id) WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX reference_used_once ON wallet.journal (tenant, kind, lower(reference))
    WHERE pot_id IS NULL AND tenant IS NOT NULL AND reference <> '';
CREATE INDEX journal_of_pot ON wallet.journal (pot_id) WHERE pot_id IS NOT NULL;

-- Sequence, balance and chain are those of player and pot accounts; house and cashier entries have none (see roll_up).
CREATE TABLE wallet.entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    journal_id uuid NOT NULL REFERENCES wallet.journal,
    account_id bigint NOT NULL,
    currency wallet.currency_code NOT NULL,
    amount bigint NOT NULL CHECK (amount <> 0),
    sequence bigint CHECK (sequence >= 1),
    balance_after numeric(38, 0) CHECK (balance_after >= 0),
    chain wallet.digest,
    FOREIGN KEY (account_id, currency) REFERENCES wallet.account (id, currency),
    UNIQUE (account_id, sequence),
    CONSTRAINT chained_whole_or_not CHECK (
        (sequence IS NULL) = (balance_after IS NULL) AND (sequence IS NULL) = (chain IS NULL))
);
CREATE INDEX entry_of_journal ON wallet.entry (journal_id);

-- One attempt of a player to put a stake into a pot: the idempotency record of hold, release and refusal alike.
CREATE TABLE wallet.hold (
    reservation_id uuid PRIMARY KEY,
    pot_id uuid NOT NULL REFERENCES wallet.pot,
    seat smallint CHECK (seat BETWEEN 0 AND 3),
    player text,
    account_id bigint REFERENCES wallet.account,
    state wallet.hold_state NOT NULL,
    refusal text CHECK ((refusal IS NOT NULL) = (state = 'REFUSED')),
    payout bigint CHECK (payout >= 0),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT held_by_somebody CHECK (
        state IN ('RELEASED', 'REFUSED') OR (seat IS NOT NULL AND player IS NOT NULL AND account_id IS NOT NULL))
);
CREATE UNIQUE INDEX seat_held_once ON wallet.hold (pot_id, seat) WHERE state = 'HELD';
CREATE UNIQUE INDEX player_holds_once ON wallet.hold (pot_id, player) WHERE state = 'HELD';
CREATE INDEX hold_of_pot ON wallet.hold (pot_id, seat);
-- Without it, removing an account reads all holds.
CREATE INDEX hold_of_account ON wallet.hold (account_id);
CREATE INDEX held_by_account ON wallet.hold (account_id) WHERE state = 'HELD';

-- First answers of requests that are keyed by the caller's request id.
CREATE TABLE wallet.idempotency (
    tenant wallet.tenant_name NOT NULL,
    request_id uuid NOT NULL,
    body_digest wallet.digest NOT NULL,
    entry_id bigint,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant, request_id)
);

-- House and cashier entries not yet counted in. Consumed by DELETE, never by "id greater than the last one seen": ids are given
-- before they are committed, so a slower transaction's row would be skipped for ever.
CREATE TABLE wallet.pending_roll_up (
    entry_id bigint PRIMARY KEY REFERENCES wallet.entry,
    account_id bigint NOT NULL REFERENCES wallet.account
);

-- A batch of entries counted into a house or cashier account. `chain` covers the previous batch's chain and each entry.
CREATE TABLE wallet.roll_up (
    account_id bigint NOT NULL REFERENCES wallet.account,
    batch bigint NOT NULL CHECK (batch >= 1),
    entry_ids bigint[] NOT NULL CHECK (cardinality(entry_ids) > 0),
    amount numeric(38, 0) NOT NULL,
    balance_after numeric(38, 0) NOT NULL,
    chain wallet.digest NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (account_id, batch)
);

-- A late OpenPot, hold or release of a pot that was removed finds its id here, and nothing is made anew.
CREATE TABLE wallet.fenced_pot (
    id uuid PRIMARY KEY,
    fenced_on date NOT NULL DEFAULT current_date
);
-- How far wallet.remove_unused_pots has come: each pot is looked at once, since what has a journal after that time keeps it.
CREATE TABLE wallet.retention (
    only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    created_at timestamptz NOT NULL DEFAULT '-infinity',
    pot_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
INSERT INTO wallet.retention DEFAULT VALUES;

-- What operators did. `object`: the player, pot, table or recovery it was done to, '' for a fee schedule. `tenant` '': every brand.
CREATE TABLE wallet.operator_act (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject text NOT NULL CHECK (subject <> ''),
    subject_tenant text NOT NULL,
    kind text NOT NULL CHECK (kind IN (
        'deposit', 'withdraw', 'correct', 'set_fee_schedule', 'refund_pot', 'settle_pot',
        'abort_table', 'reconcile_table', 'end_recovery')),
    request_id uuid NOT NULL,
    tenant text NOT NULL,
    object text NOT NULL,
    reason text NOT NULL,
    journal_id uuid REFERENCES wallet.journal,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX operator_act_by_subject ON wallet.operator_act (subject, id);
-- An act that wrote no journal is recorded once for its request.
CREATE UNIQUE INDEX operator_act_once ON wallet.operator_act (request_id, kind)
    WHERE kind IN ('abort_table', 'reconcile_table', 'end_recovery');

-- Who acts: the `sub` and `tenant` of their token, and the id of the request. A NULL subject: nobody that is known.
CREATE TYPE wallet.actor AS (subject text, tenant text, request_id uuid);

-- Written once: no role, the owner included, changes or removes what is in these tables. Corrections are new journals.
CREATE FUNCTION wallet.refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '% on wallet.% is refused: its rows are only ever added', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;

DO $$
DECLARE
    written_once text;
BEGIN
    FOREACH written_once IN ARRAY ARRAY['journal', 'entry', 'roll_up', 'fee_schedule', 'operator_act'] LOOP
        EXECUTE format(
            'CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.%I
             FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change()', written_once);
    END LOOP;
END
$$;

-- Entries may only join a journal of their own transaction: a committed journal is complete.
CREATE FUNCTION wallet.refuse_late_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    IF (SELECT written_by FROM journal WHERE id = NEW.journal_id) <> pg_current_xact_id() THEN
        RAISE EXCEPTION 'journal % is complete', NEW.journal_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER refuse_late_entry BEFORE INSERT ON wallet.entry
    FOR EACH ROW EXECUTE FUNCTION wallet.refuse_late_entry();

-- At commit: a journal has entries, and they add to zero in each currency. Checked for each entry and for the journal itself, so
-- that neither an empty journal nor a check made early (SET CONSTRAINTS ... IMMEDIATE) slips through.
CREATE FUNCTION wallet.require_balance() RETURNS trigger LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    checked uuid := CASE TG_TABLE_NAME WHEN 'journal' THEN to_jsonb(NEW) ->> 'id' ELSE to_jsonb(NEW) ->> 'journal_id' END;
BEGIN
    IF (SELECT count(*) FROM entry WHERE journal_id = checked) < 2
        OR EXISTS (SELECT FROM entry WHERE journal_id = checked GROUP BY currency HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'journal % does not add to zero', checked USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER journal_adds_to_zero AFTER INSERT ON wallet.journal
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet.require_balance();
CREATE CONSTRAINT TRIGGER entries_add_to_zero AFTER INSERT ON wallet.entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wallet.require_balance();

-- A pot that is over stays as it is, goes only forward, and keeps its table once that is known.
CREATE FUNCTION wallet.refuse_pot_return() RETURNS trigger LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
BEGIN
    IF OLD.state IN ('SETTLED', 'REFUNDED') OR (OLD.state = 'LOCKED' AND NEW.state = 'OPEN')
        OR (OLD.state = 'OPEN' AND NEW.state = 'SETTLED')
        OR (OLD.table_id IS NOT NULL AND NEW.table_id IS DISTINCT FROM OLD.table_id)
        OR (OLD.id, OLD.tenant, OLD.currency, OLD.stake, OLD.fee, OLD.fee_schedule_version, OLD.account_id)
            IS DISTINCT FROM
           (NEW.id, NEW.tenant, NEW.currency, NEW.stake, NEW.fee, NEW.fee_schedule_version, NEW.account_id) THEN
        RAISE EXCEPTION 'pot % cannot go from % to % or change its terms', OLD.id, OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER refuse_pot_return BEFORE UPDATE ON wallet.pot
    FOR EACH ROW EXECUTE FUNCTION wallet.refuse_pot_return();

-- Each account's balance with what is not rolled up yet.
CREATE VIEW wallet.account_total AS
    SELECT account.*, account.balance + coalesce(pending.amount, 0) AS total
    FROM wallet.account LEFT JOIN (
        SELECT waiting.account_id, sum(entry.amount) AS amount
        FROM wallet.pending_roll_up AS waiting JOIN wallet.entry ON entry.id = waiting.entry_id
        GROUP BY waiting.account_id
    ) AS pending ON pending.account_id = account.id;

-- The service reads, and calls the operations. It writes to no table.
REVOKE ALL ON ALL TABLES IN SCHEMA wallet FROM PUBLIC, jasshaus_wallet;
GRANT USAGE ON SCHEMA wallet TO jasshaus_wallet;
GRANT SELECT ON ALL TABLES IN SCHEMA wallet TO jasshaus_wallet;
