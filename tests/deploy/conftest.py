"""What the tests of chart, image and repository share."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from jasshaus.platform.config import PlatformConfig

ROOT = Path(__file__).parents[2]
SERVICES = ("matchmaking", "table", "wallet")


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def config_classes() -> dict[str, type[PlatformConfig]]:
    """Each service's configuration class."""
    found = {}
    for service in SERVICES:
        module = importlib.import_module(f"jasshaus.{service}.config")
        (found[service],) = (
            item
            for _, item in inspect.getmembers(module, inspect.isclass)
            if issubclass(item, PlatformConfig) and item.__module__ == module.__name__
        )
    return found
