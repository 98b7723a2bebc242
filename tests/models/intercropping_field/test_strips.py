"""Strips tend to mixed rows and to sole crops, and lose nothing on the way."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from intercrop_fields import cereal, farmed, legume
from wheat_seasons import made_up_weather

from phytotron.core.fields import names
from phytotron.models.intercropping.field import field_season
from phytotron.models.intercropping.stand import REVISED, FieldState, make_stand, with_soles
from phytotron.models.intercropping.strips import Land, edge_share, whole_field
from phytotron.models.lintul3 import State

REACH = 0.4  # m
TOLERANCE = 1e-9  # g m-2 and mm; sums of 240 numbers of up to 3000, in float64
HALVES = np.array([0.5, 0.5])


@pytest.fixture(scope="module")
def tiles() -> FieldState:
    stand = make_stand((cereal(), legume()), emergence=(0.0, 30.0), rules=REVISED)
    management: Any = farmed(3)
    spread = jax.tree.map(lambda each: each[:, None], management.nitrogen)
    only_spread = type(management)(nitrogen=spread, banded=0.0 * spread, irrigation=0.0 * spread)
    made = field_season(made_up_weather(3, wetness=2.0), only_spread, with_soles(stand))
    return jax.tree.map(np.asarray, made)


def in_strips(tiles: FieldState, width: float, own: Any = HALVES) -> FieldState:
    return jax.tree.map(np.asarray, whole_field(tiles, Land(edge_share(width, REACH), own)))


def test_the_edge_share_falls_from_one_to_twice_the_reach_per_width() -> None:
    widths = np.geomspace(1e-6, 1e5, 200)
    share = np.asarray(edge_share(widths, REACH))
    assert share[0] == pytest.approx(1.0, abs=1e-5) and np.all(np.diff(share) < 0.0)
    assert share[-1] == pytest.approx(2.0 * REACH / widths[-1])


def test_narrow_strips_are_mixed_rows(tiles: FieldState) -> None:
    narrow = in_strips(tiles, 1e-9)
    for name in names(State):
        mixed = getattr(tiles.plants, name)[..., :2]
        assert getattr(narrow.plants, name) == pytest.approx(mixed, rel=1e-6, abs=1e-6), name


def test_wide_strips_are_sole_crops_on_their_land(tiles: FieldState) -> None:
    wide = in_strips(tiles, 1e9)
    for name in ("grain_mass", "leaf_area_index", "nitrogen_uptake", "fixed_nitrogen", "transpiration_sum"):
        alone = getattr(tiles.plants, name)[..., 2:]
        assert getattr(wide.plants, name) == pytest.approx(alone / 2.0, rel=1e-6, abs=1e-6), name
    assert wide.height == pytest.approx(tiles.height[..., 2:], rel=1e-6)
    assert wide.plants.soil_water[:, 0] == pytest.approx(tiles.plants.soil_water[..., 2:].mean(-1), rel=1e-6)


@pytest.mark.parametrize("own", [HALVES, np.array([0.3, 0.7])], ids=["halves", "unequal"])
@pytest.mark.parametrize("width", [0.05, 1.5, 100.0])
def test_dry_matter_water_and_nitrogen_of_strips_are_conserved(tiles: FieldState, width: float, own: Any) -> None:
    field = in_strips(tiles, width, own)
    p, ground = field.plants, field.ground
    mass = p.leaf_mass + p.dead_leaf_mass + p.stem_mass + p.grain_mass + p.root_mass + p.dead_root_mass
    assert mass - p.total_growth == pytest.approx(np.broadcast_to(mass[0], mass.shape), abs=TOLERANCE)
    assert np.all(mass[-1] > 10.0) and p.fixed_nitrogen[-1, 1] > 1.0
    soil = p.soil_nitrogen[:, 0] + ground.band.sum(-1) + p.nitrogen_uptake.sum(-1)
    came = ground.fertiliser_sum[:, 0] + ground.mineralised_sum[:, 0]
    assert soil - came == pytest.approx(soil[0] - came[0], abs=TOLERANCE)
    in_crops = p.leaf_nitrogen + p.stem_nitrogen + p.root_nitrogen + p.grain_nitrogen
    in_crops = (in_crops + p.leaf_nitrogen_loss + p.root_nitrogen_loss).sum(-1)
    taken = (p.nitrogen_uptake + p.fixed_nitrogen).sum(-1)
    assert in_crops - taken == pytest.approx(in_crops[0], abs=TOLERANCE)
    gained = (p.rain_sum + p.irrigation_sum + p.explored_water_sum)[:, 0]
    spent = (p.evaporation_sum + p.drainage_sum + p.runoff_sum)[:, 0] + p.transpiration_sum.sum(-1)
    assert p.soil_water[:, 0] - gained + spent == pytest.approx(p.soil_water[0, 0], abs=TOLERANCE)
