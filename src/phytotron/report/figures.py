"""Figures of a greenhouse season."""

from __future__ import annotations

import numpy as np

from phytotron.core.fields import find
from phytotron.evaluation.greenhouse_course import Course
from phytotron.models.greenlight.states import Control
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, pyplot, svg
from phytotron.weather.humid_air import co2_mole_fraction, relative_humidity


def season_figure(season: Course, title: str) -> str:
    """Climate, crop and actuators over the days, as SVG text."""
    states, weather = season.states, season.weather
    days = np.arange(len(np.asarray(states.time))) * season.interval / 86400.0
    figure, axes = pyplot().subplots(6, 1, figsize=(11, 13), sharex=True, constrained_layout=True)
    light, warmth, humid, carbon, crop, actuators = axes

    light.fill_between(days, np.asarray(weather.global_radiation), color=AMBER, alpha=0.35, linewidth=0)
    light.set_ylabel("global radiation\n[W m⁻²]")

    warmth.plot(days, np.asarray(states.air_temperature), color=RED, label="air")
    warmth.plot(days, np.asarray(states.canopy_temperature), color=GREEN, linewidth=0.8, label="canopy")
    warmth.plot(days, np.asarray(weather.outdoor_temperature), color=GREY, label="outdoors")
    warmth.set_ylabel("temperature\n[°C]")

    humidity = relative_humidity(states.air_temperature, states.air_vapour_pressure)
    humid.plot(days, np.asarray(humidity), color=BLUE)
    humid.axhspan(60, 90, color=GREEN, alpha=0.08, linewidth=0)
    humid.set_ylabel("relative humidity\n[%]")

    carbon.plot(days, np.asarray(co2_mole_fraction(states.air_temperature, states.air_co2)), color=GREY)
    carbon.set_ylabel("CO₂\n[ppm]")

    grams = 1e-3
    crop.plot(days, grams * np.asarray(states.fruit_carbohydrate), color=RED, label="fruit")
    crop.plot(days, grams * np.asarray(states.stem_carbohydrate), color=AMBER, label="stem and roots")
    crop.plot(days, grams * np.asarray(states.leaf_carbohydrate), color=GREEN, label="leaves")
    crop.set_ylabel("carbohydrate\n[g m⁻²]")

    shown = ("boiler", "roof_vent", "thermal_screen", "co2_injection", "lamp")
    colours = (RED, BLUE, GREY, GREEN, AMBER)
    for row, (name, colour) in enumerate(zip(shown, colours, strict=True)):
        base = len(shown) - 1 - row
        actuators.fill_between(days, base, base + 0.85 * np.asarray(getattr(season.controls, name)), color=colour,
                               linewidth=0, step="post")  # fmt: skip
    actuators.set_yticks([len(shown) - 0.6 - row for row in range(len(shown))],
                         [find(Control, name).description for name in shown])  # fmt: skip
    actuators.tick_params(axis="y", length=0)
    actuators.set_xlabel("days")

    for axis in (warmth, crop):
        axis.legend(loc="lower right", bbox_to_anchor=(1.0, 0.97), ncols=3, frameon=False, fontsize=9)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
    figure.suptitle(title)
    return svg(figure)
