-- Games to look at now; nobody else gets them for a while. ARGV: 3 how many, 4 for how long (ms), 5 how long a seat waits.
-- What is due later than anything can be is so because the clock was set back: it is looked at, too.
local latest = NOW + math.max(ARGV[4], ARGV[5], SETTLE_MS)
for _, game in ipairs(redis.call('ZRANGE', DUE, '(' .. latest, '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[3])) do
  redis.call('ZADD', DUE, NOW, game)
end
local games = redis.call('ZRANGE', DUE, '-inf', NOW, 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, game in ipairs(games) do redis.call('ZADD', DUE, NOW + ARGV[4], game) end
table.insert(games, 1, 'DUE')
return games
