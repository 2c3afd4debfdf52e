-- Pots that no game moves on, as the last look from the wallet's side found them; and when the next look is due.

CREATE TABLE matchmaking.stray_pot (
    pot_id        uuid PRIMARY KEY,
    tenant        text NOT NULL,
    reason        text NOT NULL CHECK (
        reason IN ('NO_GAME', 'GAME_OVER', 'NO_TABLE', 'REFUSED', 'UNANSWERED', 'OTHER_END')
    ),
    detail        text NOT NULL,
    table_id      uuid,
    since         timestamptz NOT NULL,
    -- Since when everybody who was asked, answering healthily, has known nothing of it: the grace. NULL: it does not run.
    missing_since timestamptz,
    asked_at      timestamptz NOT NULL
);

CREATE INDEX stray_pot_since ON matchmaking.stray_pot (since, pot_id);

-- One row: whoever moves `due` looks, the other replicas do not.
CREATE TABLE matchmaking.pot_watch (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    due timestamptz NOT NULL
);

INSERT INTO matchmaking.pot_watch (due) VALUES (now());

-- Everything that waits, whoever noticed it: from the wallet's side, or by the game's own row.
CREATE VIEW matchmaking.stuck_pot AS
SELECT stray.pot_id, stray.tenant, stray.reason, stray.detail, stray.since, stray.missing_since,
    coalesce(stray.table_id, game.table_id) AS table_id, game.status
FROM matchmaking.stray_pot AS stray LEFT JOIN matchmaking.game AS game ON game.game_id = stray.pot_id
UNION ALL
SELECT game_id, tenant, 'NO_TABLE', 'the table service does not know the table', missing_since, missing_since, table_id, status
FROM matchmaking.game
WHERE status = 'PLAYING' AND stake > 0 AND missing_since IS NOT NULL
    AND NOT EXISTS (SELECT FROM matchmaking.stray_pot AS stray WHERE stray.pot_id = game_id)
UNION ALL
SELECT game_id, tenant, 'UNANSWERED', 'the stakes are to be given back', end_time, NULL, table_id, status
FROM matchmaking.game
WHERE next_check IS NOT NULL AND refund_due AND stake > 0 AND end_time < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM matchmaking.stray_pot AS stray WHERE stray.pot_id = game_id)
UNION ALL
SELECT game_id, tenant, 'UNANSWERED', 'the table is to be set up', start_time, NULL, table_id, status
FROM matchmaking.game
WHERE status = 'STARTING' AND stake > 0 AND start_time < now() - interval '1 minute'
    AND NOT EXISTS (SELECT FROM matchmaking.stray_pot AS stray WHERE stray.pot_id = game_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON matchmaking.stray_pot TO jasshaus_matchmaking;
GRANT SELECT, UPDATE ON matchmaking.pot_watch TO jasshaus_matchmaking;
GRANT SELECT ON matchmaking.stuck_pot TO jasshaus_matchmaking;
