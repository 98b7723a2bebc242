"""The rule-based grower: what each rule says at its set-point, at the end of its band, and when rules meet."""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from greenhouse_points import SETS, Points, pick, points

from phytotron.core.errors import UnknownNameError, ValueRangeError
from phytotron.core.fields import names
from phytotron.models.greenlight import Control, State, Weather
from phytotron.models.greenlight.rules import (
    RULE_SETTINGS,
    RuleSettings,
    lamp_period,
    load_rule_settings,
    proportional,
    rule_based,
    within,
)
from phytotron.weather.humid_air import co2_concentration, co2_mole_fraction, saturation_vapour_pressure

OFF, ON = 1.0 / 101.0, 100.0 / 101.0  # of a proportional rule at its set-point and a band further
NEARLY = 0.02  # how far from 0 or 1 an actuator may be when a rule is well past its band
ROUNDING = 1e-12


def situation(
    air: float = 21.0,
    humidity: float = 70.0,
    ppm: float = 700.0,
    outside: float = 15.0,
    sun: float = 200.0,
    day: float = 1.0,
    hour: float = 12.0,
    radiation_sum: float = 5.0,
    day_of_year: float = 60.0,
) -> tuple[State, Weather]:
    """A mild day at noon; every rule at rest but for the lamps, which are allowed."""
    at = pick(points(1), 0)
    state = dataclasses.replace(
        at.state,
        air_temperature=jnp.asarray(air),
        air_vapour_pressure=humidity / 100.0 * saturation_vapour_pressure(air),
        air_co2=co2_concentration(air, ppm),
        time=jnp.asarray(day_of_year + hour / 24.0),
    )
    weather = dataclasses.replace(
        at.weather,
        outdoor_temperature=outside,
        global_radiation=sun,
        daily_radiation_sum=radiation_sum,
        is_day=day,
        is_day_smooth=day,
    )
    return state, weather


def act(name: str = SETS[0], overrides: dict[str, Any] | None = None, **of_situation: float) -> Control:
    return rule_based(*situation(**of_situation), load_rule_settings(name, **(overrides or {})))


@pytest.mark.parametrize("band", [4.0, 0.5, -1.0, -100.0])
def test_a_proportional_rule_is_off_at_the_set_point_and_on_a_band_further(band: float) -> None:
    assert proportional(20.0, 20.0, band) == pytest.approx(OFF, rel=ROUNDING)
    assert proportional(20.0 + 0.5 * band, 20.0, band) == pytest.approx(0.5, rel=ROUNDING)
    assert proportional(20.0 + band, 20.0, band) == pytest.approx(ON, rel=ROUNDING)
    away = np.linspace(-2.0, 3.0, 50)
    assert np.all(np.diff(proportional(20.0 + away * band, 20.0, band)) > 0.0)


def test_a_proportional_rule_is_finite_far_from_its_band() -> None:
    values = np.array([-1e6, 1e6])
    for precision in (np.float32, np.float64):
        result = np.asarray(proportional(values.astype(precision), 20.0, -1.0))
        assert result.dtype == precision
        np.testing.assert_allclose(result, [1.0, 0.0], atol=1e-30)


def test_an_interval_of_the_day_may_pass_midnight() -> None:
    hours = np.array([0.0, 3.0, 6.0, 12.0, 18.0, 21.0])
    assert within(hours, 3.0, 18.0).tolist() == [False, False, True, True, False, False]
    assert within(hours, 18.0, 6.0).tolist() == [True, True, False, False, False, True]


def test_the_lamp_period_has_ramps_of_an_hour_before_and_after() -> None:
    settings = load_rule_settings(lampTimeOn=6.0, lampTimeOff=20.0)
    hours = np.array([4.0, 5.0, 5.5, 6.0, 13.0, 20.0, 20.25, 21.0, 23.0])
    assert np.asarray(lamp_period(hours, settings)).tolist() == [0.0, 0.0, 0.5, 1.0, 1.0, 1.0, 0.75, 0.0, 0.0]


def test_lamps_with_no_hours_have_no_period() -> None:
    settings = load_rule_settings(lampTimeOn=6.0, lampTimeOff=6.0)
    assert np.all(lamp_period(np.array([5.5, 6.0, 12.0]), settings) == 0.0)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("day", "set_point"), [(1.0, "temperature_day"), (0.0, "temperature_night")])
