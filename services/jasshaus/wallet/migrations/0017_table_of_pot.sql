-- Which table a pot belongs to: fixed by LockPot together with the four seats, and required of whoever ends the pot.

-- An operator settles a pot whose table nobody knows. Old rows satisfy the new constraint, since the old one asked for more.
ALTER TABLE wallet.pot DROP CONSTRAINT settled_with_a_result;
ALTER TABLE wallet.pot ADD CONSTRAINT settled_with_a_result CHECK (
    (state = 'SETTLED') = (winning_seats IS NOT NULL AND result_digest IS NOT NULL)) NOT VALID;

CREATE OR REPLACE FUNCTION wallet.refuse_pot_return() RETURNS trigger LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
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

-- As before, with the table, the reason of a refund and the times (microseconds since 1970).
CREATE OR REPLACE FUNCTION wallet.describe_pot(p_pot uuid)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'pot_id', pot.id, 'tenant', pot.tenant, 'state', pot.state,
        'quote', quote(pot.currency, pot.stake, pot.fee, schedule),
        'holds', coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                'seat', seat, 'player', player, 'reservation_id', reservation_id,
                'currency', pot.currency, 'amount', pot.stake) ORDER BY seat)
            FROM hold WHERE pot_id = pot.id AND hold.state = 'HELD'), '[]'),
        'payouts', coalesce((
            SELECT jsonb_agg(jsonb_build_object('seat', seat, 'player', player, 'amount', payout) ORDER BY seat)
            FROM hold WHERE pot_id = pot.id AND payout IS NOT NULL), '[]'),
        'fee_taken', CASE WHEN pot.state = 'SETTLED' THEN pot.fee END,
        'result_digest', encode(pot.result_digest, 'hex'),
        'table_id', pot.table_id, 'refund_reason', pot.refund_reason,
        'created_us', (extract(epoch FROM pot.created_at) * 1000000)::bigint,
        'locked_us', (extract(epoch FROM pot.locked_at) * 1000000)::bigint,
        'closed_us', (extract(epoch FROM pot.closed_at) * 1000000)::bigint)
    FROM pot JOIN fee_schedule AS schedule ON schedule.version = pot.fee_schedule_version
    WHERE pot.id = p_pot
$$;

-- The stakes that are in a pot, or went out with it. At most one a seat.
CREATE FUNCTION wallet.stakes(p_pot uuid)
RETURNS SETOF wallet.hold LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT * FROM hold WHERE pot_id = p_pot AND state IN ('HELD', 'PAID', 'REFUNDED')
$$;

-- How many of the seats named ([{seat, player, reservation_id}], a reservation may be null) have their stake in the pot.
CREATE FUNCTION wallet.seats_matching(p_pot uuid, p_seats jsonb)
RETURNS bigint LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT count(DISTINCT held.seat) FROM jsonb_to_recordset(p_seats) AS named (seat smallint, player text, reservation_id uuid)
    JOIN stakes(p_pot) AS held ON held.seat = named.seat AND held.player = named.player
        AND held.reservation_id = coalesce(named.reservation_id, held.reservation_id)
$$;

-- Whether a locked pot, or one that is over, is the one of this table: locked for it, and with no other stakes than named. A pot
-- that no table is known of is whose four stakes are named.
CREATE FUNCTION wallet.belongs(p_pot wallet.pot, p_table uuid, p_seats jsonb)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT p_table IS NOT NULL AND coalesce(p_pot.table_id = p_table, jsonb_array_length(p_seats) = 4)
        AND seats_matching(p_pot.id, p_seats) = jsonb_array_length(p_seats)
$$;

-- Whether a caller has a stake in the pot. Nobody moves a pot that they play for, whatever their role and tenant.
CREATE FUNCTION wallet.plays_for(p_pot uuid, p_subject text)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT EXISTS (SELECT FROM stakes(p_pot) WHERE player = p_subject)
$$;

