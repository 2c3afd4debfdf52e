-- The stake is not (or no longer) taken, for good: the seat is free. The last one to go closes the game.
local reservation, outcome, refill = ARGV[3], ARGV[4], ARGV[5]
local PLAYER, COMING, BUDGET, COOL = KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local FREE_TRIES, FIRST_MS, MEMORY_MS = 2, 2000, 60000
if outcome ~= '' then remember('outcome', outcome) end
local seat = find('reservation', reservation)
if not seat then return {'GONE', #seats()} end
redis.call('HDEL', ENTRY, seat.n)
redis.call('SREM', PLAYER, GAME)
redis.call('ZREM', COMING, GAME)
if outcome == 'refused:INSUFFICIENT_FUNDS' then
  charge(BUDGET, refill)
  -- Who tries again and again without the money would keep the seat from all others: longer and longer pauses.
  local pauses = redis.call('HINCRBY', COOL, 'tries', 1) - FREE_TRIES
  local pause = pauses > 0 and math.min(FIRST_MS * 2 ^ (pauses - 1), LONGEST_COOL_MS) or 0
  redis.call('HSET', COOL, 'until', string.format('%.0f', NOW + pause))
  redis.call('PEXPIRE', COOL, pause + MEMORY_MS)
end
local left = #seats()
if left == 0 and redis.call('HGET', ENTRY, 'status') == 'OPEN' then
  redis.call('HSET', ENTRY, 'status', 'CLOSING')
  redis.call('ZREM', INDEX, redis.call('HGET', ENTRY, 'order'))
end
changed()
return {'FREED', left}
