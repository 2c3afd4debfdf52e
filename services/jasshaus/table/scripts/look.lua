-- Checks a lane's clock: returns the due timers and outbox entries.
-- KEYS: timers, outbox, seen, shifts. ARGV: gap after which a lane counts as down, limit for each.
local now = clock()
if redis.call('ZCARD', KEYS[1]) > 0 or redis.call('ZCARD', KEYS[2]) > 0 then
  look(KEYS[1], KEYS[2], KEYS[3], KEYS[4], now, tonumber(ARGV[1]))
end
return {
  now,
  redis.call('ZRANGE', KEYS[1], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES'),
  redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, ARGV[2]),
}
