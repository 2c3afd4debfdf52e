-- Leases an entry of the outbox for a while, if it is due, so that nobody else works on it.
-- KEYS: outbox. ARGV: id, duration.
local now = clock()
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due or tonumber(due) > now then
  return 0
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return 1
