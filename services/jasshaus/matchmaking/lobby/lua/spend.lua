-- A player wants to open a game: is there room, and something left of the budget? Charged once a request.
local burst, refill, max, wanted = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local PLAYER, COMING, BUDGET, COOL = KEYS[7], KEYS[8], KEYS[9], KEYS[10]
if redis.call('HEXISTS', REQUEST, 'charged') == 1 then return {'OK'} end
local crowd = crowded(PLAYER, COMING, max)
if crowd then return {crowd} end
if wanted == 'staked' then
  local pause = tonumber(redis.call('HGET', COOL, 'until') or 0) - NOW
  if pause > 0 then return {'COOLING', string.format('%.0f', pause)} end
end
local wait = overdrawn(BUDGET, burst, refill)
if wait > 0 then return {'SPENT', string.format('%.0f', wait)} end
charge(BUDGET, refill)
redis.call('HSET', REQUEST, 'charged', 1)
redis.call('EXPIRE', REQUEST, REFUSAL_SECONDS)
return {'OK'}