def test_the_boiler_heats_below_the_set_point_of_day_or_night(name: str, day: float, set_point: str) -> None:
    heat = getattr(load_rule_settings(name), set_point)
    without_lamps = {"radiation_sum": 20.0, "day": day}
    assert act(name, air=heat, **without_lamps).boiler == pytest.approx(OFF, rel=1e-9)
    assert act(name, air=heat - 1.0, **without_lamps).boiler == pytest.approx(ON, rel=1e-9)
    assert act(name, air=heat + 2.0, **without_lamps).boiler < 1e-4
    assert act(name, air=heat - 3.0, **without_lamps).boiler > 1.0 - 1e-4


def test_grow_pipes_follow_the_boiler_and_inter_lamps_the_lamps() -> None:
    control = act(air=19.0)
    assert control.grow_pipe_boiler == control.boiler > 0.1
    assert control.interlamp == control.lamp > 0.1


def test_lamps_make_day_of_night_for_heating() -> None:
    night = {"air": 19.0, "day": 0.0, "sun": 0.0, "hour": 3.0}
    # 19.0 is half a band below the set-point of the day, and above that of the night.
    assert act(**night).boiler == pytest.approx(0.5, abs=1e-6)
    assert act(**night, radiation_sum=20.0).boiler < OFF


@pytest.mark.parametrize("name", SETS)
def test_co2_is_injected_below_its_set_point_by_day_only(name: str) -> None:
    set_point = load_rule_settings(name).co2_day
    assert act(name, ppm=set_point).co2_injection == pytest.approx(OFF, rel=1e-9)
    assert act(name, ppm=set_point - 100.0).co2_injection == pytest.approx(ON, rel=1e-9)
    night = {"day": 0.0, "sun": 0.0, "radiation_sum": 20.0}
    assert act(name, ppm=200.0, **night).co2_injection < 1e-6


@pytest.mark.parametrize("name", SETS)
def test_vents_open_for_heat_and_for_humidity_and_not_in_the_cold(name: str) -> None:
    settings = load_rule_settings(name)
    vent = settings.temperature_day + settings.vent_dead_zone
    assert act(name, air=vent).roof_vent == pytest.approx(OFF, rel=0.5)
    assert act(name, air=vent + settings.vent_heat_band).roof_vent == pytest.approx(ON, rel=1e-3)
    humid = settings.humidity_maximum + settings.vent_humidity_band
    assert act(name, humidity=humid).roof_vent == pytest.approx(ON, abs=NEARLY)
    assert act(name, humidity=humid, air=settings.temperature_day - 4.0).roof_vent < 1e-4


def test_vents_stay_shut_on_a_mild_dry_day() -> None:
    assert act("greenlight_gym_1p4ha_led").roof_vent < NEARLY


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("day", "limit"), [(1.0, "screen_day"), (0.0, "screen_night")])
def test_the_thermal_screen_closes_when_it_is_cold_outside(name: str, day: float, limit: str) -> None:
    outside = getattr(load_rule_settings(name), limit)
    calm = {"day": day, "humidity": 50.0, "air": 19.0}
    assert act(name, outside=outside, **calm).thermal_screen == pytest.approx(OFF, rel=1e-6)
    assert act(name, outside=outside - 3.0, **calm).thermal_screen > 1.0 - NEARLY
    assert act(name, outside=outside + 3.0, **calm).thermal_screen < 1e-4


def test_heat_or_humidity_opens_the_screen_of_2021_and_only_both_that_of_greenlight_gym() -> None:
    cold, hot, humid = {"outside": -5.0}, {"air": 27.0}, {"humidity": 100.0}
    any_of, both = "katzin2021_4ha_led", "greenlight_gym_1p4ha_led"
    for name in (any_of, both):
        assert act(name, **cold, humidity=50.0).thermal_screen > 1.0 - NEARLY
        assert act(name, **cold, **hot, **humid).thermal_screen < NEARLY
    assert act(any_of, **cold, **hot, humidity=50.0).thermal_screen < NEARLY
    assert act(any_of, **cold, **humid).thermal_screen < NEARLY
    assert act(both, **cold, **hot, humidity=50.0).thermal_screen > 1.0 - NEARLY
    assert act(both, **cold, **humid).thermal_screen > 1.0 - NEARLY


def test_humidity_does_not_open_the_screen_of_a_cold_greenhouse() -> None:
    cold = {"outside": -5.0, "humidity": 100.0}
    assert act(**cold, air=21.0).thermal_screen < NEARLY
    assert act(**cold, air=14.0).thermal_screen > 1.0 - NEARLY


