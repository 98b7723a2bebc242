"""Small line charts as SVG text, drawn for the width of a phone; on a wider screen they stand side by side."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 380, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 30, 40
INK, FAINT = "#444", "#e3e3e3"
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 3"}
CHARACTER = 6.6  # mean width of one, of 12 pixels

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """Values over x, optionally with the lower and upper ends of a band; drawn as dots with `marks`."""

    x: Any
    y: Any
    colour: str
    dash: str = "solid"
    low: Any = None
    high: Any = None
    marks: bool = False


def chart(
    title: str,
    lines: Sequence[Line],
    x_label: str,
    unit: str = "",
    x_ticks: Sequence[tuple[float, str]] | None = None,
    guides: Sequence[float] = (),
    y_range: tuple[float, float] | None = None,
) -> str:
    """Return the SVG of one panel; values that are not finite are left out. `guides`: values at which horizontal lines,
    such as bounds, are drawn.
    """
    frame = _Frame.around(lines, y_range)
    in_brackets = f' <tspan fill="#666">[{html.escape(unit)}]</tspan>' if unit else ""
    parts = [f'<text x="{LEFT - 44}" y="16" class="t">{html.escape(title)}{in_brackets}</text>']
    for value, text in _ticks(*frame.y):
        y = frame.down(value)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    shown = [tick for tick in (x_ticks or _ticks(*frame.x, 5)) if frame.x[0] <= tick[0] <= frame.x[1]]
    for value, text in _thinned(shown):
        x = frame.right(value)
        half = 0.5 * CHARACTER * len(text)
        x_text = min(max(x, half), WIDTH - half)
        parts.append(f'<path d="M{x:.1f} {HEIGHT - BOTTOM}v4" stroke="{INK}"/>')
        place = f'x="{x_text:.1f}" y="{HEIGHT - BOTTOM + 17}"'
        parts.append(f'<text {place} text-anchor="middle">{html.escape(text)}</text>')
    parts.append(f'<path d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}" stroke="{INK}"/>')
    middle = 0.5 * (LEFT + WIDTH - RIGHT)
    parts.append(f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle" fill="#666">{html.escape(x_label)}</text>')
    for guide in guides:
        if frame.y[0] <= guide <= frame.y[1]:
            y = frame.down(guide)
            parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#999" stroke-dasharray="3 3"/>')
    parts += [_band(line, frame) for line in lines if line.low is not None]
    parts += [_curve(line, frame) for line in lines]
    label = html.escape(title, quote=True)
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}" fill="none">'
    return f"{head}{''.join(parts)}</svg>"


def legend(entries: Sequence[tuple[str, str, str]]) -> str:
    """Return the HTML of a legend from the label, colour and dash of each entry."""
    keys = []
    for label, colour, dash in entries:
        line = f'<path d="M1 7h26" stroke="{colour}" stroke-width="3" stroke-dasharray="{DASHES[dash]}"/>'
        keys.append(f'<span><svg width="28" height="14" aria-hidden="true">{line}</svg> {html.escape(label)}</span>')
    return f'<p class="legend">{"".join(keys)}</p>'


def panels(charts: Sequence[str]) -> str:
    """Return charts side by side where there is room, otherwise one below the other; empty where there are none."""
    figures = "".join(f"<figure>{each}</figure>" for each in charts)
    return f'<div class="panels">{figures}</div>' if charts else ""


@dataclass(frozen=True)
class _Frame:
    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def around(cls, lines: Sequence[Line], y_range: tuple[float, float] | None) -> _Frame:
        xs = [_finite(line.x) for line in lines]
        ys = [_finite(each) for line in lines for each in (line.y, line.low, line.high) if each is not None]
        x = _extent(xs, 0.05 if all(line.marks for line in lines) else 0.0, whole=False)
        return cls(x, y_range or _extent(ys, 0.06))

    def right(self, value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - self.x[0]) / (self.x[1] - self.x[0])

    def down(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - self.y[0]) / (self.y[1] - self.y[0])

    def point(self, x: float, y: float) -> str:
        return f"{self.right(x):.1f} {self.down(y):.1f}"


def _extent(parts: Sequence[Numbers], margin: float, whole: bool = True) -> tuple[float, float]:
    """Return the lowest and the highest value with a margin; `whole`: without one below a lowest value of 0."""
    values = np.concatenate([*parts, np.zeros(0)])
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if high - low < 1e-9 * max(abs(low), abs(high), 1e-9):
        half = 0.5 * max(abs(low), 1.0)
        return low - half, high + half
    room = margin * (high - low)
    return (0.0 if whole and low == 0.0 else low - room), high + room


def _finite(values: Any) -> Numbers:
    array = np.ravel(np.asarray(values, np.float64))
    return array[np.isfinite(array)]


def _ticks(low: float, high: float, count: int = 5) -> list[tuple[float, str]]:
    """Return round numbers between two bounds, with their text."""
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * min((m for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * power >= 0.999 * raw), default=10.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9) + (abs(step / power - 2.5) < 0.01))
    first = math.ceil(low / step - 1e-9)
    values = [step * n if n else 0.0 for n in range(first, math.floor(high / step + 1e-9) + 1)]
    return [(value, f"{value:,.{digits}f}") for value in values]


def _thinned(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return every n-th tick, as many as fit without overlap of their texts."""
    widest = max((len(text) for _, text in ticks), default=1)
    room = max(2, int((WIDTH - LEFT - RIGHT) / (CHARACTER * (widest + 1.5))))
    return list(ticks[:: -(-len(ticks) // room)]) if ticks else []


def _band(line: Line, frame: _Frame) -> str:
    x, low, high = (np.asarray(each, np.float64) for each in (line.x, line.low, line.high))
    kept = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
    forth = [frame.point(*pair) for pair in zip(x[kept], high[kept], strict=True)]
    back = [frame.point(*pair) for pair in zip(x[kept][::-1], low[kept][::-1], strict=True)]
    if len(forth) < 2:
        return ""
    return f'<path d="M{"L".join(forth + back)}Z" fill="{line.colour}" fill-opacity=".16"/>'


def _curve(line: Line, frame: _Frame) -> str:
    x, y = (np.asarray(each, np.float64) for each in (line.x, line.y))
    kept = np.isfinite(x) & np.isfinite(y)
    points = [(float(a), float(b)) for a, b in zip(x[kept], y[kept], strict=True)]
    if line.marks or len(points) == 1:
        style = f'fill="#fff" fill-opacity=".7" stroke="{line.colour}" stroke-width="1.8"'
        places = (f'cx="{frame.right(a):.1f}" cy="{frame.down(b):.1f}"' for a, b in points)
        return "".join(f'<circle {place} r="3.6" {style}/>' for place in places)
    if not points:
        return ""
    path = "L".join(frame.point(a, b) for a, b in points)
    dash = f' stroke-dasharray="{DASHES[line.dash]}"' if DASHES[line.dash] else ""
    return f'<path d="M{path}" stroke="{line.colour}" stroke-width="2"{dash}/>'
