-- Makes sure that a table that is not there will not be while anybody may still ask for it.
-- KEYS: table. ARGV: the etag that says so, for how long.
local fenced = redis.call('HSETNX', KEYS[1], 'e', ARGV[1])
if fenced == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return fenced
