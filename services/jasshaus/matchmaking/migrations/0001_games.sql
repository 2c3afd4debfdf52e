-- Games, from open seats to their result; and the seats of games without a stake, which no pot remembers.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'jasshaus_matchmaking') THEN
        CREATE ROLE jasshaus_matchmaking NOLOGIN;
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS matchmaking;

CREATE TABLE matchmaking.game (
    game_id        uuid PRIMARY KEY,
    tenant         text NOT NULL,
    opener         text NOT NULL,
    -- OpenGame is idempotent by these: the first body's digest, and what was answered if it was a refusal.
    request_id     uuid NOT NULL,
    request_digest bytea NOT NULL,
    refusal        text,
    preset         text NOT NULL,
    variant        text NOT NULL,
    rule_set       bytea NOT NULL,
    rule_set_json  jsonb NOT NULL,
    currency       text NOT NULL,
    stake          bigint NOT NULL CHECK (stake >= 0),
    quote          jsonb,
    opener_seat    smallint NOT NULL CHECK (opener_seat BETWEEN 0 AND 3),
    status         text NOT NULL CHECK (
        status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING', 'FINISHED', 'CLOSED', 'VOIDED')
    ),
    -- Fixed when the game starts: the table's id, and the four stakes as they are to be locked.
    table_id       uuid UNIQUE,
    seats          jsonb,
    result         jsonb,
    open_time      timestamptz NOT NULL,
    expire_time    timestamptz NOT NULL,
    start_time     timestamptz,
    end_time       timestamptz,
    -- What is still owed after the status changed: stakes to give back, the lobby's entry to remove.
    refund_due     boolean NOT NULL DEFAULT false,
    forget_due     boolean NOT NULL DEFAULT false,
    -- Since when the table service, answering healthily, has not known the table; and when it was last asked.
    missing_since  timestamptz,
    asked_at       timestamptz,
    -- When the reconciler looks at the game next; claimed by moving it. NULL: never again.
    next_check     timestamptz,
    -- Orders what a row says of its game; a trigger counts.
    changes        bigint NOT NULL DEFAULT 1,
    -- False once a finished game without a stake has given up its seats' records.
    pot_kept       boolean NOT NULL DEFAULT true,
    UNIQUE (tenant, opener, request_id),
    CHECK ((status IN ('STARTING', 'PLAYING', 'FINISHED')) <= (table_id IS NOT NULL AND seats IS NOT NULL))
);

CREATE INDEX game_due ON matchmaking.game (next_check) WHERE next_check IS NOT NULL;
CREATE INDEX game_live ON matchmaking.game (tenant) WHERE status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING');

-- Games that may lose something with time: all without a stake, and those whose only stake was refused.
CREATE INDEX game_retained ON matchmaking.game (end_time)
    WHERE end_time IS NOT NULL AND pot_kept
        AND (stake = 0 OR (status = 'CLOSED' AND refusal IN ('INSUFFICIENT_FUNDS', 'TOO_MANY_GAMES')));

-- Games with a stake by their end: those that ended lately are compared with their pots, page by page.
CREATE INDEX game_ended ON matchmaking.game (end_time, game_id)
    WHERE stake > 0 AND end_time IS NOT NULL AND status IN ('FINISHED', 'VOIDED', 'CLOSED');

-- At least the seconds since the game was opened (12 days of them at most): a row taken back in time, and changed anew, is still
-- ahead of what was said of it before. A row may begin with a count of its own: one that is written again is ahead of its lost one.
CREATE FUNCTION matchmaking.count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    age bigint := least(extract(epoch FROM clock_timestamp() - NEW.open_time)::bigint, 1048576);
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.changes := greatest(NEW.changes, 1, age);
    ELSE
        NEW.changes := greatest(OLD.changes + 1, age);
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER game_inserted BEFORE INSERT ON matchmaking.game
    FOR EACH ROW EXECUTE FUNCTION matchmaking.count_change();

CREATE TRIGGER game_changed BEFORE UPDATE ON matchmaking.game
    FOR EACH ROW
    WHEN (
        (OLD.status, OLD.rule_set, OLD.quote, OLD.expire_time, OLD.table_id, OLD.seats, OLD.result)
        IS DISTINCT FROM
        (NEW.status, NEW.rule_set, NEW.quote, NEW.expire_time, NEW.table_id, NEW.seats, NEW.result)
    )
    EXECUTE FUNCTION matchmaking.count_change();

-- A game without a stake keeps its seats here, under the same rules as a pot keeps stakes.
CREATE TABLE matchmaking.free_pot (
    pot_id uuid PRIMARY KEY,
    state  text NOT NULL CHECK (state IN ('OPEN', 'LOCKED', 'REFUNDED'))
);

CREATE TABLE matchmaking.free_hold (
    reservation_id uuid PRIMARY KEY,
    pot_id         uuid NOT NULL REFERENCES matchmaking.free_pot,
    seat           smallint NOT NULL CHECK (seat BETWEEN -1 AND 3),
    player         text NOT NULL,
    state          text NOT NULL CHECK (state = 'HELD' OR state = 'RELEASED' OR state LIKE 'REFUSED:%')
);

CREATE INDEX free_hold_pot ON matchmaking.free_hold (pot_id);
CREATE UNIQUE INDEX free_hold_seat ON matchmaking.free_hold (pot_id, seat) WHERE state = 'HELD';
CREATE UNIQUE INDEX free_hold_player ON matchmaking.free_hold (pot_id, player) WHERE state = 'HELD';

GRANT USAGE ON SCHEMA matchmaking TO jasshaus_matchmaking;
GRANT SELECT, INSERT, UPDATE, DELETE ON matchmaking.game, matchmaking.free_pot, matchmaking.free_hold
    TO jasshaus_matchmaking;
