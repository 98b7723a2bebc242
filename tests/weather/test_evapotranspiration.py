"""Evaporation against PCSE's values, and against what must hold whatever the weather."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from shared_data import SHARED, shared

from phytotron.core.errors import ValueRangeError
from phytotron.weather.calendar import days_since_new_year
from phytotron.weather.evapotranspiration import (
    DEFAULT_ANGSTROM,
    Angstrom,
    DayWeather,
    angstrom_coefficients,
    penman,
    penman_monteith,
)
from phytotron.weather.radiation import angot_radiation

# PCSE's own values, rounded to double precision; a day without evaporation has none here either.
AGREEMENT = 1e-9

SUMMER = DayWeather(
    irradiation=np.array([20e6]),
    minimum_temperature=np.array([12.0]),
    maximum_temperature=np.array([24.0]),
    vapour_pressure=np.array([1400.0]),
    wind_speed_2m=np.array([2.0]),
    day_of_year=np.array([180.0]),
    latitude=np.float64(52.0),
    elevation=np.float64(7.0),
)


def changed(**values: float) -> DayWeather:
    return dataclasses.replace(SUMMER, **{name: np.array([value]) for name, value in values.items()})


@pytest.mark.parametrize("name", sorted(path.stem for path in (SHARED / "weather" / "power").glob("*.npz")) or ["none"])
def test_every_day_of_every_site_is_that_of_pcse(name: str) -> None:
    file = shared("weather", "power", f"{name}.npz")
    coefficients = json.loads(shared("weather", "power", "angstrom.json").read_text(encoding="utf-8"))[f"{name}.npz"]
    with np.load(file) as archive:
        data: dict[str, Any] = {key: archive[key] for key in archive.files}
    day = DayWeather(
        irradiation=data["IRRAD"],
        minimum_temperature=data["TMIN"],
        maximum_temperature=data["TMAX"],
        vapour_pressure=100.0 * data["VAP"],
        wind_speed_2m=data["WIND"],
        day_of_year=days_since_new_year(data["day"].astype("datetime64[s]")) + 1.0,
        latitude=np.float64(data["lat"]),
        elevation=np.float64(data["elev"]),
    )
    water, soil, _ = penman(day, Angstrom(coefficients["A"], coefficients["B"]))
    for ours, key in ((water, "E0"), (soil, "ES0"), (penman_monteith(day), "ET0")):
        assert ours / 10.0 == pytest.approx(data[key], rel=AGREEMENT, abs=1e-14), key


def test_grass_needs_as_much_as_in_the_example_of_the_handbook() -> None:
    # FAO-56, example 18: Uccle, 6 July, 3.9 mm
    uccle = DayWeather(
        irradiation=np.array([22.07e6]),
        minimum_temperature=np.array([12.3]),
        maximum_temperature=np.array([21.5]),
        vapour_pressure=np.array([1409.0]),
        wind_speed_2m=np.array([2.078]),
        day_of_year=np.array([187.0]),
        latitude=np.float64(50.8),
        elevation=np.float64(100.0),
    )
    assert float(penman_monteith(uccle)[0]) == pytest.approx(3.9, abs=0.05)


def test_water_evaporates_more_than_soil_and_both_more_in_sun_wind_and_dry_air() -> None:
    water, soil, _ = penman(SUMMER)
    assert water > soil > 0.0
    for more in ({"irradiation": 25e6}, {"wind_speed_2m": 4.0}, {"vapour_pressure": 900.0}):
        assert np.all(penman(changed(**more))[0] > water)
        assert penman_monteith(changed(**more)) > penman_monteith(SUMMER)


def test_a_dark_saturated_day_evaporates_nothing_by_penman() -> None:
    fog = changed(irradiation=0.0, vapour_pressure=9000.0, wind_speed_2m=0.0, day_of_year=1.0)
    assert [float(each[0]) for each in penman(fog)] == [0.0, 0.0, 0.0]


def test_the_polar_night_has_finite_evaporation() -> None:
    night = dataclasses.replace(changed(irradiation=0.0, day_of_year=1.0), latitude=np.float64(85.0))
    assert np.isfinite([*penman(night), penman_monteith(night)]).all()


def test_jax_gives_the_same_in_a_batch_under_jit_and_has_gradients() -> None:
    day = jax.tree.map(lambda value: jnp.broadcast_to(jnp.asarray(value), (3,)), SUMMER)
    batched = jax.jit(lambda day: (*penman(day), penman_monteith(day)))(day)
    expected = (*penman(SUMMER), penman_monteith(SUMMER))
    for ours, single in zip(batched, expected, strict=True):
        assert np.asarray(ours) == pytest.approx(np.full(3, float(single[0])), rel=1e-12)

    def evaporation(radiation: Any) -> Any:
        return penman_monteith(dataclasses.replace(day, irradiation=radiation)).sum()

    assert np.all(np.asarray(jax.grad(evaporation)(day.irradiation)) > 0.0)


def test_angstrom_coefficients_are_percentiles_of_the_ratio_of_radiation() -> None:
    above = angot_radiation(np.arange(1.0, 366.0), 52.0)
    share = np.random.default_rng(0).uniform(0.15, 0.75, above.size)
    found = angstrom_coefficients(share * above, above)
    assert (found.a, found.a + found.b) == pytest.approx(np.percentile(share, (5.0, 98.0)))
    assert angstrom_coefficients(0.5 * above, above) == DEFAULT_ANGSTROM  # no spread: implausible
    assert angstrom_coefficients(above[:100], above[:100]) == DEFAULT_ANGSTROM
    with pytest.raises(ValueRangeError, match="same length"):
        angstrom_coefficients(above, above[:-1])
