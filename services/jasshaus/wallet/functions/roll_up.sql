-- Rolls appended house and cashier entries up into their accounts.

-- Takes up to p_limit pending entries and returns how many. May run concurrently: each run skips rows taken by others.
CREATE OR REPLACE FUNCTION wallet.roll_up(p_limit integer)
RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
DECLARE
    rolled integer := 0;
    batch record;
    target account;
    link_of record;
BEGIN
    FOR batch IN
        WITH taken AS (
            DELETE FROM pending_roll_up WHERE entry_id = ANY (ARRAY(
                SELECT entry_id FROM pending_roll_up ORDER BY entry_id LIMIT p_limit FOR UPDATE SKIP LOCKED))
            RETURNING entry_id, account_id
        )
        SELECT taken.account_id, array_agg(entry.id ORDER BY entry.id) AS entry_ids, sum(entry.amount) AS amount
        FROM taken JOIN entry ON entry.id = taken.entry_id
        GROUP BY taken.account_id ORDER BY taken.account_id
    LOOP
        SELECT * INTO STRICT target FROM account WHERE id = batch.account_id FOR NO KEY UPDATE;
        FOR link_of IN
            SELECT entry AS line, journal AS written FROM entry JOIN journal ON journal.id = entry.journal_id
            WHERE entry.id = ANY (batch.entry_ids) ORDER BY entry.id
        LOOP
            target.chain := link(target.chain, link_of.line, link_of.written);
        END LOOP;
        INSERT INTO roll_up (account_id, batch, entry_ids, amount, balance_after, chain)
        VALUES (target.id, target.sequence + 1, batch.entry_ids, batch.amount, target.balance + batch.amount, target.chain);
        UPDATE account SET balance = balance + batch.amount, sequence = sequence + 1, chain = target.chain
        WHERE id = target.id;
        rolled := rolled + cardinality(batch.entry_ids);
    END LOOP;
    RETURN jsonb_build_object('rolled', rolled);
END
$$;

GRANT EXECUTE ON FUNCTION wallet.roll_up TO jasshaus_wallet;
