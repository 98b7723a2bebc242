"""A picture of the greenhouse: what it looks like now, and the course of its last day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import PhytotronError
from phytotron.models.greenlight import Control, State, indoor_climate

if TYPE_CHECKING:
    from phytotron.environments.greenhouse.environment import Greenhouse, GreenhouseParams, GreenhouseState

WIDTH, HEIGHT, DPI = 960, 540, 100  # pixels
LAST_DAY = ("temperature", "humidity", "co2", "boiler", "roof_vent", "thermal_screen", "co2_injection", "lamp")
ACTUATORS = ("boiler", "roof_vent", "thermal_screen", "co2_injection", "lamp")
GREEN, RED, BLUE, AMBER, GREY = "#2f7d4f", "#c0392b", "#2e6da4", "#d68910", "#7f8c8d"
COLOURS = dict(zip(ACTUATORS, (RED, BLUE, GREY, GREEN, AMBER), strict=True))


def last_day_values(model: State, control: Control) -> dict[str, Any]:
    """What is recorded of every interval."""
    air = indoor_climate(model)
    climate = {"temperature": air.temperature, "humidity": air.relative_humidity, "co2": air.co2}
    return climate | {name: getattr(control, name) for name in ACTUATORS}


def draw(env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> NDArray[np.uint8]:
    """The house on the left; on the right the last 24 hours, if the environment records them."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PhytotronError("pictures need matplotlib; install it with: pip install 'phytotron[report]'") from error

    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI)
    canvas: Any = FigureCanvasAgg(figure)
    recorded = bool(state.last_day) and int(state.step) > 0
    house = figure.add_axes((0.02, 0.03, 0.52 if recorded else 0.96, 0.88))
    _house(house, env, state, params)
    if recorded:
        _last_day(figure, env, state, params)
    day = env.windows[0].dates[int(state.start_day)] + int(state.step) // env.clock.steps_per_day
    minutes = int(state.step) % env.clock.steps_per_day * env.control_interval // 60
    figure.text(0.02, 0.95, f"{day}  {minutes // 60:02d}:{minutes % 60:02d} UTC", fontsize=13, weight="bold")
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _house(axes: Any, env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> None:
    from matplotlib.patches import Circle, Ellipse, Polygon, Rectangle

    weather, model, control = env.weather_at(state, params), state.model, state.control
    sun = min(float(weather.global_radiation) / 800.0, 1.0)
    night, noon = np.array([0.10, 0.13, 0.25]), np.array([0.62, 0.80, 0.95])
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 8.4)
    axes.set_axis_off()
    axes.add_patch(Rectangle((0, 0.8), 10, 7.6, color=night + sun * (noon - night)))
    axes.add_patch(Rectangle((0, 0), 10, 0.8, color="#6b4f34"))
    if sun > 0.01:
        axes.add_patch(Circle((8.9, 7.5), 0.45, color="#f7d358", alpha=0.3 + 0.7 * sun))

    lamp, blind = float(control.lamp), float(control.thermal_screen)
    inside = np.array([0.93, 0.97, 0.93]) * (0.45 + 0.55 * max(sun, lamp))
    axes.add_patch(Polygon([(1, 0.8), (1, 5), (5, 6.8), (9, 5), (9, 0.8)], facecolor=inside, edgecolor="#4d5a63", lw=2))
    tilt = float(control.roof_vent)
    axes.plot([5, 7.0], [6.8, 5.9 + 0.9 * tilt], color="#4d5a63", lw=5 if tilt > 0.02 else 2)
    if blind > 0.01:
        axes.add_patch(Rectangle((1, 4.85), 8 * blind, 0.12, color="#b9a56c"))
    for x in (2.5, 5.0, 7.5):
        axes.add_patch(Rectangle((x - 0.35, 4.35), 0.7, 0.16, color="#444444"))
        if lamp > 0.01:
            light = [(x - 0.35, 4.35), (x + 0.35, 4.35), (x + 1.2, 1.2), (x - 1.2, 1.2)]
            axes.add_patch(Polygon(light, color="#f6b6ff", alpha=0.35 * lamp))
    warmth = min(max((float(model.pipe_temperature) - 20.0) / 50.0, 0.0), 1.0)
    pipe = (0.45 + 0.5 * warmth, 0.45 - 0.25 * warmth, 0.45 - 0.3 * warmth)
    for x in (1.9, 3.7, 5.5, 7.3):
        axes.plot([x, x + 0.8], [0.98, 0.98], color=pipe, lw=6)
    height = 1.1 + 2.0 * min(float(model.leaf_carbohydrate) / 1.2e5, 1.2)
    fruits = int(min(max(float(model.fruit_carbohydrate) / 6e4, 0.0), 6.0))
    for x in (2.2, 3.9, 5.6, 7.3):
        axes.plot([x, x], [1.0, 1.0 + height], color="#3f7d3a", lw=3)
        for level in np.linspace(1.4, 0.9 + height, 6):
            for side in (-1, 1):
                axes.add_patch(Ellipse((x + 0.34 * side, level), 0.62, 0.24, angle=25 * side, color="#4d9a45"))
        for number in range(fruits):
            axes.add_patch(Circle((x + 0.16 * (-1) ** number, 1.45 + 0.33 * number), 0.13, color="#d33a2c"))
    now = {name: float(value) for name, value in last_day_values(model, control).items()}
    climate = f"{now['temperature']:.1f} °C   {now['humidity']:.0f} %   {now['co2']:.0f} ppm"
    axes.text(5, 5.35, climate, ha="center", fontsize=11, weight="bold", color="#222222")
    outdoors = f"outdoors {float(weather.outdoor_temperature):.1f} °C, sun {float(weather.global_radiation):.0f} W/m²"
    colour = "white" if sun < 0.6 else "#222222"
    axes.text(0.15, 8.0, f"{outdoors}, wind {float(weather.wind_speed):.0f} m/s", fontsize=9, color=colour)
    positions = "   ".join(f"{_words(name)} {100 * now[name]:.0f} %" for name in ACTUATORS)
    axes.text(5, 0.32, positions, ha="center", fontsize=8, color="white")