@pytest.mark.parametrize(
    "why_off",
    [{"hour": 19.0}, {"sun": 401.0}, {"radiation_sum": 10.5}],
    ids=["after hours", "enough sun", "enough sun today"],
)
@pytest.mark.parametrize("name", SETS)
def test_lamps_are_on_in_their_hours_unless_there_is_sun_enough(name: str, why_off: dict[str, float]) -> None:
    assert act(name).lamp > 1.0 - NEARLY
    assert act(name, **why_off).lamp == 0.0


def test_lamps_keep_to_their_season() -> None:
    summer = {"dayLampStart": 100.0, "dayLampStop": 200.0}
    winter = {"dayLampStart": 300.0, "dayLampStop": 100.0}
    for day_of_year, in_summer in ((60.0, False), (150.0, True), (330.0, False), (365.2425 + 150.0, True)):
        assert (act(overrides=summer, day_of_year=day_of_year).lamp > 0.5) == in_summer
        assert (act(overrides=winter, day_of_year=day_of_year).lamp > 0.5) == (not in_summer)


def test_lamps_go_off_in_a_hot_greenhouse_where_the_settings_say_so() -> None:
    limit = 19.5 + 5.0 + 2.0
    assert act("greenlight_gym_1p4ha_led", air=limit).lamp == pytest.approx(OFF, rel=1e-6)
    assert act("greenlight_gym_1p4ha_led", air=limit - 0.5).lamp == pytest.approx(ON, rel=1e-6)
    assert act("katzin2021_4ha_led", air=limit + 5.0).lamp > 1.0 - NEARLY  # its limit is 100 °C further


def test_lamps_go_off_in_humid_air_at_night_and_by_day_where_the_settings_say_so() -> None:
    night, strict = {"day": 0.0, "sun": 0.0, "hour": 3.0}, {"blScrExtraRh": 0.0}
    assert act(overrides=strict, humidity=95.0, **night).lamp < NEARLY
    assert act(overrides=strict, humidity=80.0, **night).lamp > 1.0 - NEARLY
    assert act(overrides=strict, humidity=95.0).lamp > 1.0 - NEARLY
    assert act(overrides=strict | {"lampRhDay": 1.0}, humidity=95.0).lamp < NEARLY


def test_the_blackout_screen_closes_over_lamps_at_night_if_it_is_used() -> None:
    night = {"day": 0.0, "sun": 0.0, "hour": 3.0}
    assert act(**night).blackout_screen == 0.0
    used = {"useBlScr": 1.0}
    assert act(overrides=used, **night).blackout_screen > 1.0 - NEARLY
    assert act(overrides=used).blackout_screen < NEARLY
    assert act(overrides=used, **night, radiation_sum=20.0).blackout_screen == 0.0


def published_rules(at: Points) -> dict[str, np.ndarray]:
    """The rules of GreenLight-Gym in its own terms, hour by hour as its authors give them."""

    def band(value: Any, set_point: Any, width: float, low: float = 0.0, high: float = 1.0) -> np.ndarray:
        return low + (high - low) / (1.0 + np.exp(-2.0 / width * np.log(100.0) * (value - set_point - 0.5 * width)))

    x, d = at.state, at.weather
    hour = 24.0 * np.mod(x.time, 1.0)
    humidity = 100.0 * x.air_vapour_pressure / np.asarray(saturation_vapour_pressure(x.air_temperature))
    ppm = np.asarray(co2_mole_fraction(x.air_temperature, x.air_co2))
    short_of_light = d.daily_radiation_sum < 10.0
    allowed = (d.global_radiation < 400.0) & short_of_light & (hour > 0.0) & (hour < 18.0)
    period = np.clip(np.minimum(hour + 1.0, 19.0 - hour), 0.0, 1.0) * short_of_light
    inside_day = np.maximum(period, d.is_day)
    heat = 19.5 * inside_day + 16.5 * (1.0 - inside_day)
    air = x.air_temperature
    with np.errstate(over="ignore"):
        vent_cold = band(air, heat - 1.0, -1.0, 1.0, 0.0)
        vent = np.maximum(band(air, heat + 5.0, 4.0), band(humidity, 85.0, 5.0))
        screen_cold = band(d.outdoor_temperature, 5.0 * d.is_day + 10.0 * (1.0 - d.is_day), -1.0)
        screen_heat = band(air, heat + 4.0, 1.0, 1.0, 0.0)
        screen_humid = np.maximum(band(humidity, 83.0, 2.0, 1.0, 0.0), 1.0 - vent_cold)
        too_humid = np.maximum(band(humidity, 185.0, -0.5), 1.0 - vent_cold)
        lamp = allowed * band(air, heat + 7.0, -0.5) * too_humid
        return {
            "boiler": band(air, heat, -1.0),
            "co2_injection": band(ppm, 800.0 * inside_day, -100.0),
            "thermal_screen": np.minimum(screen_cold, np.maximum(screen_heat, screen_humid)),
            "roof_vent": np.minimum(vent_cold, vent),
            "lamp": lamp,
            "blackout_screen": np.zeros_like(lamp),
        }


