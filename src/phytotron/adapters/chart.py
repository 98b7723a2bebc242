"""A chart of some series as a picture, drawn in milliseconds: one figure that is used again for every picture.

All panels lie in one pair of axes without ticks; lines and texts are changed in place and drawn on a background that is
kept. With axes of its own for each panel a picture takes some tenths of a second.
"""

import importlib.util
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import RenderingError
from phytotron.core.units import typeset

WIDTH, HEIGHT, DPI = 960, 540, 100  # pixels
COLUMNS = 3
LONGEST = 29  # characters of a heading
GREEN, BLUE, GREY, DARK = "#009e73", "#0072b2", "#6f7b7c", "#222222"
NEGLIGIBLE = 1e-6  # of the largest value of a panel, or of 1: shown as 0


class Panel(NamedTuple):
    """The content of a panel: a title, a short name where the title is too long, the unit, and the bounds of the
    quantity.
    """

    words: str
    name: str
    unit: str
    bounds: tuple[Any, Any] | None = None


def drawing_is_possible() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


class Chart:
    """Panels in three columns, each with a heading, the last value, the lowest and the highest one, and a line."""

    def __init__(self, panels: Sequence[Panel]) -> None:
        if not drawing_is_possible():
            raise RenderingError("pictures need matplotlib; install it with: pip install 'phytotron[report]'")
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
        self._canvas: Any = FigureCanvasAgg(figure)
        self._axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self._axes.set_axis_off()
        self._axes.set_xlim(0.0, 1.0)
        self._axes.set_ylim(0.0, 1.0)
        self._title = self._axes.text(0.02, 0.955, "", fontsize=12, weight="bold", color=DARK)
        self._step = self._axes.text(0.98, 0.955, "", fontsize=10, color=GREY, ha="right")
        rows = -(-len(panels) // COLUMNS)
        self._panels = [self._panel(each, number, rows) for number, each in enumerate(panels)]
        parts = (part for panel in self._panels for part in (*panel["texts"].values(), panel["line"]))
        limits = (line for panel in self._panels for _, line in panel["bounds"])
        self._moving = [self._title, self._step, *parts, *limits]
        for artist in self._moving:
            artist.set_animated(True)  # not drawn with what stays the same, but on top of it
        self._background: Any = None

    def _panel(self, panel: Panel, number: int, rows: int) -> dict[str, Any]:
        """The parts of a panel, and its place."""
        width, height = 1.0 / COLUMNS, 0.92 / rows
        left, top = (number % COLUMNS) * width + 0.075, 0.92 - (number // COLUMNS) * height
        right, low, high = left + width - 0.095, top - height + 0.03, top - 0.045
        axes = self._axes
        axes.plot([left, left, right], [high, low, low], color=GREY, lw=0.8)
        unit = f" [{typeset(panel.unit)}]" if typeset(panel.unit) else ""
        words = panel.words if len(panel.words + unit) <= LONGEST else panel.name.replace("_", " ")
        words = words if len(words + unit) <= LONGEST else words[: LONGEST - len(unit) - 1] + "…"
        axes.text(left, high + 0.012, words + unit, fontsize=8, color=DARK)
        bounds = [] if panel.bounds is None else [float(each) for each in panel.bounds]
        return {
            "place": (left, right, low, high),
            "line": axes.plot([], [], color=BLUE, lw=1.3)[0],
            "texts": {
                "highest": axes.text(left - 0.006, high, "", fontsize=7, color=GREY, ha="right", va="top"),
                "lowest": axes.text(left - 0.006, low, "", fontsize=7, color=GREY, ha="right", va="bottom"),
                "last": axes.text(right, high + 0.012, "", fontsize=8, weight="bold", color=BLUE, ha="right"),
            },
            "bounds": [(value, axes.plot([], [], color=GREEN, lw=0.8, ls=":")[0]) for value in bounds],
        }

    def draw(self, title: str, step: str, series: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return a picture (height, width, 3) of series (steps, panels)."""
        self._title.set_text(title)
        self._step.set_text(step)
        for panel, values in zip(self._panels, series.T, strict=True):
            _fill(panel, values)
        if self._background is None:
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self._axes.figure.bbox)
        self._canvas.restore_region(self._background)
        for artist in self._moving:
            self._axes.draw_artist(artist)
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()


def _fill(panel: dict[str, Any], values: NDArray[np.float64]) -> None:
    """Draw the values of a panel."""
    left, right, bottom, top = panel["place"]
    finite = values[np.isfinite(values)]
    lowest, highest = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    margin = 0.05 * (highest - lowest) or 0.5 * abs(highest) or 1.0

    def height(each: Any) -> Any:
        return bottom + (each - lowest + margin) / (highest - lowest + 2.0 * margin) * (top - bottom)

    panel["line"].set_data(np.linspace(left, right, max(values.size, 2))[: values.size], height(values))
    panel["line"].set_marker("." if values.size == 1 else "")
    for name, value in (("lowest", lowest), ("highest", highest)):
        panel["texts"][name].set_text(_text(value, finite) if finite.size and lowest < highest else "")
    panel["texts"]["last"].set_text(_text(values[-1], finite) if values.size else "")
    for value, line in panel["bounds"]:
        inside = finite.size > 0 and lowest - margin <= value <= highest + margin
        line.set_data([left, right], [height(value)] * 2) if inside else line.set_data([], [])


def _text(value: float, shown: NDArray[np.float64]) -> str:
    """A number with four digits; 0 where it is negligible beside the largest value that is shown."""
    largest = float(np.abs(shown).max(initial=0.0))
    if abs(value) <= NEGLIGIBLE * min(largest, 1.0):
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"
