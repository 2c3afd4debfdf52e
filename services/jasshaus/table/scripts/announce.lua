-- Tells all replicas of a new stream; the stamp, taken here, orders streams across them.
-- KEYS: channel. ARGV: whose stream, and which.
local time = redis.call('TIME')
local stamp = string.format('%d%06d', time[1], time[2])
redis.call('SPUBLISH', KEYS[1], 'w' .. stamp .. ARGV[1])
return stamp
