-- Commits a change of a table: all or nothing, and nothing at all unless the table is the one it was decided on.
-- KEYS: table, events, timers, outbox, seen, channel, result, results.
-- ARGV: 1 id, 2 expected etag (empty: no table), 3 new etag, 4 record, 5 event bundle, 6 seat (empty: nobody's request),
--   7 request id (16 bytes), 8 digest of its body (16 bytes), 9 1 when it leads a trick, 10 lead pause (empty: stays),
--   11-14 timers of the seats, 15 idle timer, 16 outbox (+ add, - remove), 17 time to keep the table from now on,
--   18 bundles to keep, 19 gap of a lane that was down, 20 result record (empty: the match is not over), 21 time to keep that.
-- A timer: empty stays; x stops; o<pause>,<limit> opens (limit empty: none); h<limit> at most that from now; r<limit> what it
-- would be with that limit since it opened, never less than it is (limit empty: none).
-- Answers: ok | known <version> | reused | moved <state> | early <milliseconds>.
local ENTRY, REMEMBERED = 40, 8
local id, seat = ARGV[1], ARGV[6]
local now = clock()

local requests = ''
if seat ~= '' then
  requests = text(redis.call('HGET', KEYS[1], 'q' .. seat))
  for i = 1, #requests, ENTRY do
    if string.sub(requests, i, i + 15) == ARGV[7] then
      if string.sub(requests, i + 16, i + 31) ~= ARGV[8] then
        return {'reused'}
      end
      return {'known', string.sub(requests, i + 32, i + 39)}
    end
  end
end
if text(redis.call('HGET', KEYS[1], 'e')) ~= ARGV[2] then
  return {'moved', state(KEYS[1], KEYS[3], id, now, ARGV[2], true)}
end
if ARGV[9] == '1' then
  local gate = tonumber(redis.call('HGET', KEYS[1], 'l') or 0)
  if gate > now then
    return {'early', gate - now}
  end
end

redis.call('HSET', KEYS[1], 'e', ARGV[3], 'r', ARGV[4])
if seat ~= '' then
  local entry = ARGV[7] .. ARGV[8] .. string.sub(ARGV[3], 1, 8)
  redis.call('HSET', KEYS[1], 'q' .. seat, string.sub(requests .. entry, -ENTRY * REMEMBERED))
end
if ARGV[10] == '0' then
  redis.call('HDEL', KEYS[1], 'l')
elseif ARGV[10] ~= '' then
  redis.call('HSET', KEYS[1], 'l', now + ARGV[10])
end
redis.call('RPUSH', KEYS[2], ARGV[5])
redis.call('LTRIM', KEYS[2], -ARGV[18], -1)

-- A lane that had no timers has not been looked at: that is not an outage.
if redis.call('ZCARD', KEYS[3]) == 0 then
  redis.call('SET', KEYS[5], now)
else
  look(KEYS[3], KEYS[5], now, tonumber(ARGV[19]))
end
-- Since when a decision is open is kept as the time from then to its timer, `d<seat>`: so it shifts with the timers.
local function set_timer(name, command)
  local member, kind = id .. ':' .. name, string.sub(command, 1, 1)
  local rest = string.sub(command, 2)
  if kind == 'x' then
    redis.call('ZREM', KEYS[3], member)
  elseif kind == 'o' then
    local pause, limit = string.match(rest, '^(%d+),(%d*)$')
    if limit == '' then
      redis.call('ZREM', KEYS[3], member)
      redis.call('HDEL', KEYS[1], 'd' .. name)
    else
      redis.call('ZADD', KEYS[3], now + pause + limit, member)
      redis.call('HSET', KEYS[1], 'd' .. name, limit)
    end
  elseif kind == 'h' then
    local due = tonumber(redis.call('ZSCORE', KEYS[3], member) or now + rest)
    local hurried = math.min(due, now + rest)
    redis.call('ZADD', KEYS[3], hurried, member)
    redis.call('HINCRBY', KEYS[1], 'd' .. name, hurried - due)
  elseif kind == 'r' and rest == '' then
    redis.call('ZREM', KEYS[3], member)
  elseif kind == 'r' then
    local due = tonumber(redis.call('ZSCORE', KEYS[3], member) or now)
    local opened = due - (redis.call('HGET', KEYS[1], 'd' .. name) or 0)
    redis.call('ZADD', KEYS[3], math.max(due, opened + rest), member)
    redis.call('HSET', KEYS[1], 'd' .. name, math.max(due, opened + rest) - opened)
  end
end
for i = 0, 3 do
  set_timer(tostring(i), ARGV[11 + i])
end
set_timer('i', ARGV[15])

if ARGV[16] == '+' then
  redis.call('ZADD', KEYS[4], now, id)
elseif ARGV[16] == '-' then
  redis.call('ZREM', KEYS[4], id)
end
if ARGV[17] ~= '' then
  redis.call('PEXPIRE', KEYS[1], ARGV[17])
  redis.call('PEXPIRE', KEYS[2], ARGV[17])
end

-- What outlives the table: who won. It begins with when the match ended, which a later record of it keeps.
local result, restore_window = ARGV[20], ARGV[21]
if result ~= '' then
  local before = text(redis.call('GET', KEYS[7]))
  local ended = before ~= '' and string.sub(before, 1, 8) or struct.pack('>I8', now)
  redis.call('SET', KEYS[7], ended .. result, 'PX', restore_window)
  redis.call('ZREMRANGEBYSCORE', KEYS[8], '-inf', now)
  redis.call('ZADD', KEYS[8], now + restore_window, id)
end
redis.call('SPUBLISH', KEYS[6], 'c' .. string.sub(ARGV[3], 1, 8))
return {'ok', state(KEYS[1], KEYS[3], id, now, ARGV[3], false)}
