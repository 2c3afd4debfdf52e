-- Versions of a game's row, and what retention needs: what may be deleted, and how it is found.

-- Orders what a row says of its game. A trigger counts, so that a service of the release before counts as well.
ALTER TABLE matchmaking.game ADD COLUMN changes bigint NOT NULL DEFAULT 1;

-- False once a finished game without a stake has given up its seats' records.
ALTER TABLE matchmaking.game ADD COLUMN pot_kept boolean NOT NULL DEFAULT true;

-- At least the seconds since the game was opened (12 days of them at most): a row taken back in time, and changed anew, is still
-- ahead of what was said of it before.
CREATE FUNCTION matchmaking.count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    age bigint := least(extract(epoch FROM clock_timestamp() - NEW.open_time)::bigint, 1048576);
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.changes := greatest(1, age);
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

-- Games that may lose something with time: all without a stake, and those whose only stake was refused.
CREATE INDEX game_retained ON matchmaking.game (end_time)
    WHERE end_time IS NOT NULL AND pot_kept
        AND (stake = 0 OR (status = 'CLOSED' AND refusal IN ('INSUFFICIENT_FUNDS', 'TOO_MANY_GAMES')));

CREATE INDEX free_hold_pot ON matchmaking.free_hold (pot_id);

GRANT DELETE ON matchmaking.game, matchmaking.free_pot, matchmaking.free_hold TO jasshaus_matchmaking;
