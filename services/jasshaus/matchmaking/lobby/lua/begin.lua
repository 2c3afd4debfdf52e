-- Four stakes are in: nobody leaves or joins any more. Answers the four seats.
local status = redis.call('HGET', ENTRY, 'status')
if (status ~= 'OPEN' and status ~= 'STARTING') or held() < 4 then return {'NOT_YET'} end
if status == 'OPEN' then
  redis.call('HSET', ENTRY, 'status', 'STARTING')
  redis.call('ZREM', INDEX, redis.call('HGET', ENTRY, 'order'))
  changed()
end
local texts = redis.call("HMGET", ENTRY, 0, 1, 2, 3)
return {"STARTING", texts[1], texts[2], texts[3], texts[4]}
