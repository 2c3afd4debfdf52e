-- GetBalance and ListEntries.

-- A player's balances by currency code; p_currency '' for all. No row if there is no account.
CREATE OR REPLACE FUNCTION wallet.balances(p_tenant text, p_player text, p_currency text)
RETURNS jsonb LANGUAGE sql STABLE SECURITY DEFINER SET search_path = wallet, pg_temp AS $$
    SELECT jsonb_build_object('balances', coalesce(jsonb_agg(jsonb_build_object(
        'currency', account.currency, 'available', account.balance,
        'in_pots', (SELECT coalesce(sum(pot.stake), 0) FROM hold JOIN pot ON pot.id = hold.pot_id
                    WHERE hold.account_id = account.id AND hold.state = 'HELD')) ORDER BY account.currency), '[]'))
    FROM account
    WHERE tenant = p_tenant AND kind = 'player' AND owner = p_player AND (p_currency = '' OR currency = p_currency)
$$;

-- Up to p_limit entries of a player's account before sequence p_before (NULL: from the newest), newest first.
CREATE OR REPLACE FUNCTION wallet.entries(p_tenant text, p_player text, p_currency text, p_before bigint, p_limit integer)
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

GRANT EXECUTE ON FUNCTION wallet.balances, wallet.entries TO jasshaus_wallet;
