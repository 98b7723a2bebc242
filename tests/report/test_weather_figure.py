"""The figure of a weather table."""

from __future__ import annotations

import pytest
from weather_files import table

from phytotron.report.weather_figure import weather_figure


@pytest.mark.parametrize("interval", [3600, 86400])
def test_the_title_names_the_first_and_the_last_day_of_the_table(interval: int) -> None:
    pytest.importorskip("matplotlib")
    shown = table(interval, 4 * 86400 // interval)
    figure = weather_figure(shown)
    assert figure.get_suptitle().endswith("28 Feb 2012 to 02 Mar 2012")
