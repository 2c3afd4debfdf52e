-- Sees to it that somebody comes back to a table that is not over. A Redis whose file was cut off in the middle of a
-- transaction applies the half of it at its next start: then the table is there, and its timers or its place in the outbox are not.
-- KEYS: table, timers, outbox. ARGV: id, etag it was read at, time until it is idle (empty: it is to be settled).
-- Answers 1 when something was missing.
if text(redis.call('HGET', KEYS[1], 'e')) ~= ARGV[2] then
  return 0
end
if ARGV[3] ~= '' then
  return redis.call('ZADD', KEYS[2], 'NX', clock() + ARGV[3], ARGV[1] .. ':i')
end
return redis.call('ZADD', KEYS[3], 'NX', clock(), ARGV[1])
