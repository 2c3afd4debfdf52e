-- The game has left the lobby. ARGV: 3 order, 4 how many of KEYS[7..] still sit in it (it is played); the rest does not.
redis.call('DEL', ENTRY)
redis.call('ZREM', INDEX, ARGV[3])
redis.call('ZREM', DUE, GAME)
for index = 7, #KEYS do
  if index < 7 + ARGV[4] then join_list(KEYS[index]) else redis.call('SREM', KEYS[index], GAME) end
end
publish()
return {'FORGOTTEN'}
