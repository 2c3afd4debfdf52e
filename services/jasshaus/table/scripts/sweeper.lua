-- Takes, keeps or gives up the sweep: one replica at a time does it.
-- KEYS: lease. ARGV: 1 whose, 2 how long (0: give it up). Answers 1 when it is theirs now.
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
