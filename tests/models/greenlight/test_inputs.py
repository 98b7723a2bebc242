"""Bad input is answered by an error that names what is wrong and what would be right."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from greenhouse_points import SETS, points

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.models.greenlight import GreenLight, check_inputs, load_parameters, published


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("floor_aera", "floor_area"), ("thetaLampmax", "thetaLampMax"), ("pipe_lenght", "pipe_length")],
)
def test_an_unknown_parameter_is_answered_with_the_one_that_was_meant(misspelt: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"'{misspelt}'; did you mean .*'{meant}'"):
        load_parameters(**{misspelt: 1.0})


def test_an_unknown_parameter_set_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"parameter set 'katzin2020'; did you mean .*'katzin2020_144m2'"):
        load_parameters("katzin2020")
    with pytest.raises(UnknownNameError, match=r"unknown parameter set 'katzin2020'.*'katzin2020_144m2'"):
        published("katzin2020")


def test_an_unknown_parameter_set_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(UnknownNameError) as caught:
        load_parameters("x")
    assert all(name in str(caught.value) for name in SETS)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("floor_area", -144.0, r"above 0 m2"),
        ("aCov", 0.0, r"above 0 m2"),
        ("roof_slope", 95.0, r"0 to 89 °"),
        ("lamp_par_efficiency", 1.2, r"0 to 1"),
        ("leakage", np.nan, "finite numbers"),
        ("boiler_power", "much", "a number or an array of numbers"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused_with_its_range(name: str, value: Any, expected: str) -> None:
    with pytest.raises(ValueRangeError, match=rf"Parameters\.\w+ is .*; expected {expected}"):
        load_parameters(**{name: value})


@pytest.mark.parametrize(
    ("overrides", "first", "second"),
    [
        ({"pipe_inner_diameter": 0.06}, "pipe_inner_diameter", "pipe_outer_diameter"),
        ({"phiGroPipeI": 0.04}, "grow_pipe_inner_diameter", "grow_pipe_outer_diameter"),
        ({"air_height": 7.0}, "air_height", "greenhouse_height"),
        ({"air_height": np.array([3.0, 6.9])}, "air_height", "greenhouse_height"),
        ({"tauRfPar": 0.95}, "roof_par_transmission", "roof_par_reflection"),
    ],
    ids=["pipe", "grow pipe", "heights", "one of several heights", "optics"],
)
def test_parameters_that_contradict_each_other_are_named_together(
    overrides: dict[str, Any], first: str, second: str
) -> None:
    with pytest.raises(PhytotronError, match=rf"Parameters\.{first}.*{second}"):
        load_parameters(**overrides)


@pytest.mark.parametrize("name", SETS)
def test_the_published_sets_are_accepted(name: str) -> None:
    check_inputs(*points(8), load_parameters(name))


def test_an_unknown_solver_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown solver 'rkc'; did you mean 'rkc2'"):
        GreenLight("rkc")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"interval": 0.0}, "1 to 86400 seconds"),
        ({"interval": -300.0}, "1 to 86400 seconds"),
        ({"interval": np.nan}, "1 to 86400 seconds"),
        ({"interval": np.inf}, "1 to 86400 seconds"),
        ({"interval": "300"}, "1 to 86400 seconds"),
        ({"substep": 0.0}, "above 0 and at most 300 seconds"),
        ({"substep": -1.0}, "above 0 and at most 300 seconds"),
        ({"substep": 301.0}, "above 0 and at most 300 seconds"),
        ({"substep": np.nan}, "above 0 and at most 300 seconds"),
        ({"spectral_radius": 0.0}, "a positive rate per second"),
        ({"spectral_radius": np.nan}, "a positive rate per second"),
        ({"spectral_radius": np.inf}, "a positive rate per second"),
    ],
    ids=lambda value: "-".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else "",
)
def test_numerics_that_make_no_sense_are_refused_by_name(options: dict[str, Any], expected: str) -> None:
    (name,) = options
    with pytest.raises(PhytotronError, match=rf"GreenLight\.{name} is .*; expected .*{expected}"):
        GreenLight("rkc2", **options)


@pytest.mark.parametrize("interval", [1.0, 60.0, 300.0, 900.0, 3600.0, 86400.0])
@pytest.mark.parametrize("solver", ["rosenbrock", "rkc2", "rk4", "euler"])
def test_the_sub_steps_of_every_allowed_interval_fill_it(solver: str, interval: float) -> None:
    model = GreenLight(solver, interval=interval)
    assert model.steps.lengths.sum() == pytest.approx(interval, rel=1e-9)
    assert model.evaluations == model.steps.count * model.method.evaluations


@pytest.mark.parametrize(
    ("record", "field", "value", "expected"),
    [
        ("control", "boiler", np.nan, r"Control\.boiler is .*; expected finite numbers"),
        ("control", "lamp", 1.2, r"Control\.lamp is .*; expected 0 to 1"),
        ("control", "roof_vent", -0.1, r"Control\.roof_vent is .*; expected 0 to 1"),
        ("state", "air_temperature", np.inf, r"State\.air_temperature is .*; expected finite numbers"),
        ("state", "air_co2", -1.0, r"State\.air_co2 is .*; expected 0 to 200000 mg m-3"),
        ("weather", "wind_speed", -3.0, r"Weather\.wind_speed is .*; expected 0 to 80 m s-1"),
        ("weather", "outdoor_temperature", "cold", r"Weather\.outdoor_temperature is .*; expected a number"),
    ],
)
def test_inputs_that_make_no_sense_are_refused_by_name(record: str, field: str, value: Any, expected: str) -> None:
    at = points(4)
    spoilt = np.asarray(getattr(getattr(at, record), field), object if isinstance(value, str) else float)
    spoilt = value if isinstance(value, str) else np.where(np.arange(4) == 2, value, spoilt)
    changed = at._replace(**{record: dataclasses.replace(getattr(at, record), **{field: spoilt})})
    with pytest.raises(ValueRangeError, match=expected):
        check_inputs(*changed, load_parameters())


def test_batches_of_different_size_are_refused_and_the_odd_one_is_named() -> None:
    at = points(4)
    odd = at._replace(control=dataclasses.replace(at.control, lamp=np.zeros(3)))
    with pytest.raises(PhytotronError, match=r"Control\.lamp.*one and the same shape"):
        check_inputs(*odd, load_parameters())


def test_numbers_and_a_batch_go_together() -> None:
    at, parameters = points(4), load_parameters(aFlr=np.full(4, 100.0))
    check_inputs(at.state, dataclasses.replace(at.control, lamp=0.5), at.weather, parameters)
