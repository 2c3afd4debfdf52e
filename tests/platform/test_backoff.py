"""Pauses between attempts: they grow, are spread, and have a longest."""

from __future__ import annotations

import pytest

from jasshaus.platform.backoff import Backoff


def test_pauses_double_up_to_the_longest():
    backoff = Backoff(0.25, 10.0, jitter=0)
    assert [backoff.pause(failures) for failures in range(8)] == [0.25, 0.5, 1, 2, 4, 8, 10, 10]


def test_any_number_of_failures_has_a_pause():
    assert Backoff(0.25, 10.0, jitter=0).pause(10**6) == 10


@pytest.mark.parametrize("jitter", [0.25, 0.5, 1.0])
def test_jitter_spreads_a_pause_downwards(jitter: float):
    backoff = Backoff(1.0, 8.0, jitter)
    pauses = [backoff.pause(2) for _ in range(2_000)]
    assert 4 * (1 - jitter) <= min(pauses) < 4 * (1 - 0.9 * jitter)
    assert 4 * (1 - 0.1 * jitter) < max(pauses) <= 4
