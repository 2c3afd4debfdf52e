-- A player wants to go: the seat stays theirs until the stake is given back. Never refused for the budget, only charged to it.
local player, digest, ttl, refill = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local BUDGET = KEYS[7]
if lost() then return {'LOST'} end
local known = redis.call('HMGET', REQUEST, 'digest', 'outcome', 'reservation')
if known[1] and known[1] ~= digest then return {'REUSED'} end
if known[2] then return {'DONE'} end
local status = redis.call('HGET', ENTRY, 'status')
if not status or status == 'OPENING' then
  if known[1] then return {'DONE'} end
  return {'NO_ENTRY'}
end
local seat = find('player', player)
if known[1] and (not seat or seat.reservation ~= known[3]) then
  -- Carried out by another replica meanwhile.
  remember('outcome', 'left')
  return {'DONE'}
end
if not seat then return {'NOT_SEATED'} end
if status == 'STARTING' then return {'STARTED'} end
remember('digest', digest, 'reservation', seat.reservation)
if seat.state ~= 'L' then
  put(seat.n, 'L', NOW + ttl, seat.reservation, player)
  charge(BUDGET, refill)
  changed()
end
return {'LEAVING', seat.n, seat.reservation}