-- Whether exactly these four stakes are in the pot, or were when it was settled.
CREATE FUNCTION wallet.holds_exactly(p_pot wallet.pot, p_holds jsonb)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT count(held.seat) = 4 AND count(named.seat) = 4 AND count(*) = 4
    FROM (SELECT seat, player, reservation_id, p_pot.currency::text AS currency, p_pot.stake AS amount
          FROM hold WHERE pot_id = p_pot.id AND state IN ('HELD', 'PAID')) AS held
    FULL JOIN jsonb_to_recordset(p_holds)
        AS named (seat smallint, player text, reservation_id uuid, currency text, amount bigint)
        USING (seat, player, reservation_id, currency, amount)
$$;

-- Pays pot - fee to the winners and the fee to the house. The pot is locked, in both senses. p_actor: an operator, NULL for a service.
CREATE FUNCTION wallet.pay(
    p_pot wallet.pot, p_seats smallint[], p_digest bytea, p_table uuid, p_actor wallet.actor DEFAULT NULL)
RETURNS uuid LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    shares bigint[] := split(4 * p_pot.stake - p_pot.fee, cardinality(p_seats));
    winners bigint[];
    written uuid;
BEGIN
    SELECT array_agg(account_id ORDER BY seat) INTO winners
    FROM hold WHERE pot_id = p_pot.id AND state = 'HELD' AND seat = ANY (p_seats);
    written := post_by('payout', p_pot.id, '',
        ARRAY[p_pot.account_id, account_of('house', p_pot.tenant, '', p_pot.currency)] || winners,
        ARRAY[-4 * p_pot.stake, p_pot.fee] || shares,
        CASE WHEN p_actor.subject IS NOT NULL THEN p_pot.tenant END, p_actor);
    UPDATE hold SET state = 'PAID', payout = shares[array_position(p_seats, seat)]
    WHERE pot_id = p_pot.id AND state = 'HELD';
    UPDATE pot SET state = 'SETTLED', winning_seats = p_seats, result_digest = p_digest,
                   table_id = coalesce(table_id, p_table), closed_at = clock_timestamp()
    WHERE id = p_pot.id;
    RETURN written;
END
$$;

-- Gives every held stake back; returns the journal, NULL when there was none to give.
CREATE FUNCTION wallet.give_back(p_pot wallet.pot, p_reason text, p_table uuid, p_actor wallet.actor DEFAULT NULL)
RETURNS uuid LANGUAGE plpgsql SET search_path = wallet, pg_temp AS $$
DECLARE
    payees bigint[];
    written uuid;
BEGIN
    SELECT array_agg(account_id ORDER BY seat) INTO payees FROM hold WHERE pot_id = p_pot.id AND state = 'HELD';
    IF payees IS NOT NULL THEN
        written := post_by('refund', p_pot.id, p_reason,
            ARRAY[p_pot.account_id] || payees,
            ARRAY[-p_pot.stake * cardinality(payees)] || array_fill(p_pot.stake, ARRAY[cardinality(payees)]),
            CASE WHEN p_actor.subject IS NOT NULL THEN p_pot.tenant END, p_actor);
        UPDATE hold SET state = 'REFUNDED', payout = p_pot.stake WHERE pot_id = p_pot.id AND state = 'HELD';
    END IF;
    UPDATE pot SET state = 'REFUNDED', refund_reason = p_reason, table_id = coalesce(table_id, p_table),
                   closed_at = clock_timestamp()
    WHERE id = p_pot.id;
    RETURN written;
END
$$;

