"""What reset tells and takes, pictures of any environment, and processes that cannot run."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import time
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from toy_environments import Countdown, DrawnCountdown

import phytotron
from phytotron.adapters import chart, sharing
from phytotron.adapters.gymnasium_env import GymnasiumEnv
from phytotron.adapters.vector_env import PhytotronVectorEnv
from phytotron.core.errors import PhytotronError, RenderingError, ShapeError, ValueRangeError

LETTUCE = "phytotron/Lettuce-v0"
OPTIONS: dict[str, Any] = {"weather": "train", "episode_days": 0.5}


@pytest.fixture(scope="module")
def lettuce() -> gymnasium.Env[Any, Any]:
    return gymnasium.make(LETTUCE, render_mode="rgb_array", **OPTIONS)


def test_reset_tells_date_window_and_weather_and_takes_a_start(lettuce: gymnasium.Env[Any, Any]) -> None:
    env = lettuce.unwrapped
    assert isinstance(env, GymnasiumEnv)
    _, info = env.reset(seed=0)
    assert info["weather"] == "train" and info["window"] in env.environment.starts().labels
    assert info["date"] == f"{info['window']}T00:00"
    drawn, again = env.reset(seed=0)[1]["window"], env.reset(seed=0)[1]["window"]
    assert drawn == again
    observation, info = env.reset(seed=0, options={"start": "2014-05-01"})
    assert info["window"] == "2014-05-01"
    alone = phytotron.make(LETTUCE, **OPTIONS | {"weather": 121})  # 1 May
    assert alone.starts().labels == ("2014-05-01",)
    env.step(env.action_space.sample())
    assert str(env.environment.date(env.state)) == "2014-05-01T00:30"
    functional = GymnasiumEnv(alone)
    assert np.array_equal(functional.reset(seed=0)[0], observation)
    for options, kind, message in (
        ({"start": "2010-05-01"}, ValueRangeError, "'2010-05-01'; expected one of 2014-03-21 to 2014-10-19"),
        ({"day": 3}, PhytotronError, "no option 'day'; its options are 'start', such as"),
        ({"start": 3}, ValueRangeError, "a text such as"),
    ):
        with pytest.raises(kind, match=message):
            env.reset(options=options)


def test_a_batch_takes_a_start_for_all_or_one_for_each() -> None:
    env = gymnasium.make_vec(LETTUCE, num_envs=2, **OPTIONS)
    _, info = env.reset(seed=0, options={"start": ["2014-05-01", "2014-06-01"]})
    assert info["window"].tolist() == ["2014-05-01", "2014-06-01"] and info["_window"].all()
    first = env.unwrapped.state.first_row
    _, info = env.reset(options={"start": "2014-06-01", "reset_mask": np.array([True, False])})
    assert info["_date"].tolist() == [True, False]
    assert np.asarray(env.unwrapped.state.first_row).tolist() == [int(first[1])] * 2
    with pytest.raises(ShapeError, match="one start per environment"):
        env.reset(options={"start": ["2014-05-01"]})
    with pytest.raises(PhytotronError, match=r"no option 'day'; its options are 'start', .*'reset_mask'"):
        env.reset(options={"day": 1})


def test_an_environment_without_a_calendar_tells_nothing() -> None:
    env = GymnasiumEnv(Countdown())
    assert env.reset(seed=0)[1] == {}
    with pytest.raises(ValueRangeError, match="none, as its starts have no names"):
        env.reset(options={"start": "2010"})


def test_any_environment_is_drawn_by_its_channels_in_less_than_a_tenth_of_a_second(
    lettuce: gymnasium.Env[Any, Any],
) -> None:
    env = lettuce.unwrapped
    env.reset(seed=0)
    pictures, seconds = [env.render()], []
    for _ in range(8):
        env.step(env.action_space.sample())
        begun = time.process_time()
        pictures.append(env.render())
        seconds.append(time.process_time() - begun)
    assert all(each.shape == (540, 960, 3) and each.dtype == np.uint8 for each in pictures)
    assert all(not np.array_equal(one, other) for one, other in itertools.pairwise(pictures))
    assert min(seconds) < 0.1
    check_env(env)  # draws it, as it has a specification


def test_a_batch_draws_what_the_single_environments_do() -> None:
    batch = PhytotronVectorEnv(Countdown(), 2, render_mode="rgb_array")
    singles = [GymnasiumEnv(Countdown(), render_mode="rgb_array") for _ in range(2)]
    batch.reset(seed=3)
    for number, single in enumerate(singles):
        single.reset(seed=3 + number)
    action = np.full(2, 0.3, np.float32)
    for _ in range(2):
        batch.step(np.stack([action, action]))
        for single in singles:
            single.step(action)
    pictures = batch.render()
    assert pictures is not None
    for drawn, single in zip(pictures, singles, strict=True):
        assert np.array_equal(drawn, single.render())


def test_a_chart_writes_units_with_superscripts_and_what_is_negligible_as_0() -> None:
    drawn = chart.Chart([chart.Panel("heat supplied", "heat", "MJ m-2"), chart.Panel("share", "share", "-")])
    drawn.draw("title", "step", np.array([[7.567e-22, 0.25], [3.25, 12_345.6]]))
    shown = [text.get_text() for text in drawn._axes.texts]
    assert "heat supplied [MJ m⁻²]" in shown and "share" in shown
    assert [shown.count(each) for each in ("0", "3.25", "12,346", "0.25")] == [1, 2, 2, 1]


def test_without_matplotlib_there_are_no_pictures_and_the_rest_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "drawing_is_possible", lambda: False)
    env = gymnasium.make(LETTUCE, **OPTIONS).unwrapped
    assert env.metadata["render_modes"] == []
    check_env(env)
    with pytest.raises(TypeError, match=r"pip install 'phytotron\[report\]'"):  # which Stable-Baselines3 answers
        gymnasium.make(LETTUCE, render_mode="rgb_array", **OPTIONS)
    monkeypatch.setattr(chart, "drawing_is_possible", lambda: False)
    with pytest.raises(RenderingError, match="matplotlib"):
        chart.Chart([])
    with pytest.raises(RenderingError, match="matplotlib"):
        GymnasiumEnv(DrawnCountdown(), render_mode="rgb_array")


FORKED = """
import gymnasium, phytotron
if __name__ == "__main__":
    env = gymnasium.make_vec("phytotron/Lettuce-v0", 2, "async", vector_kwargs=dict(context=CONTEXT), episode_days=0.5)
    try:
        print(env.reset(seed=0)[0].shape)
    except phytotron.core.errors.PhytotronError as error:
        print("refused:", error)
    env.close(terminate=True)
"""


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("fork", 'refused: this process was forked.*vector_kwargs={"context": "spawn"}'),
        pytest.param("spawn", r"\(2, 12\)", marks=pytest.mark.slow),
    ],
)
def test_processes_that_cannot_run_say_so_at_once_and_others_run(tmp_path: Any, context: str, expected: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(FORKED.replace("CONTEXT", repr(context)))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=100)
    assert re.search(expected, done.stdout), done.stdout + done.stderr
