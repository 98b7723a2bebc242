"""The light that crops on one field share, by leaf area, extinction and height, while they stand there.

Mixed rows: leaf area spread evenly over a crop's height, the light of each layer shared in proportion to extinction
times leaf area (Spitters 1989; Kropff and van Laar 1993). With equal heights this is the rule of Carberry et al. 1996.
Strips of equal width: the lower crop sees the sky beside the taller one, by a view factor, and light through its side
(Gou et al. 2017; Goudriaan 1977; Pronk et al. 2003).

References
----------
Carberry et al. 1996; Goudriaan 1977 (Pudoc, Wageningen); Gou, van Ittersum, Simon, Leffelaar, van der Putten, Zhang and
van der Werf 2017, European Journal of Agronomy 84, 125-139; Kropff and van Laar 1993; Pronk et al. 2003, NJAS 51,
279-295; Spitters 1989.
"""

from typing import NamedTuple

import jax.numpy as jnp
from jax import Array

from phytotron.core.fields import Value
from phytotron.models.intercropping.stand import FieldState, Rows
from phytotron.models.lintul3.arithmetic import ratio
from phytotron.models.lintul3.growth import is_mature

THIN = 1e-4  # leaf area times extinction below which the share per leaf is a series
COMPRESSION = 2.0  # field per strip: leaf area of a crop per area of its own strips, both being equally wide


class Leaves(NamedTuple):
    """The canopy of one crop."""

    area: Value  # m2 m-2 of the field
    extinction: Value
    height: Value  # m

    @property
    def depth(self) -> Value:
        """Extinction times leaf area."""
        return self.extinction * self.area


def share_per_leaf(depth: Value) -> Array:
    """Return (1 - exp(-depth)) / depth, also for canopies without leaves."""
    thin = jnp.abs(depth) < THIN
    safe = jnp.where(thin, 1.0, depth)
    return jnp.where(thin, 1.0 - depth / 2.0 + depth * depth / 6.0, -jnp.expm1(-safe) / safe)


def overtopping(own: Leaves, other: Leaves) -> Array:
    """Return the share of a crop's height that stands above the other crop."""
    return jnp.maximum(0.0, 1.0 - ratio(other.height, own.height, otherwise=1.0))


def mixed_share(own: Leaves, other: Leaves) -> Array:
    """Return the share of the light that one of two crops in mixed rows intercepts; with the other's, 1 - exp(-sum of
    k L).

    Written without asking which crop is the taller one: at equal heights the share and its slopes are continuous.
    """
    above, above_other = own.depth * overtopping(own, other), other.depth * overtopping(other, own)
    below, below_other = own.depth - above, other.depth - above_other
    passed = jnp.exp(-(above + above_other))
    return -jnp.expm1(-above) + passed * share_per_leaf(below + below_other) * below


def strip_share(own: Leaves, other: Leaves, width: Value) -> Array:
    """Return the share of the light that one of two crops in strips [m] intercepts.

    The upper part of the taller crop gets what passes neither into its own lower part nor to the lower crop, so that
    the shares close. A crop alone in its strips intercepts less than one that covers the field.
    """
    is_tall = own.height >= other.height
    tall = Leaves(*(jnp.where(is_tall, mine, theirs) for mine, theirs in zip(own, other, strict=True)))
    low = Leaves(*(jnp.where(is_tall, theirs, mine) for mine, theirs in zip(own, other, strict=True)))
    rise = tall.height - low.height
    upper = tall.depth * ratio(rise, tall.height)
    view = (jnp.sqrt(width * width + rise * rise) - rise) / width  # of the sky, from the bottom of a strip
    spread, compressed = jnp.exp(-upper), jnp.exp(-COMPRESSION * upper)
    to_low = view + (1.0 - view) * spread
    to_tall = view * compressed + (1.0 - view) * spread
    of_upper = 1.0 - (to_tall + to_low) / 2.0
    of_lower = to_tall * -jnp.expm1(-COMPRESSION * (tall.depth - upper)) / 2.0
    of_low = to_low * -jnp.expm1(-COMPRESSION * low.depth) / 2.0
    return jnp.where(is_tall, of_upper + of_lower, of_low)


class Canopy(NamedTuple):
    """The leaves and the intercepted light of one day, by crop."""

    standing: Array  # whether the crop is on the field
    leaf_area: Array  # m2 m-2, of crops that are
    whole_leaf_area: Array  # m2 m-2, of all crops of the field
    light: Array  # share of the light that the crop intercepts
    part: Array  # share of what all crops of the field intercept


def standing(state: FieldState, rows: Rows) -> Array:
    """Return a mask of the crops that have emerged and are not harvested (when mature, or on the latest day)."""
    day, p = state.plants.day, rows.plants
    return (day >= rows.emergence) & ~is_mature(state.plants.stage, p) & (day < p.latest_harvest)


def field_is_over(state: FieldState, rows: Rows) -> Array:
    """Return whether every crop of a field is mature or will never come, or the latest day of harvest is there."""
    p = rows.plants
    done = is_mature(state.plants.stage, p) | (rows.emergence >= p.latest_harvest)
    return (done & rows.other(done, alone=True)) | (state.plants.day >= p.latest_harvest)


def canopy(state: FieldState, rows: Rows) -> Canopy:
    """Return the light of two crops: leaf areas, intercepted shares and heights of a field."""
    there = standing(state, rows)
    area = jnp.where(there, jnp.maximum(0.0, state.plants.leaf_area_index), 0.0)
    own = Leaves(area, rows.plants.light_extinction, state.height)
    other = Leaves(*(rows.other(each) for each in own))
    light = mixed_share(own, other)
    if rows.layout == "strips" and not rows.rules.edges:
        light = jnp.where(rows.alone, light, strip_share(own, other, rows.sharing.strip_width))
    return Canopy(there, area, rows.of_field(area), light, ratio(light, rows.of_field(light)))
