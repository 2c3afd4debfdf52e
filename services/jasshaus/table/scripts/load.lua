-- Reads a table: record, timers and clock at one moment, and the event bundles from a version on.
-- KEYS: table, events, timers, shifts. ARGV: id, known etag, 1 to get the request ids, version (empty: no bundles).
local reply = state(KEYS[1], KEYS[3], KEYS[4], ARGV[1], clock(), ARGV[2], ARGV[3] == '1')
local bundles = {}
if ARGV[4] ~= '' and #reply[2] > 8 then
  local missed = struct.unpack('>I8', reply[2]) - ARGV[4]
  if missed >= 0 then
    -- Includes the one at that version, which shows whether the reader has the same history.
    bundles = redis.call('LRANGE', KEYS[2], -missed - 1, -1)
  end
end
return {reply, bundles}
