"""One field, a batch, day by day or all at once: the same season."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from wheat_seasons import DAYS, applied, doses, made_up_weather, two_fields, wheat

from phytotron.models.lintul3 import (
    PLAIN_SET,
    Management,
    advance,
    harvest,
    initial_state,
    is_over,
    load_parameters,
    season,
)

FIELDS = 2
ROUNDING = 1e-9  # g m-2, mm: fused differently, sums are rounded differently


def close(ours: Any, theirs: Any) -> None:
    for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True):
        np.testing.assert_allclose(a, b, rtol=0.0, atol=ROUNDING)


def of_day(tree: Any, day: int) -> Any:
    return jax.tree.map(lambda column: column[day], tree)


def of_field(tree: Any, field: int) -> Any:
    return jax.tree.map(lambda column: column[:, field], tree)


def test_a_batch_is_its_fields_one_by_one_with_weather_parameters_and_tables_of_their_own() -> None:
    weather, management = made_up_weather(1, FIELDS), doses(1, FIELDS)
    single = [wheat(DTSMTB=(0.0, 0.0, 50.0, 40.0)), wheat(PLAIN_SET, FRNX=0.5)]
    p = two_fields(*single)
    batch = season(weather, management, p)
    for field in range(FIELDS):
        own = season(of_field(weather, field), of_field(management, field), single[field])
        close(own, of_field(batch, field))
    mapped = jax.vmap(harvest, in_axes=(1, 1, 0))(weather, management, p)
    close(mapped, of_day(batch.states, -1))
    close(harvest(weather, management, p), mapped)


def test_day_by_day_is_the_same_as_all_at_once() -> None:
    weather, management, p = made_up_weather(3), doses(3), wheat()
    states = season(weather, management, p).states
    step, state = jax.jit(advance), initial_state(p)
    for day in range(DAYS):
        close(state, of_day(states, day))
        state = step(state, of_day(weather, day), of_day(management, day), p)


def test_a_season_may_start_in_the_middle() -> None:
    weather, management, p = made_up_weather(4), doses(4), wheat()
    states = season(weather, management, p).states
    rest = [jax.tree.map(lambda column: column[100:], each) for each in (weather, management)]
    close(harvest(*rest, p, of_day(states, 100)), of_day(states, -1))


def test_one_season_ends_at_maturity_another_at_its_latest_harvest_and_both_stay_there() -> None:
    weather = made_up_weather(5, FIELDS, warmth=11.0)
    p = two_fields(wheat(), wheat(latest_harvest=120.0))
    result = season(weather, applied(fields=FIELDS), p)
    mature, early = (int(days) for days in result.growing.sum(axis=0))
    assert early == 121  # the day of the harvest is a row of its own
    assert result.states.stage[mature - 1, 0] == 2.0 and result.states.stage[mature - 2, 0] < 2.0
    assert 121 < mature < DAYS
    for field, last in ((0, mature - 1), (1, early - 1)):
        for column in jax.tree.leaves(result.states):
            assert np.all(column[last:, field] == column[last, field])
    assert is_over(of_day(result.states, -1), p).tolist() == [True, True]


def test_flowering_is_stage_one_exactly() -> None:
    stage = season(made_up_weather(6), applied(), wheat()).states.stage
    assert np.count_nonzero(stage == 1.0) == 1


def test_nothing_transpires_or_grows_on_the_first_day() -> None:
    result = season(made_up_weather(7), applied(), wheat())
    assert result.states.water_content[0] == 0.0 and result.states.water_content[1] > 0.2
    assert result.processes.transpiration.actual[0] == 0.0
    assert result.processes.growth.dry_matter[0] == 0.0
    assert result.processes.nitrogen.uptake.organs.total[0] == 0.0


def test_a_dose_is_there_on_the_next_morning_less_what_is_lost() -> None:
    fertilised = season(made_up_weather(7), applied(10.0 * np.eye(DAYS)[10]), wheat()).states
    hungry = season(made_up_weather(7), applied(), wheat()).states
    more = fertilised.soil_nitrogen - hungry.soil_nitrogen
    assert np.all(more[:11] == 0.0) and more[11] == pytest.approx(7.0)


def test_the_patch_adds_soil_nitrogen_and_irrigation() -> None:
    weather = made_up_weather(8, FIELDS, wetness=0.5)
    p = two_fields(wheat(), wheat(PLAIN_SET))
    dry, wet = (of_day(season(weather, applied(0.0, mm, FIELDS), p).states, -1) for mm in (0.0, 20.0))
    assert dry.grain_mass[0] > 1.5 * dry.grain_mass[1]
    assert wet.irrigation_sum[0] > 1000.0 and wet.irrigation_sum[1] == 0.0
    assert wet.grain_mass[0] > dry.grain_mass[0] and wet.grain_mass[1] == dry.grain_mass[1]


def test_nitrogen_feeds_the_crop() -> None:
    nitrogen = np.outer(np.eye(DAYS)[40], [0.0, 30.0])
    weather = jax.tree.map(lambda column: np.stack([column, column], axis=1), made_up_weather(10, wetness=6.0))
    p = two_fields(wheat(PLAIN_SET), wheat(PLAIN_SET))
    result = season(weather, applied(nitrogen, fields=FIELDS), p)
    without, given = result.states.grain_mass[-1]
    assert given > 2.0 * without
    hungry, fed = result.processes.status.index[150]  # in spring
    assert hungry < 0.5 and fed == 1.0


def test_the_precision_is_that_of_the_weather() -> None:
    weather = jax.tree.map(lambda column: jnp.asarray(column, jnp.float32), made_up_weather(9))
    result = harvest(weather, Management(), wheat())
    assert {leaf.dtype for leaf in jax.tree.leaves(result)} == {jnp.dtype("float32")}
    close_to = harvest(made_up_weather(9), applied(), wheat())
    assert float(result.grain_mass) == pytest.approx(float(close_to.grain_mass), rel=1e-4)


def test_plain_numbers_as_parameters_keep_a_single_precision_state() -> None:
    weather = jax.tree.map(lambda column: jnp.float32(column[0]), made_up_weather(9))
    state = initial_state(load_parameters(), jnp.float32)
    later = jax.eval_shape(advance, state, weather, Management(), load_parameters())
    assert {leaf.dtype for leaf in jax.tree.leaves(later)} == {jnp.dtype("float32")}
