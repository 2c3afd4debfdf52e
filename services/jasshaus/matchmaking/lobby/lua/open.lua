-- The opener is seated: from now on everybody sees the game.
local status = redis.call('HGET', ENTRY, 'status')
if not status then return {'NO_ENTRY'} end
if status == 'OPENING' then
  redis.call('HSET', ENTRY, 'status', 'OPEN')
  redis.call('ZADD', INDEX, 0, redis.call('HGET', ENTRY, 'order'))
  changed()
end
return {'OPEN'}
