-- Stands before every script of the lobby. All keys of a tenant share one hash tag, so one slot.
-- An entry is a hash: status, order (its member of the index), version, and a field 0..3 for each taken seat:
-- state|expiry (ms of this clock, 0 if held)|reservation|player. States: R reserved, H held, L leaving.
local READY, REV, INDEX, DUE, ENTRY, REQUEST = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local TENANT, GAME = ARGV[1], ARGV[2]
local SETTLE_MS, LONGEST_COOL_MS = 2000, 60000
local REQUEST_SECONDS, REFUSAL_SECONDS = 86400, 3600
-- What Redis brings back that was removed, because it lost its last writes, ends by itself. No game is open for more than
-- 7 days; and where one of these ends too soon, rows and pots bring it back.
local ENTRY_SECONDS, PLAYER_SECONDS = 8 * 86400, 30 * 86400
local clock = redis.call('TIME')
local NOW = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function lost()
  return redis.call('EXISTS', READY) == 0
end

local function seat_at(n)
  local text = redis.call('HGET', ENTRY, n)
  if not text then return nil end
  local state, expiry, reservation, player = string.match(text, '^(%u)|(%d+)|([^|]+)|(.*)$')
  return {n = n, state = state, expiry = tonumber(expiry), reservation = reservation, player = player}
end

local function seats()
  local taken = {}
  for n = 0, 3 do
    local seat = seat_at(n)
    if seat then taken[#taken + 1] = seat end
  end
  return taken
end

local function find(field, value)
  for _, seat in ipairs(seats()) do
    if seat[field] == value then return seat end
  end
  return nil
end

local function held()
  local count = 0
  for _, seat in ipairs(seats()) do
    if seat.state == 'H' then count = count + 1 end
  end
  return count
end

local function put(n, state, expiry, reservation, player)
  redis.call('HSET', ENTRY, n, state .. '|' .. string.format('%.0f', expiry) .. '|' .. reservation .. '|' .. player)
end

-- Refusals cost nothing to provoke, and the pot remembers the reservation: they are kept for a shorter time.
local function remember(...)
  redis.call('HSET', REQUEST, ...)
  local outcome = redis.call('HGET', REQUEST, 'outcome') or ''
  redis.call('EXPIRE', REQUEST, string.sub(outcome, 1, 8) == 'refused:' and REFUSAL_SECONDS or REQUEST_SECONDS)
end

-- The game is one that the player sits in.
local function join_list(player_key)
  redis.call('SADD', player_key, GAME)
  redis.call('EXPIRE', player_key, PLAYER_SECONDS)
end

local function publish()
  local rev = redis.call('INCR', REV)
  redis.call('PUBLISH', 'jasshaus:lobby', rev .. ' ' .. GAME .. ' ' .. TENANT)
end

-- After every change of an entry: when the reconciler must look at it, and a word to the watchers.
local function changed()
  local status = redis.call('HGET', ENTRY, 'status')
  local due = nil
  if status then
    redis.call('HINCRBY', ENTRY, 'version', 1)
    redis.call('EXPIRE', ENTRY, ENTRY_SECONDS)
    if status == 'STARTING' or status == 'CLOSING' or held() == 4 then due = NOW + SETTLE_MS end
    for _, seat in ipairs(seats()) do
      if seat.state ~= 'H' and (not due or seat.expiry < due) then due = seat.expiry end
    end
  end
  if due then redis.call('ZADD', DUE, due, GAME) else redis.call('ZREM', DUE, GAME) end
  publish()
end
