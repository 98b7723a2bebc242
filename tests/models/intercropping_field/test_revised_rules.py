"""A crop drinks where its own roots are, and fixes nitrogen as stage, water and nitrate allow."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import numpy as np
import pytest
from intercrop_fields import cereal, legume, spread
from wheat_seasons import made_up_weather

from phytotron.models.intercropping.field import field_season
from phytotron.models.intercropping.soil import FIXING, fixing_share
from phytotron.models.intercropping.stand import FIRST, REVISED, FieldState, Rules, Stand, make_stand

EMERGENCE = 100


def stand(rules: Rules, **soil: float) -> Stand:
    """A legume seedling beside wheat whose roots have gone down for a hundred days."""
    wet = {"WCI": 0.4, "WCSUBS": 0.4} | soil
    return make_stand((cereal(), legume()), emergence=(0.0, EMERGENCE), soil=wet, rules=rules)


@pytest.fixture(scope="module")
def fields() -> dict[Rules, FieldState]:
    weather = made_up_weather(5, wetness=0.5)
    return {
        rules: jax.tree.map(np.asarray, field_season(weather, spread(), stand(rules))) for rules in (FIRST, REVISED)
    }


def test_a_seedling_has_its_own_depth_and_not_its_neighbours(fields: dict[Rules, FieldState]) -> None:
    morning = EMERGENCE + 20
    wheat, bean = fields[FIRST].crops
    assert wheat.water_content[morning] == pytest.approx(bean.water_content[morning])
    after = fields[REVISED]
    wheat, bean = after.crops
    assert wheat.root_depth[morning] > 2.0 * bean.root_depth[morning]
    assert after.ground.upper_depth[morning] == pytest.approx(bean.root_depth[morning])
    assert wheat.water_content[morning] != pytest.approx(bean.water_content[morning], rel=1e-3)
    upper = (bean.soil_water - after.ground.lower_water[:, 1])[morning]
    assert bean.water_content[morning] == pytest.approx(upper / (1000.0 * bean.root_depth[morning]))
    assert wheat.water_content[morning] == pytest.approx(
        wheat.soil_water[morning] / (1000.0 * wheat.root_depth[morning])
    )


def test_in_drought_the_topsoil_fails_the_seedling_and_the_subsoil_feeds_the_deep_roots() -> None:
    dry = made_up_weather(5, wetness=0.0)
    wheat, bean = (jax.tree.map(np.asarray, each) for each in field_season(dry, spread(), stand(REVISED)).crops)
    days = slice(EMERGENCE + 5, EMERGENCE + 25)
    assert np.all(bean.water_content[days] < wheat.water_content[days])


def at(field: FieldState, **changes: Any) -> FieldState:
    """The last day of a field, with changes of the second crop's state."""
    last: Any = jax.tree.map(lambda leaf: leaf[-1], field)
    return dataclasses.replace(last, plants=dataclasses.replace(last.plants, **changes))


def test_fixation_follows_stage_water_and_nitrate(fields: dict[Rules, FieldState]) -> None:
    rows = stand(REVISED).together
    whole = 800.0 + 900.0  # °C d, of the legume
    begins, full, declines, ends = FIXING

    def share(warmth: float, water: float = 0.4, nitrogen: float = 2.0) -> float:
        same = {name: np.full(2, value) for name, value in (("water_content", water), ("soil_nitrogen", nitrogen))}
        none = np.zeros(2)
        field = at(fields[REVISED], temperature_sum=np.full(2, warmth * whole), **same)
        field = dataclasses.replace(field, ground=dataclasses.replace(field.ground, band=none))
        return float(fixing_share(field, rows)[1])

    assert share(begins) == pytest.approx(0.0, abs=1e-9) and share(ends) == pytest.approx(0.0, abs=1e-9)
    assert share((begins + full) / 2.0) == pytest.approx(0.5) and share((declines + ends) / 2.0) == pytest.approx(0.5)
    assert share(0.5) == 1.0
    assert share(0.5, water=0.85 * 0.4 / 2.0) == pytest.approx(0.5)
    depth = 0.9  # m, that the legume can root
    assert share(0.5, nitrogen=10.0 * depth) == pytest.approx(1.0)
    assert share(0.5, nitrogen=20.0 * depth) == pytest.approx(0.5)
    assert share(0.5, nitrogen=30.0 * depth) == pytest.approx(0.0, abs=1e-9)
    assert share(0.5, water=0.85 * 0.4 / 2.0, nitrogen=20.0 * depth) == pytest.approx(0.5)
