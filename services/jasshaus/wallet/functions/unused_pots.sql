-- Removes pots without any money movement.

-- Checks the next p_limit pots opened more than p_days ago, and removes those without a journal, with holds and account. Returns how
-- many were checked and removed; does nothing while another process is doing the same.
CREATE OR REPLACE FUNCTION wallet.remove_unused_pots(p_days integer, p_limit integer)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    mark retention;
    target pot;
    looked integer := 0;
    removed integer := 0;
BEGIN
    PERFORM require_standing();
    SELECT * INTO mark FROM retention FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
        FOR target IN
            SELECT * FROM pot
            WHERE (created_at, id) > (mark.created_at, mark.pot_id) AND created_at < now() - make_interval(days => p_days)
            ORDER BY created_at, id LIMIT p_limit
        LOOP
            looked := looked + 1;
            mark.created_at := target.created_at;
            mark.pot_id := target.id;
            IF NOT EXISTS (SELECT FROM journal WHERE pot_id = target.id) THEN
                PERFORM FROM pot WHERE id = target.id FOR UPDATE;
                IF NOT EXISTS (SELECT FROM journal WHERE pot_id = target.id) THEN
                    INSERT INTO fenced_pot (id) VALUES (target.id);
                    DELETE FROM hold WHERE pot_id = target.id;
                    DELETE FROM pot WHERE id = target.id;
                    DELETE FROM account WHERE id = target.account_id;
                    removed := removed + 1;
                END IF;
            END IF;
        END LOOP;
        UPDATE retention SET created_at = mark.created_at, pot_id = mark.pot_id WHERE looked > 0;
    END IF;
    RETURN jsonb_build_object('looked', looked, 'removed', removed);
END
$$;

GRANT EXECUTE ON FUNCTION wallet.remove_unused_pots TO jasshaus_wallet;
