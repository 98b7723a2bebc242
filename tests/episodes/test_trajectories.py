"""Trajectories: every number of every step, under its name, with its unit and its time."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from toy_environments import Count, Countdown
from weather_parts import PartedAiming

import phytotron
from phytotron.controllers import Constant, make_controller
from phytotron.core.environment import Info
from phytotron.core.errors import EndedEarlyWarning, PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Channel, Timeline
from phytotron.environments.lettuce import Lettuce
from phytotron.episodes.engine import window
from phytotron.episodes.recording import Episodes, run_episodes, trajectories
from phytotron.episodes.trajectories import Trajectories, data_columns

LETTUCE, HALF_A_DAY = "phytotron/Lettuce-v0", 24


@pytest.fixture(scope="module")
def env() -> Lettuce:
    return Lettuce(episode_days=0.5)


@pytest.fixture(scope="module")
def found(env: Lettuce) -> Trajectories:
    return phytotron.run(env, "rule-based")


@pytest.fixture(scope="module")
def episodes(env: Lettuce) -> Episodes:
    starts, keys = window(env), jax.random.split(jax.random.key(0), 1)
    return run_episodes(env, make_controller("rule-based", env), keys, HALF_A_DAY, starts.params, starts.axes)


def test_times_are_those_of_the_states(found: Trajectories) -> None:
    times = found.times[0, 0]
    assert str(times[0]) == "2014-02-09T00:00:00" and str(times[-1]) == "2014-02-09T11:30:00"
    assert float(found["temperature"][0, 0, 0]) == 15.0


def test_episodes_played_with_all_their_states_give_the_same(found: Trajectories, episodes: Episodes) -> None:
    other = episodes.trajectories(found.labels)
    assert other.columns == found.columns and np.all(other.times == found.times)
    for each in found.columns:
        np.testing.assert_allclose(other[each.name], found[each.name], rtol=1e-5, atol=1e-6, err_msg=each.name)
    assert found["reward"].sum() == pytest.approx(episodes.reward.sum(), rel=1e-5)
    with pytest.raises(PhytotronError, match="2 labels for 1 episodes"):
        episodes.trajectories(["a", "b"])


def test_controls_are_those_of_the_step(found: Trajectories, episodes: Episodes) -> None:
    later = np.append(episodes.state.control.heating[0, 1:], episodes.final.control.heating[0])
    np.testing.assert_allclose(found["heating"][0, 0], later, rtol=1e-6)


def test_a_csv_file_has_names_units_and_a_line_for_every_step(found: Trajectories, tmp_path: Path) -> None:
    found.write_csv(tmp_path / "new" / "run.csv")
    with (tmp_path / "new" / "run.csv").open(encoding="utf-8", newline="") as file:
        names, units, *rows = csv.reader(file)
    assert names[:4] == ["episode", "step", "time", "dry_weight"] and len(rows) == HALF_A_DAY
    told = dict(zip(names, units, strict=True))
    assert told["time"] == "UTC" and told["temperature"] == "°C" and told["cost_co2"] == "ppm"
    assert rows[1][:3] == ["2014-02-09", "1", "2014-02-09T00:30:00Z"]
    for name in ("temperature", "reward", "measure_heat"):
        written = [float(row[names.index(name)]) for row in rows]
        np.testing.assert_allclose(written, found[name][0, 0], rtol=1e-6)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["run.csv"]


def test_a_file_that_cannot_be_written_is_one_clear_line(found: Trajectories, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PhytotronError, match=r"run\.csv: cannot be written .*; choose another place"):
        found.write_csv(tmp_path / "file" / "run.csv")


def test_a_parquet_file_keeps_units_and_digits(found: Trajectories, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found.write_parquet(tmp_path / "run.parquet")
    table = parquet.read_table(tmp_path / "run.parquet")
    assert table.schema.field("temperature").metadata[b"unit"] == "°C".encode()
    assert table.schema.field("time").type.tz == "UTC" and table.num_rows == HALF_A_DAY
    np.testing.assert_array_equal(table["temperature"].to_numpy(), found["temperature"][0, 0])


def test_a_frame_has_times_in_utc_and_units(found: Trajectories) -> None:
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert str(frame["time"].dt.tz) == "UTC" and len(frame) == HALF_A_DAY
    assert frame.attrs["units"]["heating"] == "W m-2"


def test_a_dataset_of_one_episode_is_over_time(found: Trajectories, episodes: Episodes) -> None:
    pytest.importorskip("xarray")
    data = found.to_xarray()
    assert data["temperature"].dims == ("time",) and data["temperature"].attrs["units"] == "°C"
    assert data.attrs["environment"] == LETTUCE
    assert episodes.to_xarray()["temperature"].dims == ("episode", "step")  # its label is no date


@pytest.mark.parametrize(("method", "package"), [("to_frame", "pandas"), ("to_xarray", "xarray")])
def test_a_missing_extra_is_one_line_that_says_how_to_install_it(
    found: Trajectories, method: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PhytotronError, match=rf"needs {package}; .* pip install 'phytotron\[data\]'"):
        getattr(found, method)()


def test_the_number_of_a_choice_is_one_column_although_the_task_shows_it_as_well() -> None:
    env = PartedAiming(choices=True)
    assert [each.name for each in env.channels] == ["mark", "action"]
    found = [each.name for each in data_columns(env, ())]
    assert found.count("action") == 1 and sorted(found) == [
        "action",
        "age",
        "mark",
        "mark_1",
        "measure_action",
        "reward",
    ]


def test_two_columns_of_one_name_are_refused_before_anything_is_recorded() -> None:
    class Twice(Countdown):
        channels = (*Countdown().channels, Channel(Quantity("reward", "r", "-", "another"), lambda step: step.reward))

    steps: list[int] = []
    with pytest.raises(PhytotronError, match=r"2 columns of data .* have the name 'reward'; rename its channel"):
        trajectories(Twice(), [Constant(np.zeros(2, np.float32))], progress=lambda done, _: steps.append(done))
    assert not steps


def test_a_state_may_hold_a_random_key() -> None:
    class Keyed(Countdown):
        def initial(self, key: Array, params: float) -> Any:
            observation, state = super().initial(key, params)
            return observation, state | {"key": key}

        def transition(self, key: Array, state: Any, *rest: Any) -> Any:
            observation, after, *others = super().transition(key, state, *rest)
            return observation, after | {"key": state["key"]}, *others

    keys = jax.random.split(jax.random.key(0), 2)
    played = run_episodes(Keyed(), Constant(np.zeros(2, np.float32)), keys, 4)
    assert played.state["key"].shape == (2, 4, 2) and (played.state["key"][:, 3] == played.final["key"]).all()


def test_the_origin_of_time_is_the_label_or_its_year() -> None:
    seasons, days = Timeline(7.0, 13.0, calendar=True), Timeline(0.5, 0.5, at_start=True)
    assert str(seasons.times("Wageningen 1992", seasons.starts(2) + 7.0)[0]) == "1992-01-14T00:00:00"
    assert [str(each) for each in days.times("2010-03-01", days.starts(2))] == [
        "2010-03-01T00:00:00", "2010-03-01T12:00:00",
    ]  # fmt: skip
    assert np.isnat(days.times("episode 3", days.starts(2))).all()


# Episodes that end early


class Fragile(Countdown):
    """Countdown that says why it ends: all of it is used up."""

    id = "test/Fragile-v0"

    def reason(self, info: Info) -> str:
        return "nothing is left" if int(info["costs"]["late"]) == 0 and int(info["age"]) < 4 else ""

    def initial(self, key: Array, params: float) -> tuple[Array, Count]:
        state = {"left": jnp.asarray(2, jnp.int32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state, jnp.zeros((), jnp.float32)), state


@pytest.fixture
def fragile() -> Iterator[Fragile]:
    yield Fragile()


def test_an_early_end_is_said_with_its_step_and_reason(fragile: Fragile) -> None:
    still = Constant(np.zeros(2, np.float32))
    with pytest.warns(EndedEarlyWarning, match="episode 0 ended early, at step 2 of 4: nothing is left"):
        played = run_episodes(fragile, still, jax.random.split(jax.random.key(0), 1), 4)
    assert played.active.tolist() == [[True, True, False, False]]
    found = trajectories(fragile, [still], window(fragile))
    assert found.endings == ("episode 0 ended early, at step 2 of 4: nothing is left",)
    assert len(found.rows("reward")) == 2
    with pytest.warns(EndedEarlyWarning, match="nothing is left"):
        phytotron.run(fragile, still)
