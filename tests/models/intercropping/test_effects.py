"""The effects of two crops on each other: the published numbers, their bounds, what is symmetric."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import shared

from phytotron.core.errors import ValueRangeError
from phytotron.core.fields import names, quantities, replace
from phytotron.models.intercropping.effects import (
    Effects,
    Factors,
    Neighbour,
    effects,
    printed_effects,
    published_effects,
)
from phytotron.verification.intercrop import INPUTS, TABLE_BOUND, InteractionTable, check_interactions, read_intercrop

ROUNDING = 1e-12
UPPER = Neighbour(8.0, 8.0, 2500.0, 900.0, 2.0, 300.0, 40.0, 60.0)


def neighbours(shares: list[float]) -> tuple[Neighbour, Neighbour]:
    """Two crops whose quantities are shares of what is large."""
    values = [share * high for share, high in zip(shares, UPPER + UPPER, strict=True)]
    return Neighbour(*values[:8]), Neighbour(*values[8:])


any_pair = st.lists(st.sampled_from([0.0, 1e-9, 1e-3, 0.3, 1.0]), min_size=16, max_size=16).map(neighbours)
any_factors = st.lists(st.floats(0.0, 1.0), min_size=5, max_size=5).map(
    lambda values: Factors(**dict(zip(names(Effects), values, strict=True)))
)
in_one_go = {
    function: jax.jit(function, static_argnums=()) for function in (effects, printed_effects, published_effects)
}


def test_every_column_of_the_published_table_is_reproduced() -> None:
    table = read_intercrop(shared("reference", "intercrop", "interaction_table.npz"), INPUTS)
    assert isinstance(table, InteractionTable)
    result = check_interactions(table)
    computed = {name for name in table.columns if not name.startswith(("in_", "par_", "mode"))}
    assert set(result.states) == computed and len(computed) == 98
    assert max(state.error for state in result.states.values()) < TABLE_BOUND


def test_the_defaults_are_the_published_factors() -> None:
    published = {"light": 0.15, "water": 0.10, "nitrogen": 0.05, "root": 0.08, "biomass": 0.12, "small": 1e-6}
    assert {q.name: q.default for q in quantities(Factors)} == published


@settings(deadline=None, max_examples=150)
@given(any_pair, any_factors)
@pytest.mark.parametrize("function", [effects, printed_effects])
def test_effects_are_between_0_and_1(function: Any, pair: tuple[Neighbour, Neighbour], factors: Factors) -> None:
    found = in_one_go[function](*pair, factors)
    for each in jax.tree.leaves(found.effects) + [on.growth for on in found.effects]:
        assert 0.0 <= float(each) <= 1.0
    assert all(np.isfinite(leaf) for leaf in jax.tree.leaves(found))


def test_the_published_effect_of_nitrogen_has_no_lower_bound() -> None:
    one, two = neighbours([0.5] * 16)
    depleted = one._replace(soil_nitrogen=0.0)
    assert published_effects(depleted, two, Factors()).effects[0].nitrogen < -1e4
    assert float(effects(depleted, two, Factors()).effects[0].nitrogen) == pytest.approx(0.95)
    assert float(printed_effects(depleted, two, Factors()).effects[0].nitrogen) == 1.0


@settings(deadline=None, max_examples=100)
@given(any_pair, any_factors)
def test_without_shade_exchanging_the_crops_exchanges_the_effects(
    pair: tuple[Neighbour, Neighbour], factors: Factors
) -> None:
    unshaded = replace(factors, {"light": 0.0})
    there = in_one_go[effects](*pair, unshaded).effects
    back = in_one_go[effects](*pair[::-1], unshaded).effects
    for one, other in zip(there, back[::-1], strict=True):
        assert np.allclose(jax.tree.leaves(one), jax.tree.leaves(other), rtol=0.0, atol=ROUNDING)


def test_with_shade_it_does_not() -> None:
    one, two = neighbours([0.5] * 8 + [0.4] * 8)
    there, back = (effects(*pair, Factors()).effects for pair in ((one, two), (two, one)))
    assert abs(float(there[0].light - back[1].light)) > 1e-3


def test_factors_of_zero_leave_the_crops_alone() -> None:
    none = Factors(light=0.0, water=0.0, nitrogen=0.0, root=0.0, biomass=0.0)
    found = effects(*neighbours([0.1, 0.9] * 8), none)
    assert [float(on.growth) for on in found.effects] == [1.0, 1.0]
    assert [float(each) for each in found.transfers] == [0.0, 0.0]


def test_where_there_is_nothing_to_share_each_crop_has_half() -> None:
    bare = Neighbour(*([0.0] * 8))
    found = effects(bare, bare, Factors())
    assert [float(each) for each in found.water_shares] == [0.5, 0.5]
    assert [float(each) for each in found.root_shares + found.mass_shares] == [0.5] * 4
    assert float(found.overlap) == 1.0


@pytest.mark.parametrize(("name", "value"), [("light", 1.5), ("beta", -0.1), ("small", 0.0), ("root", "much")])
def test_factors_that_make_no_sense_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueRangeError, match="Factors"):
        replace(Factors(), {name: value})
