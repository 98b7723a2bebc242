"""The picture of the landing page: two tasks, what controllers decide in them, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import pyplot
from matplotlib.dates import DateFormatter

import phytotron
from drawing import BLUE, GREY, ORANGE, STYLE
from phytotron.core.units import typeset


def draw_landing_picture(path: Path) -> None:
    """Draw ten days in a lettuce greenhouse and a season of winter wheat, each under two controllers."""
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": "landing"}):
        figure, axes = pyplot.subplots(4, 1, figsize=(5.2, 8.0), gridspec_kw={"height_ratios": (1.0, 1.3, 1.0, 1.3)})
        _lettuce(axes[0], axes[1])
        _wheat(axes[2], axes[3])
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _lettuce(above: Any, below: Any) -> None:
    days = 10
    for name, colour, label in (("rule-based", BLUE, "rule-based control"), ("off", ORANGE, "nothing is done")):
        found = phytotron.run("phytotron/Lettuce-v0", name, episode_days=days)
        time = np.linspace(0.0, days, found.active.size, endpoint=False)
        if name == "rule-based":
            above.fill_between(time, found.rows("heating"), color=colour, linewidth=0, step="post")
            above.set_title(f"Lettuce greenhouse: heating [{typeset(found.units['heating'])}]", loc="left", fontsize=12)
            below.plot(time, found.rows("outdoor_temperature"), color=GREY, linewidth=1, label="outdoors")
        below.plot(time, found.rows("temperature"), color=colour, label=label)
    _finish(above, below, "... and air temperature [°C]", legend_columns=3)
    below.set_ylim(top=1.3 * below.get_ylim()[1])  # room for the legend
    below.set_xlabel("days")


def _wheat(above: Any, below: Any) -> None:
    for name, colour, label in (("three-dates", BLUE, "doses on three dates"), ("none", ORANGE, "no nitrogen")):
        found = phytotron.run("phytotron/WheatNitrogen-v0", name, start="1985")
        time = found.times[found.active]
        above.step(time, np.cumsum(found.rows("measure_nitrogen")), where="post", color=colour)
        below.plot(time, found.rows("grain"), color=colour, label=label)
    unit = typeset(found.units["measure_nitrogen"])
    above.set_title(f"Wheat field: nitrogen given so far [{unit}]", loc="left", fontsize=12)
    _finish(above, below, f"... and grain [{typeset(found.units['grain'])}]", legend_columns=1)
    below.xaxis.set_major_formatter(DateFormatter("%b"))
    below.set_xlabel("1985")


def _finish(above: Any, below: Any, title: str, legend_columns: int) -> None:
    below.set_title(title, loc="left", fontsize=12)
    below.legend(frameon=False, fontsize=10, ncols=legend_columns, loc="upper left", borderaxespad=0.0)
    above.sharex(below)
    above.tick_params(axis="x", labelbottom=False)
