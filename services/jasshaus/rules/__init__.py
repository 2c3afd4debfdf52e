"""The rules of Jass as pure functions over frozen values: no clock, no randomness, no effects.

Source of every rule: docs/rules.md. Entropy, seats and time come in as data; nothing here awaits or logs.
"""
