-- Owns what is read: balances, statements, the trial balance.

-- A player's balances by currency code; p_currency '' for all. No row where there is no account.
CREATE FUNCTION wallet.balances(p_tenant text, p_player text, p_currency text)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('balances', coalesce(jsonb_agg(jsonb_build_object(
        'currency', account.currency, 'available', account.balance,
        'in_pots', (SELECT coalesce(sum(pot.stake), 0) FROM hold JOIN pot ON pot.id = hold.pot_id
                    WHERE hold.account_id = account.id AND hold.state = 'HELD')) ORDER BY account.currency), '[]'))
    FROM account
    WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player AND (p_currency = '' OR currency = p_currency)
$$;

-- The p_limit entries of a player's account before sequence p_before (NULL: from the newest), newest first.
CREATE FUNCTION wallet.entries(p_tenant text, p_player text, p_currency text, p_before bigint, p_limit integer)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('entries', coalesce(jsonb_agg(describe_entry(page) ORDER BY page.sequence DESC), '[]'))
    FROM (
        SELECT entry.* FROM entry
        WHERE account_id = (SELECT id FROM account WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player
                            AND currency = p_currency)
            AND sequence < coalesce(p_before, 9223372036854775807)
        ORDER BY sequence DESC LIMIT p_limit
    ) AS page
$$;

-- Each account's balance with what is not rolled up yet.
CREATE VIEW wallet.account_total AS
    SELECT account.*, account.balance + coalesce(pending.amount, 0) AS total
    FROM wallet.account LEFT JOIN (
        SELECT waiting.account_id, sum(entry.amount) AS amount
        FROM wallet.pending_roll_up AS waiting JOIN wallet.entry ON entry.id = waiting.entry_id
        GROUP BY waiting.account_id
    ) AS pending ON pending.account_id = account.id;

-- How far the accounts are from adding to zero, all currencies together: 0 in a sound ledger. Of pots only those that are not over
-- are read, and of entries only pending ones: what a pot has left when it is over is missing here, and so found.
-- With it: how many entries wait to be rolled up, and how many pots are not over a day after they were opened.
CREATE FUNCTION wallet.imbalance()
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object(
        'imbalance', coalesce(sum(abs(total)), 0),
        'pending', (SELECT count(*) FROM pending_roll_up),
        'stale_pots', (SELECT count(*) FROM pot WHERE state IN ('OPEN', 'LOCKED') AND created_at < now() - interval '1 day'))
    FROM (
        SELECT sum(amount) AS total FROM (
            SELECT currency, balance AS amount FROM account WHERE kind <> 'pot'
            UNION ALL
            SELECT account.currency, account.balance FROM pot JOIN account ON account.id = pot.account_id
            WHERE pot.state IN ('OPEN', 'LOCKED')
            UNION ALL
            SELECT entry.currency, entry.amount FROM pending_roll_up AS waiting JOIN entry ON entry.id = waiting.entry_id
        ) AS parts GROUP BY currency
    ) AS currencies
$$;

-- TrialBalance: one statement, so one snapshot. `balanced`: each currency adds to zero, each journal adds to zero, each account
-- holds what its entries say, and each pot's account the stakes held in it.
CREATE FUNCTION wallet.trial_balance()
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    WITH line AS (
        SELECT currency, kind, sum(total) AS total, count(*) AS accounts FROM account_total GROUP BY currency, kind
    ), currency_total AS (
        SELECT currency, sum(total) AS total FROM line GROUP BY currency
    ), written AS (
        SELECT account_id, sum(amount) AS amount, count(sequence) AS entries FROM entry GROUP BY account_id
    )
    SELECT jsonb_build_object(
        'lines', coalesce((SELECT jsonb_agg(to_jsonb(line) ORDER BY currency, kind) FROM line), '[]'),
        'totals', coalesce((SELECT jsonb_agg(to_jsonb(currency_total) ORDER BY currency) FROM currency_total), '[]'),
        'balanced',
            NOT EXISTS (SELECT FROM currency_total WHERE total <> 0)
            AND NOT EXISTS (SELECT FROM entry GROUP BY journal_id, currency HAVING sum(amount) <> 0)
            AND NOT EXISTS (
                SELECT FROM account_total AS account LEFT JOIN written ON written.account_id = account.id
                WHERE account.total <> coalesce(written.amount, 0)
                    OR (account.kind IN ('player', 'pot') AND account.sequence <> coalesce(written.entries, 0)))
            AND NOT EXISTS (
                SELECT FROM pot JOIN account ON account.id = pot.account_id
                WHERE account.balance <> pot.stake * (
                    SELECT count(*) FROM hold WHERE hold.pot_id = pot.id AND hold.state = 'HELD')))
$$;
