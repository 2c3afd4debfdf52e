-- Commits a change to a table: all or nothing, and only if the table is still the one it was decided on.
-- KEYS: table, events, timers, outbox, seen, channel, shifts, result, results.
-- ARGV: 1 id, 2 expected etag (empty: no table), 3 new etag, 4 record, 5 event bundle, 6 seat (empty: nobody's request),
--   7 request id (16 bytes), 8 digest of its body (16 bytes), 9 1 when it leads a trick, 10 lead pause (empty: stays),
--   11-14 timers of the seats, 15 idle timer, 16 outbox (+ add, - remove), 17 time to keep the table from now on,
--   18 bundles to keep, 19 gap of a lane that was down, 20 what the table waits for then, 21 whose decision it is (a<seat>
--   taken by the player, t<seat> by the stand-in, empty: nobody's), 22 timeouts in a row that make a seat away,
--   23 presence as the record had it, 24 result record (empty: the match is not over), 25 time to keep that.
-- A timer: empty leaves it; x stops it; o<pause>,<limit> opens it (limit empty: none). A seat that is away then gets less time.
-- Answers: ok | known <version> | reused | moved <state> | early <milliseconds>.
local id, seat = ARGV[1], ARGV[6]
local waits, whose, away_after, presence_before = ARGV[20], ARGV[21], ARGV[22], ARGV[23]
local shifts = KEYS[7]
local now = clock()
look(KEYS[3], KEYS[4], KEYS[5], shifts, now, tonumber(ARGV[19]))

local requests = ''
if seat ~= '' then
  local answer
  requests, answer = made_before(KEYS[1], seat, ARGV[7], ARGV[8])
  if answer then
    return answer
  end
end
local fields = redis.call('HMGET', KEYS[1], 'e', 'l', 'n', 'p', 'ls')
local decided_by, decider = string.match(whose, '^(%l?)(%d?)$')
-- A player who came back just now has time again: the stand-in's move is void.
local function is_early()
  local due = redis.call('ZSCORE', KEYS[3], id .. ':' .. decider)
  return not due or tonumber(due) > now
end
if text(fields[1]) ~= ARGV[2] or (decided_by == 't' and is_early()) then
  return {'moved', state(KEYS[1], KEYS[3], shifts, id, now, ARGV[2], true)}
end
if ARGV[9] == '1' then
  local gate = gate_of(fields[2], fields[5], shifts)
  if gate and gate > now then
    return {'early', gate - now}
  end
end

local asked, version = read_asked(waits), string.sub(ARGV[3], 1, 8)
local presence, presence_is_new = read_presence(fields[4] or presence_before), not fields[4]
if decided_by ~= '' then
  local here = presence[tonumber(decider)]
  local timeouts = here.timeouts
  if decided_by == 'a' then
    here.timeouts = 0
  elseif not here.away then
    here.timeouts = timeouts + 1
    here.away = here.timeouts >= tonumber(away_after)
  end
  presence_is_new = presence_is_new or here.timeouts ~= timeouts
end
if presence_is_new then
  redis.call('HSET', KEYS[1], 'p', write_presence(presence))
end

redis.call('HSET', KEYS[1], 'e', ARGV[3], 'r', ARGV[4], 'o', version .. waits, 'n', next_revision(fields[3], now))
if seat ~= '' then
  remember(KEYS[1], seat, requests, ARGV[7], ARGV[8], version)
end
if ARGV[10] == '0' then
  redis.call('HDEL', KEYS[1], 'l', 'ls')
elseif ARGV[10] ~= '' then
  redis.call('HSET', KEYS[1], 'l', now + ARGV[10], 'ls', redis.call('HGET', shifts, 'by') or 0)
end
redis.call('RPUSH', KEYS[2], ARGV[5])
redis.call('LTRIM', KEYS[2], -ARGV[18], -1)

-- When a decision opened is kept as the time from then to its timer, `d<seat>`, so that it shifts with the timers.
local function set_timer(name, command)
  local member, kind = id .. ':' .. name, string.sub(command, 1, 1)
  if kind == 'x' then
    redis.call('ZREM', KEYS[3], member)
  elseif kind == 'o' then
    local pause, limit = string.match(command, '^o(%d+),(%d*)$')
    local here = presence[tonumber(name)]
    limit = time_of(tonumber(limit), asked.away, here ~= nil and here.away)
    if limit == nil then
      redis.call('ZREM', KEYS[3], member)
      redis.call('HDEL', KEYS[1], 'd' .. name)
    else
      redis.call('ZADD', KEYS[3], now + pause + limit, member)
      redis.call('HSET', KEYS[1], 'd' .. name, limit)
    end
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

-- The winners outlive the table. The record begins with the end time of the match, which later records of it keep.
local result, restore_window = ARGV[24], ARGV[25]
if result ~= '' then
  local before = text(redis.call('GET', KEYS[8]))
  local ended = before ~= '' and string.sub(before, 1, 8) or struct.pack('>I8', now)
  redis.call('SET', KEYS[8], ended .. result, 'PX', restore_window)
  redis.call('ZREMRANGEBYSCORE', KEYS[9], '-inf', now)
  redis.call('ZADD', KEYS[9], now + restore_window, id)
end
redis.call('SPUBLISH', KEYS[6], 'c' .. version)
return {'ok', state(KEYS[1], KEYS[3], shifts, id, now, ARGV[3], false)}
