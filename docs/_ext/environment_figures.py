"""A figure of one episode for the page of every environment."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot

import phytotron
from drawing import BLUE, STYLE, outdated
from environment_pages import page_name
from phytotron.core.registry import make, registered
from phytotron.core.units import typeset
from phytotron.report.words import name as in_words

PANELS = 6
POINTS = 1000  # of a line
SHORTER = {
    "phytotron/Greenhouse-v0": {"episode_days": 3},
    "phytotron/GreenLightGym-v0": {"episode_days": 3},
    "phytotron/GreenhouseSetpoint-v0": {"episode_days": 5},
}


def draw_environments(folder: Path) -> None:
    """Draw the figures of all registered environments that the folder does not hold yet, or holds of older code."""
    folder.mkdir(parents=True, exist_ok=True)
    for id in registered():
        path = folder / f"{page_name(id)}.svg"
        if outdated(path):
            draw_environment(id, path)


def draw_environment(id: str, path: Path) -> None:
    """Draw the channels that the environment shows first, over one episode under its first baseline."""
    env = make(id, **SHORTER.get(id, {}))
    found = phytotron.run(env)
    every = max(1, int(found.active.sum()) // POINTS)
    wanted = [name for name in env.presentation.zoomed if name in found.units][:PANELS]
    meanings = {each.name: each.quantity.description for each in found.columns}
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": id}):
        figure, axes = pyplot.subplots(len(wanted), 1, figsize=(6.0, 1.5 * len(wanted)), sharex=True)
        for axis, name in zip(np.atleast_1d(axes), wanted, strict=True):
            axis.plot(found.times[found.active][::every], found.rows(name)[::every], color=BLUE, linewidth=1.2)
            axis.set_title(_title(meanings[name], found.units[name]), loc="left", fontsize=11)
        figure.autofmt_xdate()
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _title(description: str, text: str) -> str:
    return in_words(description) + (f" [{typeset(text)}]" if typeset(text) else "")
