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
    UNIQUE (tenant, opener, request_id),
    CHECK ((status IN ('STARTING', 'PLAYING', 'FINISHED')) <= (table_id IS NOT NULL AND seats IS NOT NULL))
);

CREATE INDEX game_due ON matchmaking.game (next_check) WHERE next_check IS NOT NULL;
CREATE INDEX game_live ON matchmaking.game (tenant) WHERE status IN ('OPENING', 'OPEN', 'STARTING', 'PLAYING');

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

CREATE UNIQUE INDEX free_hold_seat ON matchmaking.free_hold (pot_id, seat) WHERE state = 'HELD';
CREATE UNIQUE INDEX free_hold_player ON matchmaking.free_hold (pot_id, player) WHERE state = 'HELD';

GRANT USAGE ON SCHEMA matchmaking TO jasshaus_matchmaking;
GRANT SELECT, INSERT, UPDATE ON matchmaking.game, matchmaking.free_pot, matchmaking.free_hold
    TO jasshaus_matchmaking;