-- LockPot. p_table NULL: from a matchmaking service that does not name it. p_subject: the caller. Refusals, with the pot: OWN_TABLE,
-- HOLDS_DIFFER, POT_NOT_OPEN, TABLE_MISMATCH.
CREATE FUNCTION wallet.lock_pot_for_table(p_pot uuid, p_holds jsonb, p_table uuid, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
    same boolean;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    END IF;
    same := holds_exactly(target, p_holds);
    IF target.state = 'REFUNDED' OR (target.state = 'SETTLED' AND NOT same) THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF NOT same THEN
        RETURN refused('HOLDS_DIFFER', p_pot);
    ELSIF target.table_id <> p_table THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    END IF;
    UPDATE pot SET state = 'LOCKED', locked_at = coalesce(locked_at, clock_timestamp()), table_id = coalesce(table_id, p_table)
    WHERE id = p_pot AND (state = 'OPEN' OR (state = 'LOCKED' AND table_id IS NULL AND p_table IS NOT NULL));
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

-- SettlePot. p_winners: the winning seats, in seat order. p_seats: the table's seats as in seats_matching. Idempotent by the pot,
-- the table and the result. Refusals, with the pot: POT_NOT_LOCKED, TABLE_MISMATCH, POT_REFUNDED, SETTLEMENT_CONFLICT, OWN_TABLE.
-- It works while the ledger recovers, too: the pot is bound to its match.
CREATE FUNCTION wallet.settle_pot_of_table(
    p_pot uuid, p_winners smallint[], p_digest bytea, p_table uuid, p_seats jsonb, p_subject text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'OPEN' THEN
        RETURN refused('POT_NOT_LOCKED', p_pot);
    ELSIF target.state = 'REFUNDED' AND target.table_id IS NULL THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF NOT belongs(target, p_table, p_seats) THEN
        RETURN refused('TABLE_MISMATCH', p_pot);
    ELSIF plays_for(p_pot, p_subject) THEN
        RETURN refused('OWN_TABLE', p_pot);
    ELSIF target.state = 'REFUNDED' THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF target.state = 'SETTLED' AND (target.winning_seats, target.result_digest::bytea) <> (p_winners, p_digest) THEN
        RETURN refused('SETTLEMENT_CONFLICT', p_pot);
    ELSIF target.state = 'LOCKED' THEN
        PERFORM pay(target, p_winners, p_digest, p_table);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

-- RefundPot. p_table NULL: of a pot that is open. Of an open pot a table gives back no stake but those of its own seats. Refusals,
-- with the pot: POT_SETTLED, POT_NOT_OPEN, TABLE_MISMATCH, OWN_TABLE.
CREATE FUNCTION wallet.refund_pot_of_table(p_pot uuid, p_reason text, p_table uuid, p_seats jsonb, p_subject text)
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

-- The operations of the release before, for as long as one of its processes runs. They cannot name the four seats, and their caller
-- knows no refusals that came later.
CREATE OR REPLACE FUNCTION wallet.lock_pot(p_pot uuid, p_holds jsonb)
RETURNS jsonb LANGUAGE sql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT lock_pot_for_table(p_pot, p_holds, NULL, NULL)
$$;

CREATE OR REPLACE FUNCTION wallet.settle_pot(p_pot uuid, p_seats smallint[], p_digest bytea, p_table uuid)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
BEGIN
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'OPEN' THEN
        RETURN refused('POT_NOT_LOCKED', p_pot);
    ELSIF target.state = 'REFUNDED' THEN
        RETURN refused('POT_REFUNDED', p_pot);
    ELSIF target.table_id <> p_table
        OR (target.state = 'SETTLED' AND (target.winning_seats, target.result_digest::bytea) <> (p_seats, p_digest)) THEN
        RETURN refused('SETTLEMENT_CONFLICT', p_pot);
    ELSIF target.state = 'LOCKED' THEN
        PERFORM pay(target, p_seats, p_digest, p_table);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

CREATE OR REPLACE FUNCTION wallet.refund_pot(p_pot uuid, p_reason text)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    target pot;
BEGIN
    PERFORM require_standing();
    SELECT * INTO target FROM pot WHERE id = p_pot FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN refused('POT_NOT_FOUND');
    ELSIF target.state = 'SETTLED' THEN
        RETURN refused('POT_SETTLED', p_pot);
    ELSIF target.state = 'LOCKED' AND p_reason = 'GAME_CLOSED' THEN
        RETURN refused('POT_NOT_OPEN', p_pot);
    ELSIF target.state IN ('OPEN', 'LOCKED') THEN
        PERFORM give_back(target, p_reason, NULL);
    END IF;
    RETURN jsonb_build_object('pot', describe_pot(p_pot));
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wallet.lock_pot_for_table, wallet.settle_pot_of_table, wallet.refund_pot_of_table TO jasshaus_wallet;
