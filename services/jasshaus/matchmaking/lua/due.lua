-- Games to look at now; nobody else gets them for a while. ARGV: 3 how many, 4 for how long (ms).
local games = redis.call('ZRANGE', DUE, '-inf', NOW, 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, game in ipairs(games) do redis.call('ZADD', DUE, NOW + ARGV[4], game) end
table.insert(games, 1, 'DUE')
return games
