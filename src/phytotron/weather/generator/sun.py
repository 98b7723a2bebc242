"""Where the sun stands, and how the hours of a day share its light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phytotron.weather.generator.seasons import DAYS

Numbers = NDArray[np.float64]

PARTS = 60  # sub-intervals of an hour in the integral of the sun's elevation


def year_angle() -> Numbers:
    """Angle [rad] of the earth's course on each of the 366 days."""
    return np.asarray(2.0 * np.pi * np.arange(DAYS) / DAYS)


def declination() -> Numbers:
    """Declination of the sun [rad]; Spencer 1971, Search 2, 172."""
    g = year_angle()
    return np.asarray(
        0.006918 - 0.399912 * np.cos(g) + 0.070257 * np.sin(g) - 0.006758 * np.cos(2 * g) + 0.000907 * np.sin(2 * g)
        - 0.002697 * np.cos(3 * g) + 0.00148 * np.sin(3 * g)
    )  # fmt: skip


def equation_of_time() -> Numbers:
    """Solar minus clock time [h]; Spencer 1971."""
    g = year_angle()
    radians = (
        0.000075 + 0.001868 * np.cos(g) - 0.032077 * np.sin(g) - 0.014615 * np.cos(2 * g) - 0.040849 * np.sin(2 * g)
    )
    return np.asarray(radians * 12.0 / np.pi)


def solar_noon(longitude: float) -> Numbers:
    """UTC hour of solar noon on each of the 366 days at a longitude [degrees, positive to the east]."""
    return np.asarray(12.0 - longitude / 15.0 - equation_of_time())


def hourly_elevation(latitude: float, longitude: float) -> Numbers:
    """Mean over each UTC hour of the sine of the sun's elevation, zero while it is down: (366, 24)."""
    phi, delta = np.radians(latitude), declination()[:, None]
    clock = (np.arange(24 * PARTS) + 0.5) / PARTS
    angle = np.pi / 12.0 * (clock[None, :] - solar_noon(longitude)[:, None])
    sine = np.sin(phi) * np.sin(delta) + np.cos(phi) * np.cos(delta) * np.cos(angle)
    return np.asarray(np.maximum(sine, 0.0).reshape(DAYS, 24, PARTS).mean(axis=2))
