"""The weather of a log as a table that environments take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from greenhouse_logs import made_log
from typer.testing import CliRunner

from phytotron.cli import app
from phytotron.environments.glasshouse.windows import choose_weather
from phytotron.logs import LogError
from phytotron.logs.outdoors import outdoor_weather


def test_whole_days_of_the_log_become_weather() -> None:
    log = made_log(days=3)  # of a clock an hour ahead of UTC: two whole days
    table = outdoor_weather(log)
    assert table.size == 2 * 288
    assert str(table.start.date()) == "2022-02-01"
    assert np.asarray(table["global_radiation"])[:288] == pytest.approx(log["global_radiation"][12 : 12 + 288])
    assert table.provenance == log.provenance


def test_gaps_and_missing_columns_name_themselves() -> None:
    wind = np.full(3 * 288, 4.0)
    wind[300:320] = np.nan
    with pytest.raises(LogError, match="wind_speed for more than half an hour"):
        outdoor_weather(made_log(days=3, wind_speed=wind))
    with pytest.raises(LogError, match="no whole day"):
        outdoor_weather(made_log(days=1))


def test_the_command_writes_a_file_that_a_greenhouse_takes(tmp_path: Path) -> None:
    path = tmp_path / "month.csv.gz"
    result = CliRunner().invoke(app, ["log", "weather", "embedded", "--output", str(path)])
    assert result.exit_code == 0, result.output
    assert "27 days from 2022-02-01" in result.stdout
    weather, days = choose_weather(str(path), None, None, 7.0, None)
    assert weather.days == 27
    assert days.size == 21
