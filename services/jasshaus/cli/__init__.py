"""The `jasshaus` command: a demonstration match, a development stack, tokens, migrations."""
