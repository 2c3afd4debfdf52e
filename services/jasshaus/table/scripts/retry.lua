-- Postpones an entry of the outbox, if it still exists.
-- KEYS: outbox. ARGV: id, delay from now.
return redis.call('ZADD', KEYS[1], 'XX', 'CH', clock() + ARGV[2], ARGV[1])
