"""Figures of GreenLight-Gym's agents, drawn from reproduced results."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, pyplot

COLOURS = {"additive": BLUE, "multiplicative": RED, "rule-based": GREY}
OTHERS = (GREEN, AMBER)
WITHIN = {"co2": "CO₂", "temperature": "temperature", "humidity": "humidity"}
COEFFICIENTS = {
    "co2": "b CO₂ [ppm⁻¹]",
    "temperature": "b temperature [°C⁻¹]",
    "humidity": "b relative humidity [%⁻¹]",
}
PROFIT, TIME = "profit [€ m⁻²]", "time within bounds [%]"
SHOWN_UNITS = {"kg m-2": "kg m⁻²"}
STEPS_SHOWN = tuple(mark * 10.0**power for power in range(8) for mark in (1, 2, 5))
HUMID = 90.0  # %, the upper bound of relative humidity


def training_figure(result: Result) -> Any:
    """Figure 3: learning curve, convergence rate and coefficient of variation; return, profit and time by seed."""
    figure, panels = pyplot().subplots(3, 2, figsize=(12, 10), constrained_layout=True)
    colours = colours_of(result.series["training"])
    _training(panels[:, 0], result.series["training"], colours)
    _seeds(panels[:, 1], result.series["seeds"], colours)
    for letter, axes in zip("abcdef", [*panels[:, 0], *panels[:, 1]], strict=True):
        _finish(axes, letter)
    figure.suptitle(result.title, fontsize=11)
    return figure


def _training(panels: Any, training: dict[str, Any], colours: dict[str, str]) -> None:
    for name, curve in training.items():
        steps, mean, spread = (np.asarray(curve[each]) for each in ("steps", "mean", "deviation"))
        panels[0].fill_between(steps, mean - spread, mean + spread, color=colours[name], alpha=0.2, linewidth=0)
        panels[0].plot(steps, mean, color=colours[name], label=name)
        for axes, quantity in ((panels[1], "rate"), (panels[2], "variation")):
            if quantity in curve:
                axes.plot(steps, curve[quantity], color=colours[name], label=name)
    labels = ("return of an episode", "convergence rate [per million steps]", "coefficient of variation")
    trained = any(curve["steps"] for curve in training.values())
    for axes, label in zip(panels, labels, strict=True):
        if trained:
            axes.set_xscale("log")
            low, high = axes.get_xlim()
            ticks = [tick for tick in STEPS_SHOWN if low <= tick <= high]
            axes.set_xticks(ticks, [f"{tick / 1e6:g}" for tick in ticks])
            axes.minorticks_off()
        else:
            axes.text(0.5, 0.5, "no whole episode yet", ha="center", color=GREY, transform=axes.transAxes)
        axes.set_xlabel("steps of training [million]")
        axes.set_ylabel(label)
    panels[0].legend(frameon=False, fontsize=9, loc="lower right")


def _seeds(panels: Any, seeds: dict[str, Any], colours: dict[str, str]) -> None:
    """Returns as boxes; means with 95 % intervals. The seeds of a reward stand side by side."""
    ticks: list[tuple[float, str]] = []
    first = 0.0
    for name, found in seeds.items():
        count = len(found["return"])
        at = first + np.arange(count)
        boxes = panels[0].boxplot(found["return"], positions=at, widths=0.6, patch_artist=True, manage_ticks=False)
        for box, middle in zip(boxes["boxes"], boxes["medians"], strict=True):
            box.set(facecolor=colours[name], alpha=0.35)
            middle.set(color=colours[name], linewidth=2)
        _points(panels[1], at, found["profit"], colours[name], "o", name)
        for offset, marker, (quantity, label) in zip((-0.2, 0.0, 0.2), "s^o", WITHIN.items(), strict=True):
            _points(panels[2], at + offset, found[quantity], colours[name], marker, label)
        ticks += [(float(each), f"{number}") for number, each in enumerate(at, 1)]
        first += count + 0.8
    for axes, label in zip(panels, ("return of an episode", PROFIT, TIME), strict=True):
        axes.set_xticks([each for each, _ in ticks], [label for _, label in ticks])
        axes.set_xlim(-0.6, ticks[-1][0] + 0.6)
        axes.set_xlabel("seed")
        axes.set_ylabel(label)
    panels[1].legend(frameon=False, fontsize=9, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 0.98))
    _bounded(panels[2])
    markers = [
        panels[2].plot([], [], marker, color=GREY, label=label)[0]
        for marker, label in zip("s^o", WITHIN.values(), strict=True)
    ]
    panels[2].legend(handles=markers, frameon=False, fontsize=9, ncols=3, loc="lower right", bbox_to_anchor=(1.0, 0.98))


def sensitivity_figure(result: Result) -> Any:
    """Figure 4: time within bounds of a quantity, and profit, against the coefficient of its penalty."""
    figure, panels = pyplot().subplots(2, 3, figsize=(12, 7), sharey="row", constrained_layout=True)
    colours = colours_of(result.series)
    for column, (name, label) in enumerate(COEFFICIENTS.items()):
        for reward, curves in result.series.items():
            curve = curves[name]
            for axes, quantity in zip(panels[:, column], ("within", "profit"), strict=True):
                axes.plot(
                    curve["coefficient"], curve[quantity], "o-", color=colours[reward], markersize=5, label=reward
                )
        panels[0, column].set_title(WITHIN[name], fontsize=10)
        panels[1, column].set_xlabel(label)
    panels[0, 0].set_ylabel(TIME)
    panels[1, 0].set_ylabel(PROFIT)
    panels[0, 0].legend(frameon=False, fontsize=9, loc="lower right")
    for letter, axes in zip("ab", panels[:, 0], strict=True):
        axes.set_title(letter, loc="left", fontweight="bold")
    for axes in panels.flat:
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(result.title, fontsize=11)
    return figure


def controllers_figure(result: Result) -> Any:
    """Figure 5: profit and time within bounds, with 99 % intervals."""
    controllers = result.series["controllers"]
    colours = colours_of(controllers)
    figure, (profit, within) = pyplot().subplots(
        1, 2, figsize=(11, 4.4), width_ratios=(1, 1.6), constrained_layout=True
    )
    for number, (name, found) in enumerate(controllers.items()):
        _points(
            profit, [number], {each: [found["profit"][each]] for each in ("mean", "interval")}, colours[name], "o", name
        )
    profit.set_xticks(range(len(controllers)), list(controllers))
    profit.set_xlim(-0.5, len(controllers) - 0.5)
    profit.set_ylabel(PROFIT)
    width = 0.8 / len(controllers)
    for number, (name, found) in enumerate(controllers.items()):
        for place, quantity in enumerate(WITHIN):
            at = place + (number - 0.5 * (len(controllers) - 1)) * width
            _bar(within, at, found[quantity], 0.9 * width, colours[name], name if place == 0 else None)
    within.set_xticks(range(len(WITHIN)), list(WITHIN.values()))
    within.set_ylabel(TIME)
    _bounded(within)
    within.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    _finish(profit, "a")
    _finish(within, "b")
    figure.suptitle(result.title, fontsize=11)
    return figure


def average_day_figure(result: Result) -> Any:
    """Figures 6 and 7: four quantities over the day, with 99 % intervals."""
    series = result.series
    hour, colours = np.asarray(series["hour"]), colours_of(series["controllers"])
    figure, panels = pyplot().subplots(2, 2, figsize=(11, 7), constrained_layout=True)
    for letter, axes, (name, about) in zip("abcd", panels.flat, series["quantities"].items(), strict=True):
        for controller, days in series["controllers"].items():
            mean, half = (np.asarray(days[name][each]) for each in ("mean", "interval"))
            axes.fill_between(hour, mean - half, mean + half, color=colours[controller], alpha=0.2, linewidth=0)
            axes.plot(hour, mean, color=colours[controller], label=controller)
        unit = SHOWN_UNITS.get(about["unit"], about["unit"])
        axes.set_ylabel(about["meaning"] if unit == "-" else f"{about['meaning']} [{unit}]")
        if unit == "-":
            axes.set_ylim(-0.02, 1.02)
        axes.set_xlim(0.0, 24.0)
        axes.set_xticks(range(0, 25, 4))
        axes.set_xlabel("hour of the day (UTC)")
        if name == "humidity":
            axes.axhline(HUMID, color=GREY, linestyle="--", linewidth=1)
        _finish(axes, letter)
    panels[0, 0].legend(frameon=False, fontsize=9)
    figure.suptitle(result.title, fontsize=11)
    return figure


def colours_of(names: Any) -> dict[str, str]:
    """A colour for every controller."""
    others = iter(OTHERS)
    return {name: COLOURS[name] if name in COLOURS else next(others, AMBER) for name in names}


def _points(axes: Any, at: Any, found: dict[str, Any], colour: str, marker: str, label: str) -> None:
    axes.errorbar(
        at, found["mean"], yerr=found["interval"], fmt=marker, color=colour, markersize=5, capsize=3, label=label
    )


def _bar(axes: Any, at: float, found: dict[str, Any], width: float, colour: str, label: str | None) -> None:
    axes.bar(at, found["mean"], width, color=colour, alpha=0.75, label=label)
    axes.errorbar(at, found["mean"], yerr=found["interval"], fmt="none", color="black", linewidth=1.2, capsize=4)


def _bounded(axes: Any) -> None:
    """Shares of the time: intervals of a mean may leave 0 to 100 %, the axis does not."""
    low, _ = axes.get_ylim()
    axes.set_ylim(max(low, 0.0), 101.5)


def _finish(axes: Any, letter: str) -> None:
    axes.set_title(letter, loc="left", fontweight="bold")
    axes.spines[["top", "right"]].set_visible(False)


GREENLIGHT_GYM_DRAWN: MappingProxyType[str, Callable[[Result], Any]] = MappingProxyType(
    {
        "greenlight-gym/figure3": training_figure,
        "greenlight-gym/figure4": sensitivity_figure,
        "greenlight-gym/figure5": controllers_figure,
        "greenlight-gym/figure6": average_day_figure,
        "greenlight-gym/figure7": average_day_figure,
    }
)
