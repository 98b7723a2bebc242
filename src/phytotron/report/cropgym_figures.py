"""Figures of CropGym, drawn from reproduced results."""

from __future__ import annotations

from typing import Any

from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREY, pyplot

COLOURS = {"Ceres": BLUE, "SP": AMBER}


def rain_and_nitrogen_figure(result: Result) -> Any:
    """Figure 4: nitrogen against average daily rain of the season, one panel per climate, with regression lines."""
    figure, panels = pyplot().subplots(
        1, len(result.series), figsize=(10, 4.2), sharey=True, squeeze=False, constrained_layout=True
    )
    for letter, axes, (climate, series) in zip("abcd", panels[0], result.series.items(), strict=False):
        for agent, nitrogen in series["nitrogen"].items():
            colour = COLOURS.get(agent, GREY)
            axes.plot(series["rain"], nitrogen, "o", color=colour, markersize=4, alpha=0.7, label=agent)
            axes.plot(series["line_rain"], series["line_nitrogen"][agent], "-", color=colour, linewidth=1.5)
        axes.set_title(f"{letter}  {climate}, {len(series['rain'])} seasons", loc="left", fontsize=10)
        axes.set_xlabel("average rain of the season [mm d⁻¹]")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0][0].set_ylabel("nitrogen [kg ha⁻¹]")
    panels[0][0].legend(frameon=False, fontsize=9)
    figure.suptitle(result.title, fontsize=11)
    return figure
