"""The state equations as functions: finite with finite gradients everywhere, the same however they are called, and
dependent on equations and parameters as the physics says."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from greenhouse_points import (
    SETS,
    Points,
    as_floats,
    batch_of_sets,
    compiled_derivative,
    parameters_of,
    pick,
    points,
    rates,
    with_everything,
)

from phytotron.core.fields import names, replace, stack, unstack
from phytotron.models.greenlight import (
    Control,
    Equations,
    GreenLight,
    Parameters,
    State,
    Weather,
    derivative,
    forcing,
    load_parameters,
    processes,
)
from phytotron.models.greenlight.design import Design, design

# Compiled functions may contract a * b + c to one rounding or not; fluxes are sums of some twenty terms that cancel.
AGREEMENT = 1e-12

COUNT = 512


def magnitudes(of: dict[str, np.ndarray]) -> dict[str, float]:
    """The typical size of a rate, by which its rounding is to be judged."""
    return {name: float(np.max(np.abs(each))) for name, each in of.items()}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("fitted", [False, True], ids=["plain", "fitted"])
def test_rates_are_finite_everywhere(name: str, fitted: bool) -> None:
    parameters = with_everything(parameters_of(name)) if fitted else parameters_of(name)
    for each, value in rates(points(COUNT), parameters).items():
        assert np.all(np.isfinite(value)), each


@functools.cache
def compiled_jacobian() -> Callable[..., jax.Array]:
    equations = Equations()

    def jacobian(state: State, control: Control, weather: Weather, parameters: Parameters) -> jax.Array:
        held = forcing(control, weather, parameters, equations)
        return jax.jacfwd(lambda x: stack(derivative(unstack(State, x), held, equations)))(stack(state))

    return jax.jit(jax.vmap(jacobian, in_axes=(0, 0, 0, None)))


@pytest.mark.parametrize("name", SETS)
def test_the_jacobian_is_finite_everywhere(name: str) -> None:
    jacobian = np.asarray(compiled_jacobian()(*points(COUNT), with_everything(parameters_of(name))))
    bad = np.argwhere(~np.isfinite(jacobian))
    assert len(bad) == 0, {(names(State)[row], names(State)[column]) for _, row, column in bad}


def test_the_jacobian_is_the_slope_of_the_rates() -> None:
    # Central differences over 1e-6 of the state's size are good to about 1e-8, away from the kinks; 1e-4 of the largest
    # entry of a row leaves room and finds any wrong term.
    at, parameters = points(COUNT), parameters_of(SETS[0])
    jacobian = np.asarray(compiled_jacobian()(*at, parameters))
    state = np.asarray(stack(at.state))
    apart = np.abs(at.state.air_temperature - at.state.top_temperature) > 0.1  # not the points of equal temperatures
    for column, name in enumerate(names(State)):
        h = 1e-6 * max(1.0, float(np.abs(state[:, column]).max()))
        ends = []
        for sign in (1.0, -1.0):
            moved = at._replace(state=dataclasses.replace(at.state, **{name: state[:, column] + sign * h}))
            ends.append(np.asarray(stack(compiled_derivative(Equations())(*moved, parameters))))
        slope = (ends[0] - ends[1]) / (2.0 * h)
        # Where another flux is about to change its kind a difference says nothing: leave out 5 %.
        size = np.maximum(np.max(np.abs(jacobian), axis=2), 1e-12)  # the rate of time depends on nothing
        error = (np.abs(slope - jacobian[:, :, column]) / size)[apart]
        assert np.quantile(error, 0.95, axis=0).max() < 1e-4, name


@functools.cache
def compiled_gradient() -> Callable[..., Any]:
    model = GreenLight()

    def loss(state: State, control: Control, weather: Weather, parameters: Parameters) -> jax.Array:
        return jnp.sum(stack(model.advance(state, control, weather, parameters)))

    return jax.jit(jax.grad(loss, argnums=(0, 1, 2, 3)))


@pytest.mark.slow
def test_gradients_through_an_interval_are_finite_everywhere() -> None:
    # One point at a time: the gradient of one environment compiles ten times faster than that of a batch.
    for row in np.linspace(0, COUNT - 1, 64).astype(int):
        at = pick(points(COUNT), row)
        gradient = compiled_gradient()(*at, with_everything(parameters_of(SETS[row % len(SETS)])))
        assert all(np.isfinite(leaf) for leaf in jax.tree.leaves(gradient)), (row, gradient)


@pytest.mark.slow
def test_the_gradient_through_an_interval_is_the_slope_of_its_result() -> None:
    # Central differences, as above.
    at, parameters = pick(points(COUNT, seed=5), 300), parameters_of(SETS[0])
    gradient = compiled_gradient()(*at, parameters)[1]
    advance = jax.jit(GreenLight().advance)
    for name in ("boiler", "co2_injection", "lamp", "roof_vent"):
        ends = []
        for sign in (1.0, -1.0):
            control = dataclasses.replace(at.control, **{name: getattr(at.control, name) + sign * 1e-6})
            ends.append(float(jnp.sum(stack(advance(at.state, control, at.weather, parameters)))))
        assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(float(getattr(gradient, name)), rel=1e-3), name


def test_single_points_batches_and_vmap_give_the_same_rates() -> None:
    at, parameters = points(COUNT), parameters_of(SETS[0])
    batch = rates(at, parameters)
    scale = magnitudes(batch)
    mapped = jax.jit(
        jax.vmap(lambda x, u, d, p: compiled_derivative(Equations())(x, u, d, p), in_axes=(0, 0, 0, None))
    )(*at, parameters)
    for name in names(State):
        np.testing.assert_allclose(getattr(mapped, name), batch[name], atol=AGREEMENT * scale[name], rtol=AGREEMENT)
    for row in range(0, COUNT, 37):
        single = rates(pick(at, row), parameters)
        for name in names(State):
            assert single[name].shape == ()
            assert single[name] == pytest.approx(batch[name][row], abs=AGREEMENT * scale[name], rel=AGREEMENT), name


def test_uncompiled_and_compiled_give_the_same_rates() -> None:
    at, parameters = points(COUNT), load_parameters(SETS[0])
    batch = rates(at, parameters_of(SETS[0]))
    plain = derivative(at.state, forcing(at.control, at.weather, parameters, Equations()), Equations())
    for name, size in magnitudes(batch).items():
        np.testing.assert_allclose(getattr(plain, name), batch[name], atol=AGREEMENT * size, rtol=AGREEMENT)


def test_parameters_may_differ_between_environments() -> None:
    at, which = points(COUNT), np.arange(COUNT) % len(SETS)
    together = rates(at, pick(batch_of_sets(1), which))
    for i, name in enumerate(SETS):
        alone = rates(at, parameters_of(name))
        for state, size in magnitudes(alone).items():
            here, there = together[state][which == i], alone[state][which == i]
            np.testing.assert_allclose(here, there, atol=AGREEMENT * size, rtol=AGREEMENT)


def test_an_interval_is_the_same_for_one_environment_and_for_a_batch() -> None:
    at, parameters = points(COUNT), parameters_of(SETS[0])
    advance = jax.jit(GreenLight().advance)
    batch = advance(*at, parameters)
    for row in range(0, COUNT, 61):
        single = stack(advance(*pick(at, row), parameters))
        # The rounding of 40 evaluations, some of which the stiff modes pass on enlarged.
        np.testing.assert_allclose(single, stack(batch)[row], rtol=1e-9, atol=1e-9)


# Which rates a choice of equations may change, and the parameters for which it matters.
CHOICES = {
    "nir_reflection_with_canopy_transmission": ({}, {"air_temperature", "canopy_temperature"}),
    "pipe_sees_sky_through_blackout_screen": ({"roof_fir_transmission": 0.3}, {"pipe_temperature"}),
    "density_grows_with_elevation": (
        {"elevation": 1000.0},
        {
            "air_temperature",
            "top_temperature",
            "canopy_temperature",
            "air_vapour_pressure",
        },
    ),
    "blackout_screen_may_evaporate": ({}, {"air_vapour_pressure", "blackout_screen_temperature"}),
    "rounded_vapour_constant": ({}, {"air_vapour_pressure", "top_vapour_pressure"}),
    "screens_in_series": (
        {},
        {
            "air_temperature",
            "top_temperature",
            "thermal_screen_temperature",
            "blackout_screen_temperature",
            "air_vapour_pressure",
        },
    ),
}


def changed(at: Points, parameters: Parameters, choice: str) -> set[str]:
    before, after = rates(at, parameters), rates(at, parameters, Equations(**{choice: True}))
    return {
        name
        for name, size in magnitudes(before).items()
        if not np.allclose(after[name], before[name], atol=AGREEMENT * size, rtol=AGREEMENT)
    }


def test_every_choice_of_equations_is_tested() -> None:
    assert set(CHOICES) == set(inspect.signature(Equations).parameters)


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_of_equations_changes_exactly_the_states_it_is_about(choice: str) -> None:
    overrides, expected = CHOICES[choice]
    parameters = as_floats(replace(parameters_of(SETS[0]), overrides))
    assert changed(points(COUNT), parameters, choice) == expected


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ("pipe_sees_sky_through_blackout_screen", "the cover lets no far-infrared pass"),
        ("density_grows_with_elevation", "the greenhouse is at sea level"),
    ],
)
def test_a_choice_of_equations_changes_nothing_where(choice: str, why: str) -> None:
    assert changed(points(COUNT), parameters_of(SETS[0]), choice) == set(), why


def test_nir_reflection_changes_nothing_in_the_dark() -> None:
    at = points(COUNT)
    dark = at._replace(weather=dataclasses.replace(at.weather, global_radiation=np.zeros(COUNT)))
    assert changed(dark, parameters_of(SETS[0]), "nir_reflection_with_canopy_transmission") == set()


def test_air_gets_thinner_with_elevation() -> None:
    high = replace(Parameters(), {"elevation": 1500.0})
    # Barometric formula for 20 °C: exp(-g M h / (R T)).
    assert design(high, Equations()).air_density == pytest.approx(1.2 * np.exp(-9.81 * 28.96 * 1500 / (293.15 * 8314)))
    assert design(high, Equations(density_grows_with_elevation=True)).air_density > 1.2
    thin = design(high, Equations())
    assert thin.air_heat == pytest.approx(1000.0 * thin.air_density)
    assert thin.air_capacity == pytest.approx(6.3 * thin.air_heat)
    assert thin.top_capacity == pytest.approx(0.6 * thin.air_heat)


@pytest.mark.parametrize("equations", [Equations(), Equations(rounded_vapour_constant=True)], ids=["exact", "rounded"])
def test_air_of_the_same_temperature_and_humidity_carries_no_vapour(equations: Equations) -> None:
    at, warm, humid = points(COUNT), np.full(COUNT, 21.0), np.full(COUNT, 1500.0)
    state = dataclasses.replace(
        at.state,
        air_temperature=warm,
        top_temperature=warm,
        air_vapour_pressure=humid,
        top_vapour_pressure=humid,
    )
    weather = dataclasses.replace(at.weather, outdoor_temperature=warm, outdoor_vapour_pressure=humid)
    moved = processes(state, forcing(at.control, weather, load_parameters(), equations), equations).vapour
    assert all(np.all(flux == 0.0) for flux in (moved.air_top, moved.air_out, moved.top_out))


def derived(**overrides: Any) -> Design:
    return design(replace(load_parameters(SETS[0]), overrides), Equations())


DEPENDENCE = {
    # what is changed, by which factor: which derived quantities change, each by which factor
    "floor_area": (
        2.0,
        {"boiler_intensity": 0.5, "grow_pipe_boiler_intensity": 0.5, "co2_intensity": 0.5, "cover_ratio": 0.5},
    ),
    "cover_area": (1.1, {"cover_ratio": 1.1}),
    "pipe_length": (1.5, {"pipe_capacity": 1.5, "pipe_area": 1.5, "pipe_shade": 1.5}),
    "grow_pipe_length": (2.0, {"grow_pipe_capacity": 2.0, "grow_pipe_area": 2.0}),
    "boiler_power": (3.0, {"boiler_intensity": 3.0}),
    "co2_supply": (0.5, {"co2_intensity": 0.5}),
    "air_heat_capacity": (1.5, {"air_heat": 1.5, "air_capacity": 1.5, "top_capacity": 1.5}),
    "roof_thickness": (2.0, {"cover_capacity": 2.0, "cover_conductance": 0.5}),
    "thermal_screen_density": (2.0, {"thermal_screen_capacity": 2.0}),
    "blackout_screen_thickness": (2.0, {"blackout_screen_capacity": 2.0}),
    "floor_density": (2.0, {"floor_capacity": 2.0}),
    "leaf_area_maximum": (1.2, {"leaf_maximum": 1.2}),
    "specific_leaf_area": (2.0, {"leaf_maximum": 0.5}),
}


@pytest.mark.parametrize("primary", DEPENDENCE)
def test_derived_quantities_follow_the_primary_one_and_no_others_do(primary: str) -> None:
    factor, expected = DEPENDENCE[primary]
    fitted = {"grow_pipe_boiler_power": 1e6}
    before = derived(**fitted)
    after = derived(**fitted | {primary: factor * getattr(load_parameters(SETS[0], **fitted), primary)})
    for name in Design._fields:
        was, now = np.asarray(getattr(before, name)), np.asarray(getattr(after, name))
        assert now == pytest.approx(expected.get(name, 1.0) * was, rel=1e-12), name


def test_published_capacities_and_areas_follow_from_the_primary_parameters() -> None:
    # Derived constants that come with the published sets, to the digits given there (float32 for Katzin 2020).
    published = {
        "katzin2021_4ha_led": (10998.547019612733, 0.2002765316663493, 0.9018644994834888, 112781.95488721805),
        "greenlight_gym_1p4ha_led": (16497.8205294191, 0.30041479749952393, 0.8527967492252333, 112781.95488721805),
        "katzin2020_144m2": (11619.8837890625, 0.2142958790063858, 0.8949950337409973, 112781.953125),
    }
    for name, (pipe_capacity, pipe_area, floor_view, leaf_maximum) in published.items():
        has = design(load_parameters(name), Equations())
        assert has.pipe_capacity == pytest.approx(pipe_capacity, rel=1e-6)
        assert has.pipe_area == pytest.approx(pipe_area, rel=1e-6)
        assert 1.0 - has.pipe_shade == pytest.approx(floor_view, rel=1e-6)
        assert has.leaf_maximum == pytest.approx(leaf_maximum, rel=1e-6)
        assert has.floor_capacity == pytest.approx(40480.0)
        assert has.thermal_screen_capacity == has.blackout_screen_capacity == pytest.approx(126.0)
        assert has.soil_capacities == pytest.approx((69200.0, 138400.0, 276800.0, 553600.0, 1107200.0))
        assert has.grow_pipe_capacity == pytest.approx(6746.3730566008235, rel=1e-6)
        assert has.grow_pipe_area == pytest.approx(0.1819767544591888, rel=1e-6)


def under_lamps() -> Points:
    at = points(COUNT)
    return at._replace(control=dataclasses.replace(at.control, lamp=np.ones(COUNT)))


def test_lamp_power_changes_what_lamps_heat_and_light() -> None:
    at, weak = under_lamps(), parameters_of(SETS[0])
    before, after = rates(at, weak), rates(at, replace(weak, {"lamp_power": 2.0 * weak.lamp_power}))
    difference = {name: after[name] - each for name, each in before.items()}
    # What is neither PAR nor NIR warms the lamps, per their capacity.
    heat = (1.0 - weak.lamp_par_efficiency - weak.lamp_nir_efficiency) * weak.lamp_power / weak.lamp_capacity
    np.testing.assert_allclose(difference["lamp_temperature"], heat, rtol=1e-9)
    assert np.all(difference["floor_temperature"] > 0.0)
    assert np.all(difference["air_temperature"] > 0.0)
    assert np.all(difference["buffer_carbohydrate"] >= 0.0) and np.any(difference["buffer_carbohydrate"] > 0.1)
    # The canopy is warmed and, its stomata opening, cooled.
    assert np.all(difference["canopy_temperature"] != 0.0)
    unaffected = {"pipe_temperature", "outer_cover_temperature", "top_co2", "stem_carbohydrate", "soil1_temperature"}
    assert all(np.all(difference[name] == 0.0) for name in unaffected)


def test_a_cooled_lamp_gives_off_less_heat_and_as_much_light() -> None:
    at, warm = under_lamps(), parameters_of(SETS[0])
    before, after = rates(at, warm), rates(at, as_floats(replace(warm, {"lamp_cooling_fraction": 0.4})))
    loss = 0.4 * warm.lamp_power / warm.lamp_capacity
    np.testing.assert_allclose(before["lamp_temperature"] - after["lamp_temperature"], loss, rtol=1e-9)
    assert all(np.array_equal(before[name], after[name]) for name in before if name != "lamp_temperature")


def test_larger_vents_exchange_more_air_in_proportion() -> None:
    at = points(COUNT)

    def vent_flow(area: float) -> np.ndarray:
        parameters = load_parameters(SETS[0], roof_vent_area=area)
        held = forcing(at.control, at.weather, parameters, Equations())
        return np.asarray(processes(at.state, held, Equations()).flows.top_out - held.openings.leakage_top)

    np.testing.assert_allclose(vent_flow(2000.0), 2.0 * vent_flow(1000.0), rtol=1e-12)