def _words(name: str) -> str:
    return name.replace("_", " ").replace("co2", "CO₂")


def _last_day(figure: Any, env: Greenhouse, state: GreenhouseState, params: GreenhouseParams) -> None:
    per_day, step = env.clock.steps_per_day, int(state.step)
    count = min(step, per_day)
    order = (np.arange(step - count, step)) % per_day
    hours = (np.arange(-count, 0) + 1) * env.control_interval / 3600.0
    series = {name: np.asarray(state.last_day[name])[order] for name in LAST_DAY}
    limits = params.reward
    panels: tuple[tuple[str, str, Any, Any, str], ...] = (
        ("temperature", "air [°C]", limits.temperature_minimum, limits.temperature_maximum, RED),
        ("humidity", "humidity [%]", limits.humidity_minimum, limits.humidity_maximum, BLUE),
        ("co2", "CO₂ [ppm]", limits.co2_minimum, limits.co2_maximum, GREY),
    )
    for row, (name, label, low, high, colour) in enumerate(panels):
        axes = figure.add_axes((0.63, 0.76 - 0.225 * row, 0.35, 0.175))
        axes.plot(hours, series[name], color=colour, lw=1.2)
        for bound in (float(low), float(high)):
            axes.axhline(bound, color=GREEN, lw=0.8, ls=":")
        centre = series[name]
        axes.set_ylim(centre.min() - 0.15 * np.ptp(centre) - 1, centre.max() + 0.15 * np.ptp(centre) + 1)
        axes.set_ylabel(label, fontsize=8)
        _tidy(axes)
        axes.set_xticklabels([])
    axes = figure.add_axes((0.63, 0.085, 0.35, 0.175))
    for level, name in enumerate(reversed(ACTUATORS)):
        axes.fill_between(hours, level, level + 0.85 * series[name], color=COLOURS[name], step="post", lw=0)
    axes.set_yticks([level + 0.4 for level in range(len(ACTUATORS))], [_words(name) for name in reversed(ACTUATORS)])
    axes.set_ylim(0, len(ACTUATORS))
    axes.set_xlabel("hours before now", fontsize=8)
    _tidy(axes)


def _tidy(axes: Any) -> None:
    axes.set_xlim(-24, 0)
    axes.set_xticks(range(-24, 1, 6))
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
