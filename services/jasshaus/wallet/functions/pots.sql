-- Shared by the operations on pots: description, membership, refunding, paying out.

-- The pot as contained in answers: holds while it is open or locked, payouts once it is over, both in seat order. NULL: no such pot.
-- Includes the table, the refund reason and the times (microseconds since 1970).
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

-- The stakes that are in a pot, or left together with it. At most one per seat.
CREATE OR REPLACE FUNCTION wallet.stakes(p_pot uuid)
RETURNS SETOF wallet.hold LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT * FROM hold WHERE pot_id = p_pot AND state IN ('HELD', 'PAID', 'REFUNDED')
$$;

-- The number of named seats ([{seat, player, reservation_id}], a reservation may be null) whose stake is in the pot.
CREATE OR REPLACE FUNCTION wallet.seats_matching(p_pot uuid, p_seats jsonb)
RETURNS bigint LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT count(DISTINCT held.seat) FROM jsonb_to_recordset(p_seats) AS named (seat smallint, player text, reservation_id uuid)
    JOIN stakes(p_pot) AS held ON held.seat = named.seat AND held.player = named.player
        AND held.reservation_id = coalesce(named.reservation_id, held.reservation_id)
$$;

-- Whether a locked pot, or one that is over, belongs to this table: locked for it, and with no other stakes than named. A pot
-- without a known table belongs to the one whose four stakes are named.
CREATE OR REPLACE FUNCTION wallet.belongs(p_pot wallet.pot, p_table uuid, p_seats jsonb)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT p_table IS NOT NULL AND coalesce(p_pot.table_id = p_table, jsonb_array_length(p_seats) = 4)
        AND seats_matching(p_pot.id, p_seats) = jsonb_array_length(p_seats)
$$;

-- Whether exactly these four stakes are in the pot, or were when it was settled.
CREATE OR REPLACE FUNCTION wallet.holds_exactly(p_pot wallet.pot, p_holds jsonb)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT count(held.seat) = 4 AND count(named.seat) = 4 AND count(*) = 4
    FROM (SELECT seat, player, reservation_id, p_pot.currency::text AS currency, p_pot.stake AS amount
          FROM hold WHERE pot_id = p_pot.id AND state IN ('HELD', 'PAID')) AS held
    FULL JOIN jsonb_to_recordset(p_holds)
        AS named (seat smallint, player text, reservation_id uuid, currency text, amount bigint)
        USING (seat, player, reservation_id, currency, amount)
$$;

-- Whether a caller has a stake in the pot. Nobody can move a pot that they play for, whatever their role and tenant.
CREATE OR REPLACE FUNCTION wallet.plays_for(p_pot uuid, p_subject text)
RETURNS boolean LANGUAGE sql STABLE SET search_path = wallet, pg_temp AS $$
    SELECT EXISTS (SELECT FROM stakes(p_pot) WHERE player = p_subject)
$$;

-- Returns every held stake to its player; returns the journal, NULL if there were none.
CREATE OR REPLACE FUNCTION wallet.give_back(p_pot wallet.pot, p_reason text, p_table uuid, p_actor wallet.actor DEFAULT NULL)
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

-- Pays pot - fee to the winners and the fee to the house. The pot's state is LOCKED and its row is locked. p_actor: an operator, NULL for a service.
CREATE OR REPLACE FUNCTION wallet.pay(
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

GRANT EXECUTE ON FUNCTION wallet.describe_pot TO jasshaus_wallet;
