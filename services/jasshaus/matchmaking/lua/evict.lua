-- A seat whose time is over: its stake is to be given back before anybody else may have it.
local reservation, ttl = ARGV[3], ARGV[4]
local seat = find('reservation', reservation)
if not seat or seat.state == 'H' or seat.expiry > NOW then return {'KEPT'} end
put(seat.n, 'L', NOW + ttl, reservation, seat.player)
changed()
return {'LEAVING', seat.n, reservation}
