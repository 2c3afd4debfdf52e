-- Reads a table: record, timers and clock at one moment, and the event bundles from a version on.
-- KEYS: table, events, timers, shifts. ARGV: id, known etag, 1 to have the request ids, version (empty: no bundles).
local reply = state(KEYS[1], KEYS[3], KEYS[4], ARGV[1], clock(), ARGV[2], ARGV[3] == '1')
local bundles = {}
if ARGV[4] ~= '' and #reply[2] > 8 then
  local missed = struct.unpack('>I8', reply[2]) - ARGV[4]
  if missed >= 0 then
    -- The one at that version too: it says whether the reader's history is ours.
    bundles = redis.call('LRANGE', KEYS[2], -missed - 1, -1)
  end
end
return {reply, bundles}
