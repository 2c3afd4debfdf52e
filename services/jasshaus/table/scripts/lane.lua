-- Owns what the other scripts share; it is put in front of each of them.
-- Every time is in Unix milliseconds of Redis' own clock: no process of ours has a say.

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A lane whose clock nobody looked at for longer than `gap` was down, or we were: its timers shift by that time.
local function look(timers, seen_key, now, gap)
  local seen = redis.call('GET', seen_key)
  if seen and now - seen > gap then
    local shift = now - seen
    local all = redis.call('ZRANGE', timers, 0, -1, 'WITHSCORES')
    for i = 1, #all, 2 do
      redis.call('ZADD', timers, all[i + 1] + shift, all[i])
    end
  end
  -- Once a second is enough, and keeps the append-only file small.
  if not seen or now - seen >= 1000 then
    redis.call('SET', seen_key, now)
  end
end

local function text(value)
  return value or ''
end

-- The table as it is: clock, etag, record (empty when the caller has that etag), four deadlines, the lead gate, when
-- it will have been idle for too long, and the request ids of each seat when asked for.
local function state(table_key, timers, id, now, known, with_requests)
  local fields = redis.call('HMGET', table_key, 'e', 'l')
  local etag = text(fields[1])
  local record = ''
  if etag ~= '' and etag ~= known then
    record = text(redis.call('HGET', table_key, 'r'))
  end
  local due = redis.call('ZMSCORE', timers, id .. ':0', id .. ':1', id .. ':2', id .. ':3', id .. ':i')
  local reply =
    {now, etag, record, text(due[1]), text(due[2]), text(due[3]), text(due[4]), text(fields[2]), text(due[5])}
  if with_requests then
    local requests = redis.call('HMGET', table_key, 'q0', 'q1', 'q2', 'q3')
    for i = 1, 4 do
      reply[#reply + 1] = text(requests[i])
    end
  end
  return reply
end
