"""The picture of the landing page: two tasks, what controllers decide in them, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import pyplot

import phytotron
from drawing import BLUE, GREY, ORANGE, STYLE
from phytotron.report.words import unit


def draw_landing_picture(path: Path) -> None:
    """Draw ten days in a lettuce greenhouse and a season of winter wheat, each under two controllers."""
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": "landing"}):
        figure, axes = pyplot.subplots(4, 1, figsize=(6.0, 8.4), gridspec_kw={"height_ratios": (1.0, 1.3, 1.0, 1.3)})
        _lettuce(axes[0], axes[1])
        _wheat(axes[2], axes[3])
        figure.tight_layout()
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _lettuce(above: Any, below: Any) -> None:
    days = 10
    for name, colour, label in (("rule-based", BLUE, "grower's rules"), ("off", ORANGE, "nothing is done")):
        found = phytotron.run("phytotron/Lettuce-v0", name, episode_days=days)
        time = np.linspace(0.0, days, found.active.size, endpoint=False)
        if name == "rule-based":
            above.fill_between(time, found.rows("heating"), color=colour, linewidth=0, step="post")
            above.set_title(f"Lettuce greenhouse: heating [{unit(found.units['heating'])}]", loc="left", fontsize=12)
            below.plot(time, found.rows("outdoor_temperature"), color=GREY, linewidth=1, label="outdoors")
        below.plot(time, found.rows("temperature"), color=colour, label=f"indoors, {label}")
    below.set_title("... and air temperature [°C]", loc="left", fontsize=12)
    below.set_xlabel("days")
    below.legend(frameon=False, fontsize=10)


def _wheat(above: Any, below: Any) -> None:
    for name, colour, label in (("standard-practice", BLUE, "standard practice"), ("none", ORANGE, "no nitrogen")):
        found = phytotron.run("phytotron/WheatNitrogen-v0", name, start="1985")
        time = found.times[found.active]
        if name != "none":
            above.bar(time, found.rows("measure_nitrogen"), width=5, color=colour)
            said = unit(found.units["measure_nitrogen"])
            above.set_title(f"Wheat field: nitrogen given [{said}]", loc="left", fontsize=12)
        below.plot(time, found.rows("grain"), color=colour, label=label)
    below.set_title(f"... and grain [{unit(found.units['grain'])}]", loc="left", fontsize=12)
    below.sharex(above)
    below.tick_params(axis="x", labelrotation=30)
    below.legend(frameon=False, fontsize=10)
