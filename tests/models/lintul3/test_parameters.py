"""Parameter sets, their tables, and what is refused."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from wheat_seasons import made_up_weather

from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.fields import quantities, replace
from phytotron.models.lintul3 import (
    PARAMETER_SETS,
    PLAIN_SET,
    Management,
    Parameters,
    Table,
    Weather,
    check_parameters,
    load_parameters,
    season,
)
from phytotron.models.lintul3.tables import table_of


@pytest.mark.parametrize("name", PARAMETER_SETS)
def test_every_set_is_consistent(name: str) -> None:
    check_parameters(load_parameters(name))


def test_every_quantity_has_its_own_symbol_a_unit_and_a_meaning() -> None:
    every = list(quantities(Parameters))
    assert len({q.symbol for q in every}) == len(every)
    assert all(q.unit and q.description for q in every)


def test_overrides_go_by_name_or_symbol() -> None:
    by_symbol = load_parameters(LUE=3.0, RDRT=[(0, 0), (20, 0.04)], WMFAC=1.0)
    by_name = load_parameters(light_use_efficiency=3.0, leaf_death=[0, 0, 20, 0.04], flooded_crop=1.0)
    assert by_symbol.light_use_efficiency == by_name.light_use_efficiency == 3.0
    assert float(by_symbol.leaf_death(10.0)) == float(by_name.leaf_death(10.0)) == 0.02
    assert load_parameters().light_use_efficiency == pytest.approx(2.7327, abs=1e-4)


def test_plain_pcse_lacks_what_the_paper_added() -> None:
    plain = load_parameters(PLAIN_SET)
    assert (plain.initial_soil_nitrogen, plain.stem_remobilisation, plain.irrigation_by_farmer) == (0.0, 0.0, 0.0)
    assert load_parameters().initial_soil_nitrogen == 7.7


@pytest.mark.parametrize(
    ("overrides", "error", "message"),
    [
        ({"LEU": 1.0}, UnknownNameError, "did you mean 'LUE'"),
        ({"LUE": -1.0}, ValueRangeError, "light_use_efficiency is -1.0; expected at least 0 g MJ-1"),
        ({"LUE": float("nan")}, ValueRangeError, "finite numbers"),
        ({"WCWP": 0.41}, PhytotronError, "wilting_point must be smaller than field_capacity"),
        ({"WCWET": 0.5}, PhytotronError, "wet_content must be smaller than saturation"),
        ({"ROOTDI": 1.5}, PhytotronError, "initial_root_depth must not exceed maximum_root_depth"),
        ({"FLVTB": [0, 0.5, 2, 0.5]}, ValueRangeError, "at stage 0 is 1.24.*; expected 1"),
        ({"FLVTB": [0, 1.5, 2, 0.5]}, ValueRangeError, "leaf_share is .* expected 0 to 1"),
        ({"RDRT": [10, 0.1, 0, 0.2]}, PhytotronError, "expected x that increases"),
        ({"RDRT": [0, 0.1, 5]}, PhytotronError, r"has shape \(3,\); expected rows"),
        ({"RDRT": "steep"}, PhytotronError, "leaf_death is 'steep'; expected rows"),
        ({"RDRT": [(0, 0.1)]}, PhytotronError, "expected two points or more"),
        ({"RDRT": [0, float("inf"), 1, 1]}, PhytotronError, "points that are not finite"),
    ],
)
def test_parameters_that_cannot_be_are_refused(overrides: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        load_parameters(**overrides)


def test_unknown_sets_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'pcse_winter_wheat'"):
        load_parameters("pcse_wheat")


@pytest.mark.parametrize(
    ("weather", "management", "error", "message"),
    [
        ({"rain": np.full(244, -1.0)}, {}, ValueRangeError, "Weather.rain"),
        ({"rain": np.zeros(243)}, {}, ShapeError, r"Weather.rain has shape \(243,\); expected \(244,\)"),
        ({"rain": np.full(244, np.nan)}, {}, ValueRangeError, "finite numbers"),
        ({"minimum_temperature": np.full(244, 40.0)}, {}, ValueRangeError, "not above the maximum temperature"),
        ({"irradiation": 1e7}, {}, ShapeError, r"Weather.irradiation has shape \(\)"),
        ({}, {"nitrogen": -2.0}, ValueRangeError, "Management.nitrogen"),
        ({}, {"nitrogen": np.zeros(7)}, ShapeError, "Management.nitrogen"),
    ],
)
def test_seasons_that_cannot_be_are_refused(
    weather: dict[str, Any], management: dict[str, Any], error: type, message: str
) -> None:
    wrong = Weather(**({q.name: getattr(made_up_weather(), q.name) for q in quantities(Weather)} | weather))
    with pytest.raises(error, match=message):
        season(wrong, Management(**management), load_parameters())


def test_a_season_with_impossible_parameters_is_refused() -> None:
    with pytest.raises(PhytotronError, match="wilting_point"):
        season(made_up_weather(), Management(), replace(load_parameters(), {"WCWP": 0.9}))


def test_tables_are_linear_between_their_points_and_constant_beyond() -> None:
    table = table_of([0.0, 1.0, 2.0, 5.0, 3.0, 4.0], "test")
    at = jnp.array([-1.0, 0.0, 0.5, 2.0, 2.25, 3.0, 9.0])
    expected = np.interp(at, table.x, table.y)
    assert table(at) == pytest.approx(expected, abs=1e-15)
    assert table.padded(8)(at) == pytest.approx(expected, abs=1e-15)
    assert [float(table(x)) for x in (2.0, 3.0, 1)] == [5.0, 4.0, 3.0]
    several = Table(np.stack([table.x, table.x + 1.0]), np.stack([table.y, table.y]))
    assert several(jnp.array([0.5, 1.5])) == pytest.approx([2.0, 2.0])
    with pytest.raises(PhytotronError, match="cannot be shortened"):
        table.padded(2)
