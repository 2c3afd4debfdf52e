-- Sees to it that somebody comes back to a table that is not over. A Redis whose file was cut off in the middle of a
-- transaction applies the half of it at its next start: then the table is there, and its timers or its place in the outbox are not.
-- KEYS: table, timers, outbox. ARGV: 1 id, 2 etag it was read at, 3 time until it is idle (empty: it is to be settled),
--   4 what the table waits for, 5 presence as the record had it.
-- Answers how many were missing.
if text(redis.call('HGET', KEYS[1], 'e')) ~= ARGV[2] then
  return 0
end
local now = clock()
if ARGV[3] == '' then
  return redis.call('ZADD', KEYS[3], 'NX', now, ARGV[1])
end
local missing = redis.call('ZADD', KEYS[2], 'NX', now + ARGV[3], ARGV[1] .. ':i')
local asked, presence = read_asked(ARGV[4]), read_presence(redis.call('HGET', KEYS[1], 'p') or ARGV[5])
for seat = 0, 3 do
  local limit = asked.is[seat] and time_of(asked.limit[seat], asked.away, presence[seat].away)
  if limit and redis.call('ZADD', KEYS[2], 'NX', now + limit, ARGV[1] .. ':' .. seat) == 1 then
    -- It begins anew: what was left of it is lost.
    redis.call('HSET', KEYS[1], 'd' .. seat, limit)
    missing = missing + 1
  end
end
if missing > 0 then
  revise(KEYS[1], now)
end
return missing
