-- A seat whose time is over: its stake is to be given back before anybody else may have it.
local reservation, ttl = ARGV[3], ARGV[4]
local seat = find('reservation', reservation)
if not seat or seat.state == 'H' then return {'KEPT'} end
if seat.expiry > NOW then
  if seat.expiry > NOW + ttl then
    -- The clock was set back: nobody keeps a seat for longer than anybody may.
    put(seat.n, seat.state, NOW + ttl, reservation, seat.player)
    changed()
  end
  return {'KEPT'}
end
put(seat.n, 'L', NOW + ttl, reservation, seat.player)
changed()
return {'LEAVING', seat.n, reservation}
