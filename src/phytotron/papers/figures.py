"""Figures of the papers, drawn from reproduced results."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.papers.cropgym.figures import CROPGYM_DRAWN
from phytotron.papers.greenlight_gym.figures import GREENLIGHT_GYM_DRAWN
from phytotron.papers.intercropgym.figures import INTERCROPGYM_DRAWN
from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, pyplot

PAPER_INTERVAL = 300.0  # s
COLOURS = (RED, BLUE, AMBER, GREEN)
CONSTRAINTS = (("co2", "CO₂", BLUE), ("humidity", "relative humidity", GREEN), ("temperature", "temperature", RED))


def control_interval_figure(result: Result) -> Any:
    """Figure 2 of GreenLight-Gym: execution time, profit and time within bounds against the control interval."""
    series = result.series
    interval = np.asarray(series["control_interval"], float)
    figure, (speed, profit, within) = pyplot().subplots(1, 3, figsize=(13, 4.2), constrained_layout=True)
    for (label, seconds), colour in zip(series["seconds"].items(), COLOURS, strict=False):
        speed.plot(interval, seconds, "o-", color=colour, markersize=4, label=label)
    speed.set_yscale("log")
    speed.set_ylabel("execution time of ten days [s]")
    _curve(profit, interval, series["profit"], GREEN, "profit")
    profit.set_ylabel("relative change of profit [%]")
    for name, label, colour in CONSTRAINTS:
        _curve(within, interval, series["within"][name], colour, label)
    within.set_ylabel("relative change of time within bounds [%]")
    for letter, axes in zip("abc", (speed, profit, within), strict=True):
        axes.set_title(letter, loc="left", fontweight="bold")
        axes.set_xscale("log")
        axes.set_xlabel("control interval [s]")
        axes.axvline(PAPER_INTERVAL, color=GREY, linestyle="--", linewidth=1)
        axes.spines[["top", "right"]].set_visible(False)
    speed.legend(frameon=False, fontsize=9, loc=(0.68, 0.3))
    for axes in (profit, within):
        axes.legend(frameon=False, fontsize=9, loc="lower left")
    figure.suptitle(result.title, fontsize=11)
    return figure


def _curve(axes: Any, x: Any, curve: dict[str, list[float]], colour: str, label: str) -> None:
    """A mean with its 95 % interval over the start dates."""
    mean, half = np.asarray(curve["mean"]), np.asarray(curve["interval"])
    axes.fill_between(x, mean - half, mean + half, color=colour, alpha=0.15, linewidth=0)
    axes.plot(x, mean, "o-", color=colour, markersize=4, label=label)


DRAWN: MappingProxyType[str, Callable[[Result], Any]] = MappingProxyType(
    {"greenlight-gym/figure2": control_interval_figure, **GREENLIGHT_GYM_DRAWN, **CROPGYM_DRAWN, **INTERCROPGYM_DRAWN}
)
