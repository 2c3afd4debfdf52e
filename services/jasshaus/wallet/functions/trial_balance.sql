-- TrialBalance, and the values a wallet monitors.

-- Distance of the sum of all accounts from zero, all currencies together: 0 in a sound ledger. Reads only open and locked pots, and
-- only pending entries: money left in a closed pot is missing from the sum, and so detected.
-- Also: the number of entries waiting for the roll-up, and of pots still open or locked a day after they were opened.
CREATE OR REPLACE FUNCTION wallet.imbalance()
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

-- TrialBalance: one statement, so one snapshot. `balanced`: each currency adds up to zero, each journal adds up to zero, each account
-- equals the sum of its entries, and each pot's account equals the stakes held in it.
CREATE OR REPLACE FUNCTION wallet.trial_balance()
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

-- Values that must be zero, or small, or worth a look. `open_since_restore`: open or locked pots from before the latest recovery.
CREATE OR REPLACE FUNCTION wallet.watch()
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT imbalance() || jsonb_build_object(
        'recoveries', (SELECT count(*) FROM recovery),
        'recovering', EXISTS (SELECT FROM recovery WHERE ended_at IS NULL),
        'repaired', (SELECT coalesce(sum(repaired), 0) FROM recovery),
        'unmatched', (SELECT coalesce(sum(unmatched), 0) FROM recovery),
        'open_since_restore', (
            SELECT count(*) FROM pot
            WHERE state IN ('OPEN', 'LOCKED') AND created_at < (SELECT begun_at FROM recovery ORDER BY id DESC LIMIT 1)))
$$;

GRANT EXECUTE ON FUNCTION wallet.imbalance, wallet.trial_balance, wallet.watch TO jasshaus_wallet;