def everyday(count: int = 2000) -> Points:
    """Points near the set-points, where rules act, at all hours."""
    at = points(count, seed=11)
    rng = np.random.default_rng(12)
    air = rng.uniform(14.0, 32.0, count)
    state = dataclasses.replace(
        at.state,
        air_temperature=air,
        air_vapour_pressure=rng.uniform(0.4, 1.1, count) * np.asarray(saturation_vapour_pressure(air)),
        air_co2=rng.uniform(300.0, 2000.0, count),
    )
    weather = dataclasses.replace(
        at.weather, outdoor_temperature=rng.uniform(2.0, 13.0, count), daily_radiation_sum=rng.uniform(0.0, 20.0, count)
    )
    return Points(state, at.control, weather)


def test_the_settings_of_greenlight_gym_give_its_published_rules() -> None:
    at = everyday()
    control = rule_based(at.state, at.weather, load_rule_settings("greenlight_gym_1p4ha_led"))
    for name, expected in published_rules(at).items():
        np.testing.assert_allclose(getattr(control, name), expected, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("name", SETS)
def test_every_actuator_stays_between_0_and_1_everywhere(name: str) -> None:
    at = points(2000)
    control = rule_based(at.state, at.weather, load_rule_settings(name, useBlScr=1.0))
    for actuator in names(Control):
        value = np.asarray(getattr(control, actuator))
        assert np.all((value >= 0.0) & (value <= 1.0)), actuator


def test_one_environment_and_a_batch_are_controlled_alike() -> None:
    at, settings = everyday(200), load_rule_settings()
    batch = jax.jit(rule_based)(at.state, at.weather, settings)
    mapped = jax.vmap(rule_based, in_axes=(0, 0, None))(at.state, at.weather, settings)
    for name in names(Control):
        np.testing.assert_allclose(getattr(batch, name), getattr(mapped, name), atol=ROUNDING)
    for row in range(0, 200, 23):
        single = rule_based(*pick((at.state, at.weather), row), settings)
        for name in names(Control):
            assert float(getattr(single, name)) == pytest.approx(float(getattr(batch, name)[row]), abs=ROUNDING)


def test_settings_may_differ_between_environments() -> None:
    at = everyday(2)
    both = rule_based(at.state, at.weather, load_rule_settings(tSpDay=np.array([18.0, 22.0])))
    for row, set_point in enumerate((18.0, 22.0)):
        alone = rule_based(*pick((at.state, at.weather), row), load_rule_settings(tSpDay=set_point))
        assert float(both.boiler[row]) == pytest.approx(float(alone.boiler), abs=ROUNDING)


def test_settings_are_overridden_by_name_or_symbol() -> None:
    settings = load_rule_settings("katzin2020_144m2", tSpDay=21.0, co2_band=-50.0)
    assert settings.temperature_day == 21.0
    assert settings.co2_band == -50.0
    assert settings.humidity_maximum == 90.0
    assert load_rule_settings() == RuleSettings()


def test_every_published_greenhouse_has_its_rule_settings() -> None:
    assert set(RULE_SETTINGS) == set(SETS)


def test_unknown_settings_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown rule settings 'greenlight_gym'; did you mean .*1p4ha"):
        load_rule_settings("greenlight_gym")
    with pytest.raises(UnknownNameError, match=r"'tSpDya'; did you mean .*'tSpDay'"):
        load_rule_settings(tSpDya=20.0)
    with pytest.raises(ValueRangeError, match=r"RuleSettings\.lamp_on is 25.*; expected 0 to 24 h"):
        load_rule_settings(lampTimeOn=25.0)


def test_a_band_of_no_width_is_refused() -> None:
    with pytest.raises(ValueRangeError, match=r"RuleSettings\.heating_band"):
        load_rule_settings(tHeatBand=0.0)
