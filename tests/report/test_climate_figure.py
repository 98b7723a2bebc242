"""The figure of generated against observed climate."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from phytotron.report.climate_figure import climate_figure
from phytotron.report.plotting import save
from phytotron.weather.climate.statistics import from_figures
from phytotron.weather.generator import WeatherGenerator


def test_the_figure_shows_what_was_observed_and_what_was_generated(tmp_path: Path) -> None:
    real = from_figures(WeatherGenerator("france48n").parameters.observed)
    made = dataclasses.replace(real, wet_fraction=real.wet_fraction + 0.01)
    figure = climate_figure(made, real, "a title")
    panels = {axis.get_title(loc="left"): axis for axis in figure.axes}
    generated, observed = (line.get_ydata() for line in panels["wet days (0.3 mm or more)"].lines)
    assert np.allclose(generated - observed, 0.01)
    deviation = panels["std of daily values, deviation"]
    assert all(np.allclose(line.get_ydata(), 0.0) for line in deviation.lines)
    # the record of this site does not tell how the wind of a month varies from year to year
    assert len(panels["std of months from year to year, deviation"].lines) == len(deviation.lines) - 1
    save(figure, tmp_path / "climate.svg")
    assert "a title" in (tmp_path / "climate.svg").read_text(encoding="utf-8")
