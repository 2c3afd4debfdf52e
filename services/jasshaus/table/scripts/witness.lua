-- Keeps the highest ledger position seen by anyone, and the Redis run in which it was seen.
-- KEYS: position, lease. ARGV: 1 system, 2 timeline, 3 flushed, 4 lease owner (empty: any), 5 1 to go back, too.
-- Within one system and timeline, a position only grows. The holder of the lease may replace it by one of another, and go back,
-- because it has compared everything. Returns 0 if the position is not to be kept.
local kept = redis.call('HMGET', KEYS[1], 's', 't', 'f')
local same = kept[1] == ARGV[1] and kept[2] == ARGV[2]
if ARGV[4] ~= '' then
  if redis.call('GET', KEYS[2]) ~= ARGV[4] then
    return 0
  end
elseif kept[1] and not same then
  return 0
end
if not same or ARGV[5] == '1' or tonumber(kept[3]) < tonumber(ARGV[3]) then
  redis.call('HSET', KEYS[1], 's', ARGV[1], 't', ARGV[2], 'f', ARGV[3])
end
return 1
