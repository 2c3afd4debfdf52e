-- Stands before every script of the lobby. All keys of a tenant share one hash tag, so one slot.
-- An entry is a hash: status, order (its member of the index), version, and a field 0..3 for each taken seat:
-- state|expiry (ms of this clock, 0 if held)|reservation|player. States: R reserved, H held, L leaving.
-- version: rises with each change, and is at least the time of it in ms, so that it does not fall when Redis loses the entry.
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

-- The seat is one whose stake is being taken (until `expiry`): COMING is a sorted set of such games of a player.
local function coming(coming_key, expiry)
  redis.call('ZADD', coming_key, expiry, GAME)
  redis.call('EXPIRE', coming_key, PLAYER_SECONDS)
end

-- Whether a player may sit down in one more game: nil; BUSY while a stake being taken decides about it; TOO_MANY.
local function crowded(player_key, coming_key, max)
  if redis.call('SISMEMBER', player_key, GAME) == 1 or redis.call('SCARD', player_key) < tonumber(max) then return nil end
  for _, game in ipairs(redis.call('ZRANGE', coming_key, '(' .. string.format('%.0f', NOW), '+inf', 'BYSCORE')) do
    if redis.call('SISMEMBER', player_key, game) == 1 then return 'BUSY' end
  end
  return 'TOO_MANY'
end

-- A player's budget is a token bucket, kept as the time at which it is full again (ms).
local function full_at(budget_key)
  return math.max(tonumber(redis.call('GET', budget_key) or 0), NOW)
end

-- How long (ms) a player must wait until there is something left; 0 for no wait.
local function overdrawn(budget_key, burst, refill)
  return math.max(0, full_at(budget_key) + refill - NOW - burst * refill)
end

-- Takes one out of it, there or not: what must not be refused is owed, and the next thing waits.
local function charge(budget_key, refill)
  if tonumber(refill) == 0 then return end
  local full = full_at(budget_key) + refill
  redis.call('SET', budget_key, string.format('%.0f', full), 'PX', string.format('%.0f', full - NOW))
end

-- Revisions follow one another, and start at the time (ms): a lobby that was lost does not come to those of before again.
local function publish()
  local rev = redis.call('INCR', REV)
  if rev == 1 then
    rev = string.format('%.0f', NOW)
    redis.call('SET', REV, rev)
  end
  redis.call('PUBLISH', 'jasshaus:lobby', string.format('%.0f', rev) .. ' ' .. GAME .. ' ' .. TENANT)
end

-- After every change of an entry: its version, when the reconciler must look at it, and a word to the watchers.
local function changed()
  local status = redis.call('HGET', ENTRY, 'status')
  local due = nil
  if status then
    local version = math.max(tonumber(redis.call('HGET', ENTRY, 'version') or 0) + 1, NOW)
    redis.call('HSET', ENTRY, 'version', string.format('%.0f', version))
    redis.call('EXPIRE', ENTRY, ENTRY_SECONDS)
    if status == 'STARTING' or status == 'CLOSING' or held() == 4 then due = NOW + SETTLE_MS end
    for _, seat in ipairs(seats()) do
      if seat.state ~= 'H' and (not due or seat.expiry < due) then due = seat.expiry end
    end
  end
  if due then redis.call('ZADD', DUE, due, GAME) else redis.call('ZREM', DUE, GAME) end
  -- Nobody sees a game before its opener is seated.
  if status ~= 'OPENING' then publish() end
end
