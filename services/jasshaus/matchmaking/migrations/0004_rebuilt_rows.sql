-- As in 0003, but a row may begin with a count of its own: one that is written again is ahead of all that its lost one said.

CREATE OR REPLACE FUNCTION matchmaking.count_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
