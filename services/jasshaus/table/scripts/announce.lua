-- Tells all replicas of a new stream; the stamp, taken here, orders streams across them.
-- KEYS: channel, stamps: the last one in the lane, so that they go on rising where the clock is set back.
-- ARGV: whose stream, and which.
local stamp = string.format('%.0f', math.max(micros(), tonumber(redis.call('GET', KEYS[2]) or 0) + 1))
redis.call('SET', KEYS[2], stamp)
redis.call('SPUBLISH', KEYS[1], 'w' .. stamp .. ARGV[1])
return stamp
