-- Puts a timer off, or removes it, unless somebody else has set it since.
-- KEYS: timers. ARGV: member, its score as it was seen, delay from now (empty: remove).
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], clock() + ARGV[3], ARGV[1])
end
return 1
