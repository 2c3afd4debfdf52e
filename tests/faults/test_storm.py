"""A short storm over a whole stack at play: processes killed, stopped and drained."""

from __future__ import annotations

from faults.storm import Options, storm

KINDS = ("kill", "pause", "drain", "kill-store")


async def test_nothing_is_lost_and_nothing_paid_twice_in_a_storm() -> None:
    findings = await storm(Options(seed=4, seconds=12, games=2, kinds=KINDS, game_ttl=12))
    assert findings.wrong == []
    assert findings.counts["actions"]
    assert findings.counts["rounds heard"]
