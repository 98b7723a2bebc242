"""Scores are the totals of whole episodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from toy_environments import Countdown

from phytotron.agents.actions import Scaling
from phytotron.agents.networks import mlp
from phytotron.agents.normalisation import Moments
from phytotron.agents.policy import Policy
from phytotron.controllers import Constant, Random
from phytotron.core.environment import Measure, Starts
from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box
from phytotron.environments.greenhouse import Greenhouse, RuleBased
from phytotron.environments.wheat import WheatNitrogen
from phytotron.episodes import totals as episode_totals
from phytotron.episodes.recording import run_episodes
from phytotron.evaluation.examination import examine
from phytotron.evaluation.scores import evaluate, evaluate_many, load_scores, save_scores


class CountedCountdown(Countdown):
    """Counts down from its parameter, with one start for 2 to 6 each."""

    measures = (
        Measure(Quantity("age", "age", "-", "sum of the ages"), lambda info: info["age"]),
        Measure(Quantity("late", "late", "-", "mean lateness"), lambda info: info["costs"]["late"], mean=True),
    )

    def initial(self, key: Any, params: Any) -> Any:
        state = {"left": jnp.asarray(params, jnp.int32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state, jnp.zeros((), jnp.float32)), state

    def starts(self, params: Any = None) -> Starts:
        return Starts(jnp.arange(2, 7), 0, tuple(f"from {n}" for n in range(2, 7)))


def policy(seed: int, seen: int, space: Box | int) -> Policy:
    given = space if isinstance(space, int) else space.shape[0]
    scaling, head = (None, "categorical") if isinstance(space, int) else (Scaling.of(space), "gaussian")
    network = mlp(jax.random.key(seed), seen, (8,), given, "tanh")
    return Policy(network, Moments.of_nothing((seen,)), jnp.zeros(given, jnp.float32), scaling, head, 10.0)


def test_totals_are_those_by_hand() -> None:
    scores = evaluate(CountedCountdown(), Constant(jnp.asarray([0.5, 0.0])))
    assert scores.labels == ("from 2", "from 3", "from 4", "from 5", "from 6") and scores.names == ("age", "late")
    np.testing.assert_array_equal(scores.values["length"], [[2, 3, 4, 4, 4]])  # the end, or four steps
    # What is left after each step, and half a point per step
    returns = [1 + 0, 2 + 1 + 0, 3 + 2 + 1 + 0, 4 + 3 + 2 + 1, 5 + 4 + 3 + 2]
    np.testing.assert_array_equal(scores.values["return"], [np.add(returns, np.multiply(0.5, [2, 3, 4, 4, 4]))])
    np.testing.assert_array_equal(scores.values["age"], [[3, 6, 10, 10, 10]])
    np.testing.assert_array_equal(scores.values["late"], np.zeros((1, 5)))
    assert scores.values["age"].dtype == np.float64


def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    env = CountedCountdown()
    whole = evaluate(env, Random(env), seed=4)
    monkeypatch.setattr(episode_totals, "CHUNK", 3)  # 4 steps in two chunks of 2
    told: list[tuple[int, int]] = []
    parts = evaluate(env, Random(env), seed=4, progress=lambda *done: told.append(done))
    np.testing.assert_allclose(parts.values["return"], whole.values["return"], rtol=1e-6)
    assert told == [(2, 4), (4, 4)]


class BrokenCountdown(CountedCountdown):
    """Gives a reward that is not a number where it counts down from 5, and a measure that is undefined there."""

    measures = (Measure(Quantity("ratio", "r", "-", "ratio"), lambda info: info["age"] / info["zero"]),)

    def __init__(self, reward: bool) -> None:
        super().__init__()
        self.reward = reward

    def transition(self, key: Any, state: Any, action: Any, params: Any) -> Any:
        *made, info = super().transition(key, state, action, params)
        broken = jnp.asarray(params) == 5
        made[2] = jnp.where(broken & self.reward, jnp.nan, made[2])
        return (*made, info | {"zero": jnp.where(broken, 0.0, 1.0)})


@pytest.mark.parametrize("judge", [evaluate, lambda env, controller: examine(env, [controller])])
def test_a_return_that_is_not_finite_is_refused_by_task_and_start(judge: Any) -> None:
    words = "return of test/Countdown-v0 from from 5 is nan, .*`phytotron check` on the environment"
    with pytest.raises(PhytotronError, match=words):
        judge(BrokenCountdown(reward=True), Constant(jnp.zeros(2)))


def test_a_measure_may_be_undefined_in_an_episode_and_in_a_file_of_scores(tmp_path: Path) -> None:
    scores = evaluate(BrokenCountdown(reward=False), Constant(jnp.zeros(2)))
    assert np.isfinite(scores.values["ratio"]).tolist() == [[True, True, True, False, True]]
    save_scores(tmp_path / "x", scores)
    np.testing.assert_array_equal(load_scores(tmp_path / "x").values["ratio"], scores.values["ratio"])


def test_many_policies_are_what_each_is_alone_and_are_compiled_once() -> None:
    env = CountedCountdown()
    policies = [policy(seed, 3, env.action_space) for seed in range(3)]
    alone = [evaluate(env, each) for each in policies]
    traces = env.traces
    assert np.ptp([float(each.values["return"].sum()) for each in alone]) > 0.0
    again = [evaluate(env, each) for each in reversed(policies)]
    assert env.traces == traces, "compiled again for another policy"
    np.testing.assert_array_equal(again[0].values["return"], alone[2].values["return"])
    together = evaluate_many(env, policies)
    assert together.rows == 3
    for name in together.values:
        np.testing.assert_allclose(together.values[name], np.concatenate([each.values[name] for each in alone]), 1e-6)
    mixed = evaluate_many(env, [policies[0], Constant(jnp.zeros(2)), policy(0, 3, env.action_space)])
    assert mixed.values["return"].shape == (3, 5)
    np.testing.assert_array_equal(mixed.values["return"][0], mixed.values["return"][2])


def test_episodes_are_drawn_by_seed_where_starts_cannot_be_counted() -> None:
    env = Countdown()
    returns = [
        evaluate(env, Constant(jnp.zeros(2)), seed=seed, episodes=30).values["return"].tolist() for seed in (0, 0, 1)
    ]
    assert returns[0] == returns[1] != returns[2]
    assert evaluate(env, Constant(jnp.zeros(2))).labels[9] == "episode 9"


def test_windows_can_be_thinned_out() -> None:
    env = CountedCountdown()
    scores = evaluate(env, Constant(jnp.zeros(2)), episodes=3)
    assert scores.labels == ("from 2", "from 4", "from 6")
    np.testing.assert_array_equal(scores.values["length"], [[2, 4, 4]])
    with pytest.raises(PhytotronError, match="episodes is 0"):
        evaluate(env, Constant(jnp.zeros(2)), episodes=0)


@pytest.mark.slow
def test_greenhouse_totals_are_those_of_whole_series() -> None:
    # Which solver it is makes no difference here, and this one is compiled soonest.
    env = Greenhouse(episode_days=0.25, weather="embedded:test", solver="euler")
    scores = evaluate(env, RuleBased(env))
    params, axes, labels = env.starts()
    keys = jax.random.split(jax.random.key(0), len(labels))
    series = run_episodes(env, RuleBased(env), keys, env.episode_steps, params, axes)
    info = {name: np.asarray(each, np.float64) for name, each in series.info.items() if name != "costs"}
    expected = {
        "return": series.reward.sum(axis=1, dtype=np.float64),
        **{name: info[name].sum(axis=1) for name in ("profit", "gas", "co2", "electricity")},
        "harvest": info["harvest"].sum(axis=1) / env.default_params.model.fruit_dry_matter,
        **{f"{name}_in_bounds": (each == 0.0).mean(axis=1) for name, each in series.info["costs"].items()},
    }
    assert scores.labels == labels and set(scores.names) == set(expected) - {"return"}
    np.testing.assert_array_equal(scores.values["length"], 72.0)
    for name, wanted in expected.items():
        np.testing.assert_allclose(scores.values[name][0], wanted, rtol=2e-5, atol=1e-7, err_msg=name)  # float32 model
    money = 1.6 * expected["harvest"] - 0.26 * expected["gas"] - 0.1 * expected["co2"]
    np.testing.assert_allclose(expected["profit"], money, rtol=1e-4)


@pytest.mark.slow
def test_wheat_policies_are_scored_in_every_season() -> None:
    env = WheatNitrogen(weather="embedded_wheat:test")
    scores = evaluate_many(env, [policy(seed, env.observation_space.shape[0], 3) for seed in range(2)])
    assert scores.values["yield"].shape == (2, len(env.starts().labels)) and scores.units["yield"] == "t ha-1"
    grain = scores.values["yield"] - scores.values["zero_yield"]
    nitrogen = scores.values["nitrogen"]
    np.testing.assert_allclose(scores.values["return"], 100.0 * grain - nitrogen, atol=0.02)  # g m-2; beta is 10


def test_scores_go_through_files(tmp_path: Path) -> None:
    scores = evaluate(CountedCountdown(), Constant(jnp.zeros(2)))
    save_scores(tmp_path / "rule.5", scores, {"controller": "off", "weather": None})
    for name in ("rule.5", "rule.5.npz", "rule.5.json"):
        loaded = load_scores(tmp_path / name)
        assert (loaded.labels, loaded.names, loaded.units) == (scores.labels, scores.names, scores.units)
        assert loaded.about == {"format": "phytotron-scores-1", "controller": "off", "weather": None}
        for each in scores.values:
            np.testing.assert_array_equal(loaded.values[each], scores.values[each])


def test_bad_score_files_are_refused(tmp_path: Path) -> None:
    scores = evaluate(CountedCountdown(), Constant(jnp.zeros(2)))
    broken = replace(scores, values=dict(scores.values) | {"return": scores.values["return"] * np.nan})
    with pytest.raises(PhytotronError, match="return is not finite in from 2"):
        save_scores(tmp_path / "x", broken)
    with pytest.raises(PhytotronError, match="no scores can be read"):
        load_scores(tmp_path / "x")
    save_scores(tmp_path / "x", replace(scores, labels=scores.labels[1:]))
    with pytest.raises(PhytotronError, match="for 4 labels"):
        load_scores(tmp_path / "x")
    for about, problem in (("{}", "not of the format"), ("[" * 100_000, "no scores can be read")):
        np.savez(tmp_path / "x.npz", **scores.values, about=np.array(about))
        with pytest.raises(PhytotronError, match=problem):
            load_scores(tmp_path / "x")
    (tmp_path / "x.npz").write_bytes((tmp_path / "x.npz").read_bytes()[:50])
    with pytest.raises(PhytotronError, match="no scores can be read"):
        load_scores(tmp_path / "x")
