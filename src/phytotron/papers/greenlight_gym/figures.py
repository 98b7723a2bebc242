"""Figures of GreenLight-Gym, drawn from reproduced results; each is called as the experiment that it draws."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, band, finish, legend, subplots

PAPER_INTERVAL = 300.0  # s
COLOURS = {"additive": BLUE, "multiplicative": RED, "rule-based": GREY}
OTHERS = (GREEN, AMBER)
WITHIN = {"co2": "CO₂", "temperature": "temperature", "humidity": "humidity"}
WITHIN_COLOURS = {"co2": BLUE, "humidity": GREEN, "temperature": RED}
COEFFICIENTS = {
    "co2": "b CO₂ [ppm⁻¹]",
    "temperature": "b temperature [°C⁻¹]",
    "humidity": "b relative humidity [%⁻¹]",
}
RETURN, PROFIT, TIME = "return of an episode", "profit [€ m⁻²]", "time within bounds [%]"
SHOWN_UNITS = {"kg m-2": "kg m⁻²"}
STEPS_SHOWN = tuple(mark * 10.0**power for power in range(8) for mark in (1, 2, 5))
HUMID = 90.0  # %, the upper bound of relative humidity
ABOVE_RIGHT = {"loc": "lower right", "bbox_to_anchor": (1.0, 0.98)}  # of a legend: over the corner of its panel


def figure2(result: Result) -> Any:
    """Draw execution time, profit and time within bounds against the control interval."""
    series = result.series
    interval = np.asarray(series["control_interval"], float)
    figure, panels = subplots(1, 3, (13, 4.2))
    speed, profit, within = panels
    for (label, seconds), colour in zip(series["seconds"].items(), (RED, BLUE, AMBER, GREEN), strict=False):
        speed.plot(interval, seconds, "o-", color=colour, markersize=4, label=label)
    band(profit, interval, **series["profit"], colour=GREEN, label="profit", style="o-")
    for name, colour in WITHIN_COLOURS.items():
        label = "relative humidity" if name == "humidity" else WITHIN[name]
        band(within, interval, **series["within"][name], colour=colour, label=label, style="o-")
    speed.set(yscale="log", ylabel="execution time of ten days [s]")
    profit.set(ylabel="relative change of profit [%]")
    within.set(ylabel="relative change of time within bounds [%]")
    for axes in panels:
        axes.set(xscale="log", xlabel="control interval [s]")
        axes.axvline(PAPER_INTERVAL, color=GREY, linestyle="--", linewidth=1)
        legend(axes, (0.68, 0.3) if axes is speed else "lower left")
    return finish(figure, result.title, panels)


def figure3(result: Result) -> Any:
    """Return the learning curve, convergence rate and coefficient of variation; return, profit and time by seed."""
    figure, panels = subplots(3, 2, (12, 10))
    colours = colours_of(result.series["training"])
    _training(panels[:, 0], result.series["training"], colours)
    _seeds(panels[:, 1], result.series["seeds"], colours)
    return finish(figure, result.title, [*panels[:, 0], *panels[:, 1]])


def _training(panels: Any, training: dict[str, Any], colours: dict[str, str]) -> None:
    for name, curve in training.items():
        band(panels[0], curve["steps"], curve["mean"], curve["deviation"], colours[name], name)
        for axes, quantity in ((panels[1], "rate"), (panels[2], "variation")):
            if quantity in curve:
                axes.plot(curve["steps"], curve[quantity], color=colours[name], label=name)
    labels = (RETURN, "convergence rate [per million steps]", "coefficient of variation")
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
        axes.set(xlabel="steps of training [million]", ylabel=label)
    legend(panels[0], "lower right")


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
    for axes, label in zip(panels, (RETURN, PROFIT, TIME), strict=True):
        axes.set_xticks([each for each, _ in ticks], [label for _, label in ticks])
        axes.set(xlim=(-0.6, ticks[-1][0] + 0.6), xlabel="seed", ylabel=label)
    legend(panels[1], ncols=2, **ABOVE_RIGHT)
    _bounded(panels[2])
    marks = zip("s^o", WITHIN.values(), strict=True)
    handles = [panels[2].plot([], [], marker, color=GREY, label=label)[0] for marker, label in marks]
    legend(panels[2], handles=handles, ncols=3, **ABOVE_RIGHT)


def figure4(result: Result) -> Any:
    """Return the time within bounds of a quantity, and profit, against the coefficient of its penalty."""
    figure, panels = subplots(2, 3, (12, 7), sharey="row")
    colours = colours_of(result.series)
    for column, (name, label) in enumerate(COEFFICIENTS.items()):
        for reward, curves in result.series.items():
            x, style = curves[name]["coefficient"], {"color": colours[reward], "markersize": 5, "label": reward}
            for axes, quantity in zip(panels[:, column], ("within", "profit"), strict=True):
                axes.plot(x, curves[name][quantity], "o-", **style)
        panels[0, column].set_title(WITHIN[name], fontsize=10)
        panels[1, column].set_xlabel(label)
    panels[0, 0].set_ylabel(TIME)
    panels[1, 0].set_ylabel(PROFIT)
    legend(panels[0, 0], "lower right")
    return finish(figure, result.title, panels[:, 0])


def figure5(result: Result) -> Any:
    """Return the profit and time within bounds, with 99 % intervals."""
    controllers = result.series["controllers"]
    colours, count = colours_of(controllers), len(controllers)
    figure, panels = subplots(1, 2, (11, 4.4), width_ratios=(1, 1.6))
    profit, within = panels
    width = 0.8 / count
    for number, (name, found) in enumerate(controllers.items()):
        _points(profit, number, found["profit"], colours[name], "o", name)
        for place, quantity in enumerate(WITHIN):
            at = place + (number - 0.5 * (count - 1)) * width
            _bar(within, at, found[quantity], 0.9 * width, colours[name], name if place == 0 else None)
    profit.set_xticks(range(count), list(controllers))
    profit.set(xlim=(-0.5, count - 0.5), ylabel=PROFIT)
    within.set_xticks(range(len(WITHIN)), list(WITHIN.values()))
    within.set_ylabel(TIME)
    _bounded(within)
    legend(within, bbox_to_anchor=(1.0, 1.0))
    return finish(figure, result.title, panels)


def figure6(result: Result) -> Any:
    """Return four quantities over the day, with 99 % intervals."""
    series = result.series
    colours = colours_of(series["controllers"])
    figure, panels = subplots(2, 2, (11, 7))
    for axes, (name, about) in zip(panels.flat, series["quantities"].items(), strict=True):
        for controller, days in series["controllers"].items():
            band(axes, series["hour"], **days[name], colour=colours[controller], label=controller)
        unit = SHOWN_UNITS.get(about["unit"], about["unit"])
        axes.set_ylabel(about["meaning"] if unit == "-" else f"{about['meaning']} [{unit}]")
        if unit == "-":
            axes.set_ylim(-0.02, 1.02)
        axes.set(xlim=(0.0, 24.0), xticks=range(0, 25, 4), xlabel="hour of the day (UTC)")
        if name == "humidity":
            axes.axhline(HUMID, color=GREY, linestyle="--", linewidth=1)
    legend(panels[0, 0], "best")
    return finish(figure, result.title, panels.flat)


figure7 = figure6  # of other quantities


def colours_of(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for every controller by name."""
    others = iter(OTHERS)
    return {name: COLOURS[name] if name in COLOURS else next(others, AMBER) for name in names}


def _points(axes: Any, at: Any, found: dict[str, Any], colour: str, marker: str, label: str) -> None:
    style = {"fmt": marker, "color": colour, "markersize": 5, "capsize": 3, "label": label}
    axes.errorbar(at, found["mean"], yerr=found["interval"], **style)


def _bar(axes: Any, at: float, found: dict[str, Any], width: float, colour: str, label: str | None) -> None:
    axes.bar(at, found["mean"], width, color=colour, alpha=0.75, label=label)
    axes.errorbar(at, found["mean"], yerr=found["interval"], fmt="none", color="black", linewidth=1.2, capsize=4)


def _bounded(axes: Any) -> None:
    """Shares of the time: intervals of a mean may leave 0 to 100 %, the axis does not."""
    low, _ = axes.get_ylim()
    axes.set_ylim(max(low, 0.0), 101.5)
