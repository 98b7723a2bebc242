"""Figures of CropGym, drawn from reproduced results; each is called as the experiment that it draws."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, finish, legend, subplots

COLOURS = {"Ceres": BLUE, "SP": AMBER, "RL": GREEN}
CLIMATES = (BLUE, RED)
SITES = (("o", RED), ("D", RED), ("o", BLUE), ("+", GREY))  # marks on the map, in the order of the series
REWARD, NITROGEN, YIELD = "cumulative reward", "nitrogen", "yield"
UNITS = {REWARD: "g m⁻²", NITROGEN: "kg ha⁻¹", YIELD: "t ha⁻¹"}
MONTHS = {1: "Jan", 32: "Feb", 60: "Mar", 91: "Apr", 121: "May", 152: "Jun", 182: "Jul", 213: "Aug"}  # first days


def figure1(result: Result) -> Any:
    """Return a map of the sites, degrees being as long as they are in the middle of it."""
    figure, axes = subplots(1, 1, (6, 5))
    for (name, sites), (mark, colour) in zip(result.series.items(), SITES, strict=True):
        if sites:
            north, east = np.transpose(sites)
            filled = "full" if mark == "o" else "none"
            axes.plot(east, north, mark, color=colour, markersize=9, fillstyle=filled, label=name)
    north = [site[0] for sites in result.series.values() for site in sites]
    axes.set_aspect(1.0 / np.cos(np.radians(np.mean(north))))
    axes.margins(0.15)
    axes.set(xlabel="longitude [°E]", ylabel="latitude [°N]")
    legend(axes)
    return finish(figure, result.title)


def figure2(result: Result) -> Any:
    """Return the reward and nitrogen against those of Ceres; yield against nitrogen, RL less SP."""
    agents = result.series["agents"]
    figure, panels = subplots(1, 3, (13, 4.4))
    for axes, quantity in zip(panels, (REWARD, NITROGEN), strict=False):
        best = agents["Ceres"][quantity]
        _diagonal(axes, [best, *(each[quantity] for each in agents.values())])
        for agent, values in agents.items():
            axes.plot(best, values[quantity], "o", color=COLOURS[agent], markersize=5, alpha=0.75, label=agent)
        axes.set(xlabel=f"{quantity} of Ceres [{UNITS[quantity]}]", ylabel=f"{quantity} [{UNITS[quantity]}]")
    legend(panels[0])
    nitrogen, grain = (np.subtract(agents["RL"][each], agents["SP"][each]) for each in (NITROGEN, YIELD))
    _break_even(panels[2], nitrogen, grain, result.series["break_even"])
    return finish(figure, result.title, panels)


def _break_even(axes: Any, nitrogen: Any, grain: Any, steep: float) -> None:
    """More nitrogen and more grain, with the line on which they pay each other."""
    ends = _limits([nitrogen, [0.0]])
    axes.axhline(0.0, color=GREY, linewidth=0.6)
    axes.axvline(0.0, color=GREY, linewidth=0.6)
    axes.plot(ends, steep * np.asarray(ends), "--", color=GREY, linewidth=1.2, label="break-even")
    axes.plot(nitrogen, grain, "o", color=GREEN, markersize=5, alpha=0.75, label="test year")
    axes.plot(np.median(nitrogen), np.median(grain), "D", color=RED, markersize=7, label="median")
    labels = {"xlabel": f"nitrogen, RL - SP [{UNITS[NITROGEN]}]", "ylabel": f"yield, RL - SP [{UNITS[YIELD]}]"}
    axes.set(xlim=ends, **labels)
    legend(axes)


def figure3(result: Result) -> Any:
    """Return the cumulative reward and nitrogen over the season, with the middle half and 90 % of runs and years."""
    series = result.series
    figure, panels = subplots(1, 2, (11, 4.2))
    for axes, quantity, colour in zip(panels, (REWARD, NITROGEN), (GREEN, BLUE), strict=True):
        found = series[quantity]
        for low, high, shade in (("5", "95", 0.12), ("25", "75", 0.25)):
            shown = {"color": colour, "alpha": shade, "linewidth": 0, "label": f"{low} to {high} %"}
            axes.fill_between(series["day"], found[low], found[high], **shown)
        axes.plot(series["day"], found["50"], color=colour, linewidth=1.8, label="median")
        axes.set_xticks(list(MONTHS), list(MONTHS.values()))
        axes.set_xlim(1, series["day"][-1])
    panels[0].axhline(0.0, color=GREY, linewidth=0.6)
    panels[0].set_ylabel(f"{REWARD} [{UNITS[REWARD]}]")
    panels[1].bar(series["day"][:-1], series["mean dose"], width=5, color=AMBER, label="mean dose of a week")
    panels[1].set_ylabel(f"{NITROGEN} so far [{UNITS[NITROGEN]}]")
    for axes in panels:
        legend(axes)
    return finish(figure, result.title, panels)


def figure4(result: Result) -> Any:
    """Return nitrogen against average daily rain of the season, one panel per climate, with regression lines."""
    figure, panels = subplots(1, len(result.series), (10, 4.2), sharey=True)
    for letter, axes, (climate, series) in zip("abcd", panels, result.series.items(), strict=False):
        for agent, nitrogen in series["nitrogen"].items():
            colour = COLOURS.get(agent, GREY)
            axes.plot(series["rain"], nitrogen, "o", color=colour, markersize=4, alpha=0.7, label=agent)
            axes.plot(series["line_rain"], series["line_nitrogen"][agent], "-", color=colour, linewidth=1.5)
        axes.set_title(f"{letter}  {climate}, {len(series['rain'])} seasons", loc="left", fontsize=10)
        axes.set_xlabel("average rain of the season [mm d⁻¹]")
    panels[0].set_ylabel("nitrogen [kg ha⁻¹]")
    legend(panels[0], "best")
    return finish(figure, result.title)


def figure5(result: Result) -> Any:
    """Return DQN against PPO, year by year, in both climates."""
    figure, panels = subplots(1, 3, (13, 4.75))
    for axes, quantity in zip(panels, (REWARD, NITROGEN, YIELD), strict=True):
        pairs = {
            climate: [each["agents"][agent][quantity] for agent in ("PPO", "DQN")]
            for climate, each in result.series.items()
        }
        _diagonal(axes, [values for pair in pairs.values() for values in pair])
        for (climate, (one, other)), colour in zip(pairs.items(), CLIMATES, strict=True):
            label = f"{climate}, {len(one)} seasons"
            axes.plot(one, other, "o", color=colour, markersize=5, alpha=0.7, label=label)
        axes.set(xlabel=f"{quantity}, PPO [{UNITS[quantity]}]", ylabel=f"{quantity}, DQN [{UNITS[quantity]}]")
    legend(panels[0])
    return finish(figure, result.title, panels)


def _diagonal(axes: Any, values: Sequence[Any]) -> None:
    """The line on which both are the same, on axes of the same length."""
    ends = _limits(values)
    axes.plot(ends, ends, "-", color=GREY, linewidth=0.8, zorder=0)
    axes.set(xlim=ends, ylim=ends, box_aspect=1)


def _limits(values: Sequence[Any]) -> tuple[float, float]:
    together = np.concatenate([np.asarray(each, float) for each in values])
    margin = 0.06 * max(float(np.ptp(together)), 1e-6)
    return float(together.min()) - margin, float(together.max()) + margin
