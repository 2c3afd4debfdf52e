-- The stake is not (or no longer) taken, for good: the seat is free. The last one to go closes the game.
local reservation, outcome = ARGV[3], ARGV[4]
local PLAYER = KEYS[7]
if outcome ~= '' then remember('outcome', outcome) end
local seat = find('reservation', reservation)
if not seat then return {'GONE', #seats()} end
redis.call('HDEL', ENTRY, seat.n)
redis.call('SREM', PLAYER, GAME)
local left = #seats()
if left == 0 and redis.call('HGET', ENTRY, 'status') == 'OPEN' then
  redis.call('HSET', ENTRY, 'status', 'CLOSING')
  redis.call('ZREM', INDEX, redis.call('HGET', ENTRY, 'order'))
end
changed()
return {'FREED', left}
