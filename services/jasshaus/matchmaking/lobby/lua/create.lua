-- The entry of a game being opened, with the opener's seat reserved; nobody else can see or join it yet.
local player, n, reservation, digest, ttl, max, order = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local PLAYER, COMING = KEYS[7], KEYS[8]
if lost() then return {'LOST'} end
local known = redis.call('HMGET', REQUEST, 'digest', 'outcome')
if known[1] and known[1] ~= digest then return {'REUSED'} end
if redis.call('EXISTS', ENTRY) == 1 then
  local seat = find('reservation', reservation)
  if not seat or seat.state == 'L' then return {'GONE'} end
  if seat.state == 'R' then
    put(seat.n, 'R', NOW + ttl, reservation, player)
    coming(COMING, NOW + ttl)
    changed()
  end
  return {'RESERVED', seat.n}
end
if known[2] and string.sub(known[2], 1, 8) == 'refused:' then return {'GONE'} end
local crowd = crowded(PLAYER, COMING, max)
if crowd then return {crowd} end
redis.call('HSET', ENTRY, 'status', 'OPENING', 'order', order)
put(n, 'R', NOW + ttl, reservation, player)
join_list(PLAYER)
coming(COMING, NOW + ttl)
remember('digest', digest)
changed()
return {'RESERVED', n}
