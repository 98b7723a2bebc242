"""A replay server, a client that does not wait, and a data folder of its own for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from weather.fetching.replay import ReplayServer, replaying

from phytotron.weather.fetching import Client, Limits

# Short enough for tests, long enough for a machine under load.
HASTY = Limits(
    connect=5.0, silence=5.0, total=10.0, slowest_after=5.0, attempts=3, backoff=0.01, crowded=0.02, longest_pause=0.1,
    between=0.0,
)  # fmt: skip


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ReplayServer]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with replaying() as running:
        monkeypatch.setenv("PHYTOTRON_KNMI_URL", f"{running.url}/knmi")
        monkeypatch.setenv("PHYTOTRON_POWER_URL", f"{running.url}/power")
        monkeypatch.setenv("PHYTOTRON_OPEN_METEO_URL", f"{running.url}/open-meteo")
        yield running


@pytest.fixture
def client() -> Client:
    return Client(HASTY)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder."""
    path = tmp_path / "weather"
    monkeypatch.setenv("PHYTOTRON_WEATHER", str(path))
    return path
