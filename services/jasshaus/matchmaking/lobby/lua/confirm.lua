-- The stake is taken: the reservation becomes a seat, if it is still there.
local reservation = ARGV[3]
local COMING = KEYS[7]
if lost() then return {'LOST'} end
local seat = find('reservation', reservation)
if not seat or seat.state == 'L' then return {'GONE'} end
remember('outcome', 'held', 'seat', seat.n)
if seat.state == 'R' then
  put(seat.n, 'H', 0, reservation, seat.player)
  redis.call('ZREM', COMING, GAME)
  changed()
end
return {'HELD', seat.n, held()}
