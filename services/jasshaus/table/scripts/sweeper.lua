-- Takes, renews or releases the sweep lease: one replica at a time.
-- KEYS: lease. ARGV: 1 owner, 2 duration (0: release). Returns 1 if the owner holds it now.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return 0
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return 0
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
