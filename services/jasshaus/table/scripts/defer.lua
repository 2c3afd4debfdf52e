-- Postpones or removes a timer, unless it has been set since.
-- KEYS: timers, table, channel. ARGV: member, its score as read, delay from now (empty: remove).
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
local now = clock()
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
end
-- A timer may outlive its table.
if redis.call('HEXISTS', KEYS[2], 'e') == 1 then
  revise(KEYS[2], now)
  redis.call('SPUBLISH', KEYS[3], 'd')
end
return 1
