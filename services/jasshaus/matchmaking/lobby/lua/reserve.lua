-- A seat for a player while the stake is taken. Seat -1: any.
local player, wanted, reservation, digest, ttl, max = ARGV[3], tonumber(ARGV[4]), ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local burst, refill = ARGV[9], ARGV[10]
local PLAYER, COMING, BUDGET, COOL = KEYS[7], KEYS[8], KEYS[9], KEYS[10]
if lost() then return {'LOST'} end
local known = redis.call('HMGET', REQUEST, 'digest', 'outcome', 'seat')
if known[1] and known[1] ~= digest then return {'REUSED'} end
if known[2] == 'held' then return {'DONE', known[3]} end
if known[2] then return {'REFUSED', string.match(known[2], '^refused:(.*)$') or known[2]} end

local status = redis.call('HGET', ENTRY, 'status')
if not status or status == 'OPENING' then return {'NO_ENTRY'} end
local own = find('reservation', reservation)
if own and own.state == 'H' then
  remember('digest', digest, 'outcome', 'held', 'seat', own.n)
  return {'DONE', own.n}
end
if own and own.state == 'R' then
  put(own.n, 'R', NOW + ttl, reservation, player)
  coming(COMING, NOW + ttl)
  changed()
  return {'RESERVED', own.n}
end
if own or known[1] then
  -- It was reserved and given up again before the stake was taken.
  remember('digest', digest, 'outcome', 'refused:RESERVATION_EXPIRED')
  return {'REFUSED', 'RESERVATION_EXPIRED'}
end
if find('player', player) then return {'ALREADY_SEATED'} end
if status == 'STARTING' then return {'FULL'} end
if status ~= 'OPEN' then return {'NOT_OPEN'} end
local pause = tonumber(redis.call('HGET', COOL, 'until') or 0) - NOW
if pause > LONGEST_COOL_MS then
  -- The clock was set back.
  pause = LONGEST_COOL_MS
  redis.call('HSET', COOL, 'until', string.format('%.0f', NOW + pause))
end
if pause > 0 then return {'COOLING', string.format('%.0f', pause)} end
local n = nil
if wanted >= 0 then
  if seat_at(wanted) then return {#seats() == 4 and 'FULL' or 'TAKEN'} end
  n = wanted
else
  for candidate = 3, 0, -1 do
    if not seat_at(candidate) then n = candidate end
  end
  if not n then return {'FULL'} end
end
local crowd = crowded(PLAYER, COMING, max)
if crowd then return {crowd} end
local wait = overdrawn(BUDGET, burst, refill)
if wait > 0 then return {'SPENT', string.format('%.0f', wait)} end
put(n, 'R', NOW + ttl, reservation, player)
join_list(PLAYER)
coming(COMING, NOW + ttl)
remember('digest', digest)
changed()
return {'RESERVED', n}
