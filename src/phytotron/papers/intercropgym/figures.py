"""Figures of InterCropGym's agents, drawn from reproduced results; each is called as the experiment that it draws."""

from typing import Any

import numpy as np

from phytotron.papers.result import Result
from phytotron.report.plotting import AMBER, BLUE, GREEN, GREY, RED, finish, legend, subplots

COLOURS = {"DDQN": BLUE, "SAC": RED, "PPO": AMBER}
LOSSES = {"DDQN": "value_loss", "SAC": "critic_loss", "PPO": "value_loss"}


def results(result: Result) -> Any:
    """Draw figures 3 to 6: return of training episodes, and the loss of the values, by seed; a row for each task."""
    tasks = result.series["training"]
    figure, panels = subplots(len(tasks), 4, (14, 3.6 * len(tasks)), squeeze=False)
    for row, (task, agents) in zip(panels, tasks.items(), strict=True):
        for axes, (name, curve) in zip(row, agents.items(), strict=False):
            _returns(axes, name, curve)
            axes.set_title(f"{name}, {task}", fontsize=10)
            loss = np.mean(np.asarray(curve["losses"][LOSSES[name]], float), axis=1)
            row[3].plot(curve["steps"], np.maximum(loss, 1e-8), color=COLOURS[name], label=name)
        row[3].set_yscale("log")
        row[3].set_title("loss of the values, mean of the seeds", fontsize=10)
        legend(row[3], "best")
        row[0].set_ylabel("return of an episode [g m⁻²]")
        for axes in row:
            axes.set_xlabel("steps [thousand]")
            axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e3:g}")
    return finish(figure, result.title)


def _returns(axes: Any, name: str, curve: dict[str, Any]) -> None:
    """One line per seed, on a scale that shows both the first and the last episodes."""
    steps = np.asarray(curve["steps"], float)
    returns = np.asarray(curve["return"], float)  # None becomes NaN
    axes.axhline(0.0, color=GREY, linestyle="--", linewidth=1)
    axes.plot(steps, returns, color=COLOURS[name], linewidth=1, alpha=0.7)
    axes.set_yscale("symlog", linthresh=100.0)


def land_equivalent_ratio(result: Result) -> Any:
    """Return the land equivalent ratio by dose: every year, their mean, and what each crop contributes."""
    series = result.series
    doses, ratios = np.asarray(series["dose"]), np.asarray(series["ratio"])
    figure, axes = subplots(1, 1, (7.5, 4.8))
    axes.plot(doses, ratios, color=GREY, linewidth=0.8, alpha=0.5)
    axes.plot(doses, ratios.mean(axis=1), "o-", color=BLUE, linewidth=2, label="mean of the years")
    for (name, partial), colour in zip(series["partial"].items(), (AMBER, GREEN), strict=True):
        axes.plot(doses, partial, "o--", color=colour, markersize=4, label=f"part of the {name}")
    axes.axhline(1.0, color=GREY, linewidth=1)
    axes.axhline(series["literature"], color=RED, linestyle=":", label="mean of the literature")
    axes.set(xlabel="nitrogen [kg ha⁻¹]", ylabel="land equivalent ratio [-]")
    axes.set_ylim(bottom=0.0)
    legend(axes, "center right", bbox_to_anchor=(1.0, 0.42))
    return finish(figure, result.title)
