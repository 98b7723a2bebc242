"""Draw the picture of the README: two tasks under two controllers, and a calibrated greenhouse beside its log.

python docs/_ext/readme_picture.py   # writes docs/readme.png, which is kept in the repository
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import pyplot
from matplotlib.dates import DateFormatter

import phytotron
from drawing import BLUE, GREY, ORANGE, STYLE
from phytotron.calibration.judgement import replayed
from phytotron.calibration.twin_file import starting_twin
from phytotron.cli.log import read_logs
from phytotron.core.units import typeset

PICTURE = Path(__file__).resolve().parents[1] / "readme.png"
DAYS = 4  # of the lettuce greenhouse and of the log


def draw(path: Path) -> None:
    """Draw three panels side by side."""
    with matplotlib.rc_context(STYLE | {"font.size": 12}):
        figure, axes = pyplot.subplots(1, 3, figsize=(13.0, 3.6))
        _lettuce(axes[0])
        _wheat(axes[1])
        _log(axes[2])
        for axis in axes:
            axis.legend(frameon=False, fontsize=10, loc="upper left", borderaxespad=0.0)
            axis.set_ylim(top=axis.get_ylim()[0] + 1.3 * np.diff(axis.get_ylim())[0])  # room for the legend
        figure.tight_layout()
        figure.savefig(path, dpi=90)
        pyplot.close(figure)


def _lettuce(axis: Any) -> None:
    for name, colour, label in (("rule-based", BLUE, "rule-based control"), ("off", ORANGE, "no control")):
        found = phytotron.run("phytotron/Lettuce-v0", name, episode_days=DAYS)
        time = np.linspace(0.0, DAYS, found.active.size, endpoint=False)
        axis.plot(time, found.rows("temperature"), color=colour, label=label)
    axis.plot(time, found.rows("outdoor_temperature"), color=GREY, linewidth=1, label="outdoors")
    axis.set_title("Control a greenhouse:\nair temperature [°C]", loc="left", fontsize=13)
    axis.set_xlabel("days")


def _wheat(axis: Any) -> None:
    for name, colour, label in (("three-dates", BLUE, "nitrogen on three dates"), ("none", ORANGE, "no nitrogen")):
        found = phytotron.run("phytotron/WheatNitrogen-v0", name, start="1985")
        axis.plot(found.times[found.active], found.rows("grain"), color=colour, label=label)
    axis.xaxis.set_major_formatter(DateFormatter("%b"))
    title = f"Manage a field:\ngrain of winter wheat [{typeset(found.units['grain'])}]"
    axis.set_title(title, loc="left", fontsize=13)
    axis.set_xlabel("1985")


def _log(axis: Any) -> None:
    (log,) = read_logs(Path("embedded"), None, None)
    twin, base = starting_twin("agc2022", log)
    made = replayed(log, twin, base, (log.times[0], log.times[-1]), 24.0)
    measured, simulated = (np.moveaxis(each, 1, 0)[..., 0] for each in (made.given.measured, made.simulated))
    steps = measured.shape[1]
    time = np.arange(DAYS * steps) / steps
    axis.plot(time, measured[-DAYS:].ravel(), color=GREY, linewidth=2.5, label="measured")
    axis.plot(time, simulated[-DAYS:].ravel(), color=BLUE, label="simulated, 24 h ahead")
    axis.set_title("Calibrate to a real greenhouse:\nair temperature [°C]", loc="left", fontsize=13)
    axis.set_xlabel("days")


if __name__ == "__main__":
    draw(PICTURE)
