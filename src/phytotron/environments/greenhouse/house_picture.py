"""The drawing of the house in the picture of a greenhouse: sky, roof, vent, screen, lamps, pipes and plants."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.models.greenlight import State, Weather

NIGHT, NOON, INSIDE = np.array([0.10, 0.13, 0.25]), np.array([0.62, 0.80, 0.95]), np.array([0.93, 0.97, 0.93])
WALLS = ((1.0, 0.8), (1.0, 5.0), (5.0, 6.8), (9.0, 5.0), (9.0, 0.8))
FRAME, SOIL, DARK = "#4d5a63", "#6b4f34", "#222222"
LAMPS, PIPES, PLANTS = (2.5, 5.0, 7.5), (1.9, 3.7, 5.5, 7.3), (2.2, 3.9, 5.6, 7.3)
WIDE, HIGH = 10.0, 8.4  # of the house's own coordinates, in about metres
CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 17)), np.sin(np.linspace(0, 2 * np.pi, 17))], axis=-1)


class HousePicture:
    """The parts of the drawing, in one pair of axes, which are changed in place; the house lies in a rectangle given in
    pixels.
    """

    def __init__(
        self, axes: Any, left: float, bottom: float, width: float, height: float, actuators: Sequence[str]
    ) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        self._origin, self._scale = np.array([left, bottom]), np.array([width / WIDE, height / HIGH])
        self._actuators = actuators

        def polygons(**look: Any) -> Any:
            return axes.add_collection(PolyCollection([], lw=0, **look))

        def lines(width: float, **look: Any) -> Any:
            return axes.add_collection(LineCollection([], linewidths=width, **look))

        def text(x: float, y: float, size: int, **look: Any) -> Any:
            return axes.text(*self._at([(x, y)])[0], "", fontsize=size, **look)

        self._sky, self._sun = polygons(), polygons(facecolor="#f7d358")
        self._soil = polygons(facecolor=SOIL)
        self._walls = axes.add_collection(PolyCollection([], edgecolor=FRAME, lw=2))
        self._vent, self._screen = lines(2.0, colors=FRAME), polygons(facecolor="#b9a56c")
        self._lamps, self._light = polygons(facecolor="#444444"), polygons(facecolor="#f6b6ff")
        self._pipes, self._stems = lines(6.0), lines(3.0, colors="#3f7d3a")
        self._leaves, self._fruits = polygons(facecolor="#4d9a45"), polygons(facecolor="#d33a2c")
        self._climate = text(5.0, 5.35, 11, ha="center", weight="bold", color=DARK)
        self._outdoors = text(0.15, 8.0, 9)
        self._positions = text(5.0, 0.32, 8, ha="center", color="white")
        self._sky.set_verts([self._box(0.0, 0.8, 10.0, 7.6)])
        self._soil.set_verts([self._box(0.0, 0.0, 10.0, 0.8)])
        self._sun.set_verts([self._at(np.array([8.9, 7.5]) + 0.45 * CIRCLE)])
        self._walls.set_verts([self._at(WALLS)])
        self._lamps.set_verts([self._box(x - 0.35, 4.35, 0.7, 0.16) for x in LAMPS])
        beams = ([(x - 0.35, 4.35), (x + 0.35, 4.35), (x + 1.2, 1.2), (x - 1.2, 1.2)] for x in LAMPS)
        self._light.set_verts([self._at(beam) for beam in beams])
        self._pipes.set_segments([self._at([(x, 0.98), (x + 0.8, 0.98)]) for x in PIPES])
        self.parts = [
            self._sky, self._soil, self._sun, self._walls, self._vent, self._screen, self._light, self._lamps,
            self._pipes, self._stems, self._leaves, self._fruits, self._climate, self._outdoors, self._positions,
        ]  # fmt: skip

    def show(self, model: State, weather: Weather, now: Mapping[str, float]) -> None:
        """Draw a state of the model, the weather, and the climate and positions by name."""
        sun = min(float(weather.global_radiation) / 800.0, 1.0)
        self._sky.set_facecolor(NIGHT + sun * (NOON - NIGHT))
        self._sun.set_alpha(0.3 + 0.7 * sun if sun > 0.01 else 0.0)
        self._walls.set_facecolor(INSIDE * (0.45 + 0.55 * max(sun, now["lamp"])))
        self._vent.set_segments([self._at([(5.0, 6.8), (7.0, 5.9 + 0.9 * now["roof_vent"])])])
        self._vent.set_linewidth(5.0 if now["roof_vent"] > 0.02 else 2.0)
        closed = now["thermal_screen"]
        self._screen.set_verts([self._box(1.0, 4.85, 8.0 * closed, 0.12)] if closed > 0.01 else [])
        self._light.set_alpha(0.35 * now["lamp"] if now["lamp"] > 0.01 else 0.0)
        warmth = min(max((float(model.pipe_temperature) - 20.0) / 50.0, 0.0), 1.0)
        self._pipes.set_color((0.45 + 0.5 * warmth, 0.45 - 0.25 * warmth, 0.45 - 0.3 * warmth))
        self._show_plants(model)
        self._climate.set_text(f"{now['temperature']:.1f} °C   {now['humidity']:.0f} %   {now['co2']:.0f} ppm")
        outdoors = (
            f"outdoors {float(weather.outdoor_temperature):.1f} °C, sun {float(weather.global_radiation):.0f} W/m²"
        )
        self._outdoors.set_text(f"{outdoors}, wind {float(weather.wind_speed):.0f} m/s")
        self._outdoors.set_color("white" if sun < 0.6 else DARK)
        words = {name: name.replace("_", " ").replace("co2", "CO₂") for name in self._actuators}
        self._positions.set_text("   ".join(f"{words[name]} {100 * now[name]:.0f} %" for name in self._actuators))

    def _show_plants(self, model: State) -> None:
        """Plants as high as their leaves weigh, with as many fruits as theirs."""
        height = 1.1 + 2.0 * min(float(model.leaf_carbohydrate) / 1.2e5, 1.2)
        fruits = int(min(max(float(model.fruit_carbohydrate) / 6e4, 0.0), 6.0))
        self._stems.set_segments([self._at([(x, 1.0), (x, 1.0 + height)]) for x in PLANTS])
        leaves = {}
        for side in (-1.0, 1.0):
            turn = np.radians(25.0 * side)
            turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            leaves[side] = (CIRCLE * np.array([0.31, 0.12])) @ turned
        self._leaves.set_verts(
            [
                self._at(np.array([x + 0.34 * side, level]) + leaf)
                for x in PLANTS
                for level in np.linspace(1.4, 0.9 + height, 6)
                for side, leaf in leaves.items()
            ]
        )
        self._fruits.set_verts(
            [
                self._at(np.array([x + 0.16 * (-1) ** number, 1.45 + 0.33 * number]) + 0.13 * CIRCLE)
                for x in PLANTS
                for number in range(fruits)
            ]
        )

    def _at(self, points: Any) -> NDArray[np.float64]:
        """Return points of the house in pixels."""
        found: NDArray[np.float64] = self._origin + np.asarray(points, float) * self._scale
        return found

    def _box(self, x: float, y: float, width: float, height: float) -> NDArray[np.float64]:
        return self._at([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
