"""A picture of the greenhouse: its present state, and its last day.

One figure is reused for every picture, and everything lies in one pair of axes, in pixels: constant parts are drawn
once, changing parts are drawn on top of them. With new axes for every picture it would take ten times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_HOUR
from phytotron.core.errors import RenderingError
from phytotron.environments.greenhouse.house_picture import HousePicture
from phytotron.models.greenlight import Control, State, indoor_climate

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse, GreenhouseParams, GreenhouseState

WIDTH, HEIGHT, DPI = 960, 540, 100  # pixels
LAST_DAY = ("temperature", "humidity", "co2", "boiler", "roof_vent", "thermal_screen", "co2_injection", "lamp")
ACTUATORS = ("boiler", "roof_vent", "thermal_screen", "co2_injection", "lamp")
GREEN, RED, BLUE, AMBER, GREY = "#009e73", "#d55e00", "#0072b2", "#e69f00", "#6f7b7c"
COLOURS = dict(zip(ACTUATORS, (RED, BLUE, GREY, GREEN, AMBER), strict=True))
CLIMATE = {"temperature": ("air [°C]", RED), "humidity": ("humidity [%]", BLUE), "co2": ("CO₂ [ppm]", GREY)}
LEFT, RIGHT, BOTTOM, PANEL, STRIDE = 625.0, 945.0, 45.0, 95.0, 122.0  # pixels: the panels of the last day
HOURS = 24.0


def last_day_values(model: State, control: Control) -> dict[str, Any]:
    """Return recorded values of an interval: air temperature [°C], relative humidity [%], CO2 [ppm], positions."""
    air = indoor_climate(model)
    climate = {"temperature": air.temperature, "humidity": air.relative_humidity, "co2": air.co2}
    return climate | {name: getattr(control, name) for name in ACTUATORS}


def draw(env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> NDArray[np.uint8]:
    """Return a picture with the house on the left and, if the environment records them, the last 24 hours on
    the right.
    """
    picture: Picture = env.kept("picture", lambda: Picture(recorded=env.record_last_day))
    return picture.draw(env, state, params)


class Picture:
    """A figure whose parts are changed in place."""

    def __init__(self, recorded: bool) -> None:
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as error:
            raise RenderingError(
                "pictures need matplotlib; install it with: pip install 'phytotron[report]'"
            ) from error
        figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
        self._canvas: Any = FigureCanvasAgg(figure)
        axes = self._axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        axes.set_xlim(0, WIDTH)
        axes.set_ylim(0, HEIGHT)
        self._date = axes.text(19, 513, "", fontsize=13, weight="bold")
        self._house = HousePicture(axes, 19.0, 16.0, 499.0 if recorded else 922.0, 475.0, ACTUATORS)
        self._day = LastDay(axes) if recorded else None
        moving = [self._date, *self._house.parts, *([] if self._day is None else self._day.parts)]
        for part in moving:
            part.set_animated(True)
        self._moving = moving
        self._background: Any = None

    def draw(self, env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> NDArray[np.uint8]:
        """Return the picture of a state, (height, width, 3) bytes."""
        weather = env.weather_at(state, params)
        now = {name: float(value) for name, value in last_day_values(state.model, state.control).items()}
        self._house.show(state.model, weather, now)
        if self._day is not None:
            self._day.show(env, state, params)
        self._date.set_text(f"{str(env.date(state)).replace('T', '  ')} UTC")
        if self._background is None:
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self._axes.figure.bbox)
        self._canvas.restore_region(self._background)
        for part in self._moving:
            self._axes.draw_artist(part)
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()


class LastDay:
    """Panels of the climate with its bounds, and of the actuators, over the last 24 hours."""

    def __init__(self, axes: Any) -> None:
        from matplotlib.collections import PolyCollection

        self._panels: dict[str, tuple[float, Any, list[Any], list[Any]]] = {}
        for row, (name, (words, colour)) in enumerate(CLIMATE.items()):
            low = BOTTOM + (3 - row) * STRIDE
            _frame(axes, low)
            axes.text(572, low + 0.5 * PANEL, words, fontsize=8, rotation=90, va="center", ha="center")
            line = axes.plot([], [], color=colour, lw=1.2)[0]
            bounds = [axes.plot([], [], color=GREEN, lw=0.8, ls=":")[0] for _ in range(2)]
            places = ((low, "bottom"), (low + PANEL, "top"))
            texts = [axes.text(LEFT - 5, place, "", fontsize=7, ha="right", va=at) for place, at in places]
            self._panels[name] = (low, line, bounds, texts)
        _frame(axes, BOTTOM)
        for hours in range(-24, 1, 6):
            axes.text(_across(hours), BOTTOM - 5, f"{hours}", fontsize=7, ha="center", va="top")
        axes.text(0.5 * (LEFT + RIGHT), 9, "hours before now", fontsize=8, ha="center")
        self._fills = {}
        for name, low in _levels():
            axes.text(LEFT - 5, low + 8, words_of(name), fontsize=7, ha="right", va="center")
            self._fills[name] = axes.add_collection(PolyCollection([], facecolor=COLOURS[name], lw=0))
        lines = [each for _, line, bounds, texts in self._panels.values() for each in (line, *bounds, *texts)]
        self.parts = [*lines, *self._fills.values()]

    def show(self, env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> None:
        """Draw the last day of a state."""
        per_day, step = env.clock.steps_per_day, int(state.step)
        count = min(step, per_day)
        order = np.arange(step - count, step) % per_day
        across = _across((np.arange(-count, 0) + 1) * env.control_interval / SECONDS_PER_HOUR)
        for name, panel in self._panels.items():
            limits = (getattr(params.reward, f"{name}_{end}") for end in ("minimum", "maximum"))
            _show(panel, across, np.asarray(state.last_day[name])[order], [float(each) for each in limits])
        for name, low in _levels():
            height = low + 16.0 * np.asarray(state.last_day[name])[order]
            top = (
                np.stack([np.repeat(across, 2)[1:], np.repeat(height, 2)[:-1]], axis=-1) if count else np.empty((0, 2))
            )
            ends = [(across[-1], low), (across[0], low)] if count else []
            self._fills[name].set_verts([np.concatenate([top, np.array(ends)])] if count > 1 else [])


def words_of(name: str) -> str:
    """Return the displayed name of an actuator."""
    return name.replace("_", " ").replace("co2", "CO₂")


def _show(panel: tuple[float, Any, list[Any], list[Any]], across: Any, values: Any, limits: list[float]) -> None:
    """Draw the course of a quantity, and those of its bounds that lie within what is shown."""
    low, line, bounds, texts = panel
    lowest, highest = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    margin = 0.15 * (highest - lowest) + 1.0
    begin, span = lowest - margin, highest - lowest + 2.0 * margin

    def height(value: Any) -> Any:
        return low + (value - begin) / span * PANEL

    line.set_data(across, height(values))
    for bound, value in zip(bounds, limits, strict=True):
        shown = begin <= value <= begin + span
        bound.set_data([LEFT, RIGHT] if shown else [], [height(value)] * 2 if shown else [])
    for text, value in zip(texts, (begin, begin + span), strict=True):
        text.set_text(f"{value:.4g}" if values.size else "")


def _across(hours: Any) -> Any:
    """Return the horizontal position of a time, given in hours from now."""
    return RIGHT + (RIGHT - LEFT) * hours / HOURS


def _levels() -> list[tuple[str, float]]:
    """Return the actuators with the vertical position of each."""
    return [(name, BOTTOM + 19.0 * level) for level, name in enumerate(reversed(ACTUATORS))]


def _frame(axes: Any, low: float) -> None:
    axes.plot([LEFT, LEFT, RIGHT], [low + PANEL, low, low], color="#222222", lw=0.8)
