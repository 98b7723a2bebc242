"""Schedules as files: what they say is done when they say it, and what cannot be is refused with a remedy."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Corridor, Countdown

from phytotron.controllers.schedule_file import read_schedule
from phytotron.core.errors import DataFileError
from phytotron.core.fields import Quantity
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.lettuce import Lettuce
from phytotron.environments.setpoint import GreenhouseSetpoint
from phytotron.environments.wheat import Continuous, WheatNitrogen
from phytotron.episodes.recording import trajectories
from phytotron.evaluation.scores import evaluate

SEASON = "Wageningen (Haarweg) 1977"


@pytest.fixture(scope="module")
def wheat() -> WheatNitrogen:
    return WheatNitrogen(years=1977)


def write(folder: Path, text: str) -> Path:
    path = folder / "schedule.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_doses_are_given_at_the_last_decision_up_to_their_date(wheat: WheatNitrogen, tmp_path: Path) -> None:
    path = write(tmp_path, "date,nitrogen [kg ha-1]\n1977-02-24,20\n1977-02-20,20\n04-29,20\n1978-03-01,40\n")
    found = read_schedule(path, wheat, SEASON)
    doses = dict(zip(np.flatnonzero(~np.isnan(found.controller.rows[:, 0])), [40.0, 20.0], strict=True))
    # Decisions are on 7 January and every seven days from there: 18 February is the 7th, 29 April the 17th.
    assert doses == {6: 40.0, 16: 20.0} and found.unused == 1
    amounts = [found.controller.scheduling.act({"nitrogen": jnp.asarray(each)}, None, None) for each in (40.0, jnp.nan)]
    assert [int(each) for each in amounts] == [2, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("date,nitrogen\n1977-03-01,60", r"60 kg ha-1 at one decision.*--option 'doses=\[0, 20, 40, 60\]'"),
        ("date,nitrogen\n1977-03-01,-1", "line 2: nitrogen is '-1'; expected 0 to 40 kg ha-1"),
        ("date,nitrogen\n1977-03-01,much", "line 2: nitrogen is 'much'"),
        ("date,nitrogen\n1977-02-30,20", "line 2: '1977-02-30' is no time; expected a date"),
        ("date,nitrogen\n02-30,20", "line 2: '02-30' is no time; expected a date"),
        ("date,nitrogen\n02-29,20", "no line of it lies in the episode"),
        ("date,nitrogen\n1977-01-02,20", "line 2: 1977-01-02 is before the first decision; it is on 1977-01-07"),
        (
            "date,nitrogen\n1990-03-01,20",
            f"no line of it lies in the episode of {SEASON}".replace("(", r"\(").replace(")", r"\)"),
        ),
        ("date,nitrogen [g m-2]\n1977-03-01,2", "nitrogen is in 'g m-2'; convert it to 'kg ha-1'"),
        ("date,boiler\n1977-03-01,1", r"'boiler' is nothing that .* is scheduled by; known: nitrogen \[kg ha-1\]"),
        ("date;nitrogen;nitrogen\n1977-03-01;20;20", "has two columns of nitrogen"),
        ("day,nitrogen\n1,20", "begins with 'day'; begin its first line with time or date or step"),
        ("date,nitrogen\n", "has no line below its names"),
        ("date,nitrogen\n1977-03-01", "line 2 has 1 cells for 2 columns"),
        ("", "begins with nothing"),
    ],
)
def test_what_a_schedule_cannot_say_is_refused(wheat: WheatNitrogen, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=rf"schedule\.csv: .*{message}"):
        read_schedule(write(tmp_path, text), wheat, SEASON)
    with pytest.raises(DataFileError, match="cannot be read"):
        read_schedule(tmp_path / "none.csv", wheat, SEASON)


@pytest.mark.parametrize(("year", "given"), [(1976, 20.0), (1977, 0.0)])
def test_the_29th_of_february_is_left_out_of_years_that_lack_it(year: int, given: float, tmp_path: Path) -> None:
    env = WheatNitrogen(weather="wageningen", years=year)
    path = write(tmp_path, "date,nitrogen\n02-29,20\n04-29,40\n")
    rows = read_schedule(path, env, f"Wageningen (Haarweg) {year}").controller.rows
    assert np.nansum(rows[:, 0]) == given + 40.0


def test_any_dose_can_be_had_where_doses_are_continuous(tmp_path: Path) -> None:
    env = WheatNitrogen(years=1977, doses=Continuous(100), irrigation=Continuous(30))
    path = write(tmp_path, "date,nitrogen,irrigation\n03-01,33,\n06-01,,12\n")
    rows = read_schedule(path, env, SEASON).controller.rows
    assert np.nansum(rows[:, 0]) == 33.0 and np.nansum(rows[:, 1]) == 12.0


def test_times_of_every_day_hold_until_the_next_and_from_the_evening_before(tmp_path: Path) -> None:
    env = Lettuce(episode_days=1.0)
    path = write(tmp_path, "time,heating\n06:00,50\n18:00,20\n")
    found = read_schedule(path, env, "2014-02-09")
    series = trajectories(env, [found.controller])["heating"][0, 0]
    assert series[:2].tolist() == [35.0, 20.0] and series[11] == 20.0  # down from 50 in steps of 15
    assert series[12:14].tolist() == [35.0, 50.0] and series[-1] == 20.0


def test_an_empty_cell_changes_nothing_and_a_line_of_units_is_no_line(tmp_path: Path) -> None:
    path = write(tmp_path, "time,heating,ventilation\nUTC,W m-2,mm s-1\n2014-02-09,20,1\n2014-02-09T01:00Z,,2\n")
    rows = read_schedule(path, Lettuce(episode_days=0.1), "2014-02-09").controller.rows
    assert rows[:4].tolist() == [[20, 1], [20, 1], [20, 2], [20, 2]]


def test_actions_themselves_are_scheduled_where_a_task_says_nothing_else(tmp_path: Path) -> None:
    path = write(tmp_path, "step,push\n1,0.5\n")
    controller = read_schedule(path, Countdown(), "episode 0").controller
    assert [controller.act(jax.random.key(0), n, None, None, None)[0].tolist() for n in (0, 1, 2)] == [
        [-1.0, -1.0], [0.5, -1.0], [0.5, -1.0],
    ]  # fmt: skip
    path = write(tmp_path, "step,action\n0,2\n")
    assert int(read_schedule(path, Corridor(), "x").controller.act(jax.random.key(0), 0, None, None, None)[0]) == 2
    kept = read_schedule(write(tmp_path, "step,action\n0,1\n1,2\n"), Corridor(), "x").controller
    assert evaluate(Corridor(), kept).values["return"].mean() <= -4.0  # stays once, then goes right
    way = Quantity("way", "w", "-", "way to go", 0.0, 2.0)

    class Described(Corridor):
        fields = {"action": (way,)}  # noqa: RUF012

    for column in ("way", "action"):  # its name, and its symbol in schedules
        found = read_schedule(write(tmp_path, f"step,{column}\n0,2\n"), Described(), "x").controller
        assert int(found.act(jax.random.key(0), 0, None, None, None)[0]) == 2
    Described.fields = {"action": (way, Quantity("speed", "v", "-", "speed", 0.0, 1.0))}
    assert [each.name for each in Described().scheduling.quantities] == ["action"]  # which says more than "way"
    words = r"Corridor-v0 have no dates, as it has no `presentation.timeline`; name .* step, or give .*\(timeline="
    with pytest.raises(DataFileError, match=words):
        read_schedule(write(tmp_path, "date,action\n2010-01-01,2\n"), Corridor(), "x")


def test_positions_and_set_points_of_a_greenhouse_leave_the_rest_to_the_rules() -> None:
    env = Greenhouse(first_day=61, years=2010)
    _, state = env.initial(jax.random.key(0), env.default_params)
    act, now = env.scheduling.act, env.default_params
    names = list(env.processing.actuators)
    ruled = np.asarray(act({}, state, now))
    vent = np.asarray(act({"roof_vent": jnp.asarray(0.25)}, state, now))
    assert vent[names.index("roof_vent")] == pytest.approx(-0.5)
    assert np.delete(vent, names.index("roof_vent")) == pytest.approx(np.delete(ruled, names.index("roof_vent")))
    cold = act({"temperature_day": jnp.asarray(5.0), "temperature_night": jnp.asarray(5.0)}, state, now)
    assert float(cold[names.index("boiler")]) < float(ruled[names.index("boiler")])
    unsaid = act({"roof_vent": jnp.asarray(jnp.nan)}, state, now)
    assert np.asarray(unsaid) == pytest.approx(ruled)


def test_a_choice_that_does_not_exist_is_refused_without_a_unit(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"action of 1\.5 cannot be had; choose one of 0, 1, 2$"):
        read_schedule(write(tmp_path, "step,action\n0,1.5\n"), Corridor(), "x")


def test_set_points_are_whole_degrees(tmp_path: Path) -> None:
    env = GreenhouseSetpoint(first_day=100, years=2010, episode_days=1)
    _, state = env.initial(jax.random.key(0), env.default_params)
    assert int(env.scheduling.act({"set_point": jnp.asarray(21.0)}, state, env.default_params)) == 3
    assert int(env.scheduling.act({"temperature_night": jnp.asarray(19.0)}, state, env.default_params)) == 1  # midnight
    with pytest.raises(DataFileError, match=r"set_point of 21\.5 °C cannot be had; choose one of 18, 19"):
        read_schedule(write(tmp_path, "time,set_point\n00:00,21.5\n"), env, "2010-04-10")
