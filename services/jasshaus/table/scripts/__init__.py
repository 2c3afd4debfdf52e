"""The Lua scripts that run inside Redis; lane.lua goes in front of each."""
