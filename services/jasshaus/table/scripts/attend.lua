-- Ensures that a table that is not over will be revisited. A Redis whose file was cut off in the middle of a
-- transaction applies half of it at its next start: the table then exists without its timers or its place in the outbox.
-- KEYS: table, timers, outbox. ARGV: 1 id, 2 etag at which it was read, 3 time until it is idle (empty: it is to be settled),
--   4 what the table is waiting for, 5 presence as in the record.
-- Returns the number of missing entries.
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
    -- It starts over: the remainder is lost.
    redis.call('HSET', KEYS[1], 'd' .. seat, limit)
    missing = missing + 1
  end
end
if missing > 0 then
  revise(KEYS[1], now)
end
return missing
