-- Ensures that a missing table will not be created while anyone may still ask for it.
-- KEYS: table. ARGV: the etag that marks the fence, its lifetime.
local fenced = redis.call('HSETNX', KEYS[1], 'e', ARGV[1])
if fenced == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return fenced
