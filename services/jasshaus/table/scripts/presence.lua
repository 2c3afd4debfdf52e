-- Records that a player has left or is back. Independent of the match: it needs no etag, so it
-- loses no race and causes nobody's move to lose one. It changes neither the record nor the history.
-- KEYS: table, timers, seen, channel, shifts, outbox.
-- ARGV: 1 id, 2 seat, 3 request id (16 bytes), 4 digest of its body (16 bytes), 5 1 leaves, 0 comes back, 6 etag the caller
--   knows, 7 what the table waits for at that etag, 8 presence as the record had it, 9 gap of a lane that was down,
--   10 how many times in a row a seat may leave, 11 time until it may once more.
-- Answers: ok <state> | known <version> | reused | over | same | limited <milliseconds> | moved <state>.
local id, seat = ARGV[1], tonumber(ARGV[2])
local leaves, step = ARGV[5] == '1', tonumber(ARGV[11])
local now = clock()

local requests, answer = made_before(KEYS[1], seat, ARGV[3], ARGV[4])
if answer then
  return answer
end
local fields = redis.call('HMGET', KEYS[1], 'e', 'o', 'p', 'b' .. seat)
local etag, waits = text(fields[1]), text(fields[2])
local version = string.sub(etag, 1, 8)
if #etag > 8 and string.sub(waits, 1, 8) == version then
  waits = string.sub(waits, 9)
elseif #etag > 8 and etag == ARGV[6] then
  -- The last commit was by the previous release, which does not record what the table is waiting for.
  waits = ARGV[7]
else
  return {'moved', state(KEYS[1], KEYS[2], KEYS[5], id, now, ARGV[6], true)}
end
local asked, presence = read_asked(waits), read_presence(fields[3] or ARGV[8])
if not asked.on then
  return {'over'}
end
if presence[seat].away == leaves then
  return {'same'}
end
if leaves then
  -- When the budget is full again. After the clock was set back, nobody waits longer than with an empty budget.
  local whole = math.min(math.max(tonumber(fields[4] or 0), now), now + step * ARGV[10]) + step
  local wait = whole - now - step * ARGV[10]
  if wait > 0 then
    return {'limited', wait}
  end
  redis.call('HSET', KEYS[1], 'b' .. seat, string.format('%.0f', whole))
end

presence[seat] = {away = leaves, timeouts = 0}
redis.call('HSET', KEYS[1], 'p', write_presence(presence))
remember(KEYS[1], seat, requests, ARGV[3], ARGV[4], version)
look(KEYS[2], KEYS[6], KEYS[3], KEYS[5], now, tonumber(ARGV[9]))
local limit, member = asked.limit[seat], id .. ':' .. seat
if asked.is[seat] then
  local due = tonumber(redis.call('ZSCORE', KEYS[2], member) or nil)
  local opened = due and due - (redis.call('HGET', KEYS[1], 'd' .. seat) or 0) or now
  if leaves then
    -- At once, but not during the pause before the decision opens.
    local hurried = math.max(now, opened) + time_of(limit, asked.away, true)
    due = due and math.min(due, hurried) or hurried
  elseif not limit then
    due = nil
  else
    -- The time it had when the decision opened: leaving and coming back repeatedly gains nothing, and costs nothing.
    due = math.max(due or now, opened + limit)
  end
  if due then
    redis.call('ZADD', KEYS[2], due, member)
    redis.call('HSET', KEYS[1], 'd' .. seat, string.format('%.0f', due - opened))
  else
    redis.call('ZREM', KEYS[2], member)
    redis.call('HDEL', KEYS[1], 'd' .. seat)
  end
end
revise(KEYS[1], now)
redis.call('SPUBLISH', KEYS[4], 'c' .. version)
return {'ok', state(KEYS[1], KEYS[2], KEYS[5], id, now, ARGV[6], false)}
