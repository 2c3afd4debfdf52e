-- Shared by the other scripts: prepended to each of them.
-- All times are Unix milliseconds of Redis' own clock, independent of our processes' clocks.

local function micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function clock()
  return math.floor(micros() / 1000)
end

local function move(sorted, shift)
  local all = redis.call('ZRANGE', sorted, 0, -1, 'WITHSCORES')
  for i = 1, #all, 2 do
    redis.call('ZADD', sorted, all[i + 1] + shift, all[i])
  end
end

-- Checks the lane's clock. If a lane was not checked for longer than `gap`, either it or we were down, or the clock was set:
-- its timers shift by that time, so that nobody times out. If the clock was set back, everything pending moves earlier
-- by the same amount; deliveries are not delayed otherwise.
-- `shifts` has the number of shifts (n), which is part of every view's revision because every deadline of the lane has moved,
-- and their sum (by).
local function look(timers, outbox, seen_key, shifts, now, gap)
  local seen = redis.call('GET', seen_key)
  if redis.call('ZCARD', timers) == 0 and redis.call('ZCARD', outbox) == 0 then
    -- With nothing pending, nobody has checked: that is not an outage.
    seen = false
  end
  local shift = seen and now - seen or 0
  if shift > gap or shift < 0 then
    move(timers, shift)
    if shift < 0 then
      move(outbox, shift)
    end
    redis.call('HINCRBY', shifts, 'n', 1)
    redis.call('HINCRBY', shifts, 'by', shift)
  end
  -- Once a second is enough, and keeps the append-only file small.
  if not seen or shift < 0 or shift >= 1000 then
    redis.call('SET', seen_key, now)
  end
end

-- The lead gate, `l`, is also a time of the lane: it shifts by the lane's shifts since it was set, at `ls`.
local function gate_of(gate, set_at, shifts)
  if not gate then
    return nil
  end
  local by = tonumber(redis.call('HGET', shifts, 'by') or 0)
  return gate + by - (set_at or by)
end

local function text(value)
  return value or ''
end

-- A table's part of the revision, `n`, after another change. Based on the clock, so that it keeps rising if Redis loses its
-- last writes.
local function next_revision(before, now)
  return string.format('%.0f', math.max((tonumber(before or 0)) + 1, now))
end

local function revise(table_key, now)
  redis.call('HSET', table_key, 'n', next_revision(redis.call('HGET', table_key, 'n'), now))
end

-- A seat's requests, and the answer to a repeated one: known <version> or reused; nil for a new one.
local ENTRY, REMEMBERED = 40, 8
local function made_before(table_key, seat, request, body)
  local requests = text(redis.call('HGET', table_key, 'q' .. seat))
  for i = 1, #requests, ENTRY do
    if string.sub(requests, i, i + 15) == request then
      if string.sub(requests, i + 16, i + 31) ~= body then
        return requests, {'reused'}
      end
      return requests, {'known', string.sub(requests, i + 32, i + 39)}
    end
  end
  return requests, nil
end

local function remember(table_key, seat, requests, request, body, version)
  redis.call('HSET', table_key, 'q' .. seat, string.sub(requests .. request .. body .. version, -ENTRY * REMEMBERED))
end

-- Presence, `p`: for each seat `<1 if away>,<timeouts since the player last acted>`, separated by spaces. A table stored by
-- the previous release has it in its record, and callers pass it.
local function read_presence(raw)
  local seats, seat = {}, 0
  for away, timeouts in string.gmatch(raw, '(%d),(%d+)') do
    seats[seat] = {away = away == '1', timeouts = tonumber(timeouts)}
    seat = seat + 1
  end
  return seats
end

local function write_presence(seats)
  local written = {}
  for seat = 0, 3 do
    written[seat + 1] = (seats[seat].away and '1,' or '0,') .. seats[seat].timeouts
  end
  return table.concat(written, ' ')
end

-- What the table is waiting for, as written by Python: `<1 while the match is running>,<seat 0>,...,<seat 3>,<away>`. Per seat, the
-- time it has when present: empty if no decision is pending, 0 for no limit. `away`: the time of a seat that is away.
local function read_asked(raw)
  local on, first, second, third, fourth, away = string.match(raw, '^(%d),(%d*),(%d*),(%d*),(%d*),(%d+)$')
  local asked = {on = on == '1', away = tonumber(away), is = {}, limit = {}}
  for i, limit in ipairs({first, second, third, fourth}) do
    asked.is[i - 1] = limit ~= ''
    asked.limit[i - 1] = limit ~= '0' and tonumber(limit) or nil
  end
  return asked
end

-- The time of a seat with a pending decision; limit and result are nil for no limit. Being away never makes it longer.
local function time_of(limit, away, is_away)
  if not is_away then
    return limit
  end
  return limit and math.min(limit, away) or away
end

-- The table's state: clock, etag, record (empty if the caller has that etag), four deadlines, the lead gate, when
-- it reaches its idle limit, the count of all these changes, presence (empty if the record has it), and the request
-- ids of each seat if requested.
local function state(table_key, timers, shifts, id, now, known, with_requests)
  local fields = redis.call('HMGET', table_key, 'e', 'l', 'n', 'p', 'ls')
  local etag = text(fields[1])
  local record = ''
  if etag ~= '' and etag ~= known then
    record = text(redis.call('HGET', table_key, 'r'))
  end
  local due = redis.call('ZMSCORE', timers, id .. ':0', id .. ':1', id .. ':2', id .. ':3', id .. ':i')
  local gate = gate_of(fields[2], fields[5], shifts)
  local reply = {now, etag, record, text(due[1]), text(due[2]), text(due[3]), text(due[4]), text(gate), text(due[5])}
  reply[10], reply[11] = tonumber(fields[3] or 0) + tonumber(redis.call('HGET', shifts, 'n') or 0), text(fields[4])
  if with_requests then
    local requests = redis.call('HMGET', table_key, 'q0', 'q1', 'q2', 'q3')
    for i = 1, 4 do
      reply[#reply + 1] = text(requests[i])
    end
  end
  return reply
end
