"""Screens that are closed although the log says that they are open, as the light above the crop tells."""

import itertools

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from phytotron.logs.table import Column

WINDOW = 24  # rows of 5 minutes: two hours
SPREAD = (0.1, 0.9)  # quantiles between which light is compared: lamps that are switched once do not count
VARIED = 100.0  # µmol m-2 s-1 of change outdoors from which the light inside has to follow
FOLLOWS = 0.02  # of that change; values under open screens are 0.08 or more, under a closed one 0.002
OPEN = 0.5  # closure below which a screen lets light pass


def closed_in_fact(light: Column, outdoor_light: Column, blackout_screen: Column) -> Column:
    """Return whether the blackout screen is closed, against its recorded closure, in each row of a regular grid.

    The light above the crop [µmol m-2 s-1] does not follow the light outdoors for two hours or more.
    """
    found = np.zeros(light.shape, bool)
    if light.size < WINDOW:
        return found
    inside, outside = (_spread(each) for each in (light, outdoor_light))
    recorded_open = sliding_window_view(blackout_screen, WINDOW).max(axis=1) < OPEN
    for start in np.flatnonzero(recorded_open & (outside > VARIED) & (inside < FOLLOWS * outside)):
        found[start : start + WINDOW] = True
    marked = np.flatnonzero(found)
    for before, after in itertools.pairwise(marked):  # around noon the sun stands still too
        if after - before <= WINDOW:
            found[before:after] = True
    return found


def _spread(light: Column) -> Column:
    low, high = np.quantile(sliding_window_view(light, WINDOW), SPREAD, axis=1)
    return np.asarray(high - low)
