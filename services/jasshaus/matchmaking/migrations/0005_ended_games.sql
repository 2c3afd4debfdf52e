-- Games with a stake by their end: those that ended lately are compared with their pots, page by page.
CREATE INDEX game_ended ON matchmaking.game (end_time, game_id)
    WHERE stake > 0 AND end_time IS NOT NULL AND status IN ('FINISHED', 'VOIDED', 'CLOSED');
