-- Makes sure that a table that is not there never will be.
-- KEYS: table. ARGV: the etag that says so.
return redis.call('HSETNX', KEYS[1], 'e', ARGV[1])
