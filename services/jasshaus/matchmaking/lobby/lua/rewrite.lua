-- Write an entry anew from what the pot says, if it is still as it was read (version; empty: missing).
-- ARGV: 3 version, 4 status, 5 order, 6..9 seats (empty: free), 10 how many of KEYS[7..] now sit here; the rest does not.
local version = redis.call('HGET', ENTRY, 'version') or ''
if version ~= ARGV[3] then return {'CHANGED'} end
redis.call('HSET', ENTRY, 'status', ARGV[4], 'order', ARGV[5])
for n = 0, 3 do
  if ARGV[6 + n] == '' then redis.call('HDEL', ENTRY, n) else redis.call('HSET', ENTRY, n, ARGV[6 + n]) end
end
for index = 7, #KEYS do
  if index < 7 + ARGV[10] then join_list(KEYS[index]) else redis.call('SREM', KEYS[index], GAME) end
end
if ARGV[4] == 'OPEN' then redis.call('ZADD', INDEX, 0, ARGV[5]) else redis.call('ZREM', INDEX, ARGV[5]) end
changed()
return {'WRITTEN'}
