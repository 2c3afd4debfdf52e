-- Pots that ended otherwise than their games, which cannot follow them, are listed with those that wait.
ALTER TABLE matchmaking.stray_pot DROP CONSTRAINT stray_pot_reason_check;

ALTER TABLE matchmaking.stray_pot ADD CONSTRAINT stray_pot_reason_check CHECK (
    reason IN ('NO_GAME', 'GAME_OVER', 'NO_TABLE', 'REFUSED', 'UNANSWERED', 'OTHER_END')
);
