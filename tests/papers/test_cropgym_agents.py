"""CropGym's agents that learn: how they are trained, what they come to, and what is drawn of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Hashable
from pathlib import Path

import jax
import numpy as np
import pytest

from phytotron.controllers.base import Constant, Replay
from phytotron.core.errors import PhytotronError
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.single_dose import Practice, schedule, single_dose
from phytotron.evaluation.scores import evaluate, evaluate_many
from phytotron.papers import trained as trained_runs
from phytotron.papers.cropgym.experiments import recipes
from phytotron.papers.cropgym.experiments.climates import northern_test, northern_training
from phytotron.papers.cropgym.experiments.dqn import figure5, table4
from phytotron.papers.cropgym.experiments.figure4 import figure4
from phytotron.papers.cropgym.experiments.learned import (
    difference_rows,
    learned,
    ppo_if_there,
    typical,
)
from phytotron.papers.cropgym.experiments.ppo import BREAK_EVEN, figure2, figure3, weekly_series
from phytotron.papers.cropgym.experiments.tables import table2, table3
from phytotron.papers.cropgym.numbers import P_NORTH, TABLE2
from phytotron.papers.registry import EXPERIMENTS, find_experiment
from phytotron.papers.result import Result, Settings
from phytotron.report.plotting import save
from phytotron.weather.field_weather import FieldWeather

MADE: dict[Hashable, WheatNitrogen] = {}
ROUNDING = 0.02  # g m-2: sums of a season in float32 against float64


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Those of tiny agents, trained in a folder of their own."""
    return Settings(quick=True, train=True, runs=tmp_path_factory.mktemp("runs"))


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents that learn next to nothing, in seconds, PPO in place of DQN; none comes with the package."""
    small = {"actor": (8,), "critic": (8,), "steps": 256, "rollout": 64, "minibatch": 32, "epochs": 1}
    ppo = dataclasses.replace(recipes.PPO, quick_changes=small)
    monkeypatch.setattr(trained_runs, "COMMITTED", Path("none"))
    for place in ("recipes.PPO", "ppo.PPO", "dqn.PPO", "dqn.DQN"):
        monkeypatch.setattr(f"phytotron.papers.cropgym.experiments.{place}", ppo)
    for module in ("learned", "ppo"):
        monkeypatch.setattr(f"phytotron.papers.cropgym.experiments.{module}.WheatNitrogen", task)


def task(weather: FieldWeather) -> WheatNitrogen:
    """The same for the same seasons, so that it is compiled once."""
    return MADE.setdefault((weather.sites, *map(int, weather.year)), WheatNitrogen(weather=weather))


def numbers(result: Result, setting: str) -> dict[str, float]:
    found = {row.quantity: row.ours for row in result.rows if row.setting == setting}
    return {quantity: value for quantity, value in found.items() if value is not None}


def draw(name: str, result: Result, folder: Path) -> None:
    save(find_experiment(f"cropgym/{name}").draw(result), folder / "figure.png")
    assert (folder / "figure.png").stat().st_size > 10_000


@pytest.mark.slow
def test_a_schedule_is_worth_the_same_to_a_policy_and_to_the_baselines() -> None:
    """The same run without nitrogen, the same price, the same unit: returns can be compared and subtracted."""
    weather = northern_test(None).weather.of(range(4))
    env = WheatNitrogen(weather=weather)
    once = evaluate(env, Replay(env, np.array([2, 0]))).values
    weekly = evaluate(env, Constant(1)).values
    with jax.enable_x64(True):
        single = single_dose(weather, 40.0)
        decisions = weekly["length"][0]
        doses = [(7 * (week + 1), np.where(week < decisions, 20.0, 0.0)) for week in range(int(decisions.max()))]
        always = schedule(weather, doses)
    for values, practice in ((once, single), (weekly, always)):
        np.testing.assert_allclose(values["return"][0], practice.episode_return, atol=ROUNDING)
        np.testing.assert_allclose(values["nitrogen"][0], practice.dose)
        np.testing.assert_allclose(values["yield"][0], practice.tonnes, atol=0.01 * ROUNDING)


def test_agents_are_trained_on_odd_years_with_the_papers_settings() -> None:
    made = recipes.northern_task(None)
    assert isinstance(made.environment, WheatNitrogen)
    assert all(int(year) % 2 == 1 for year in made.environment.seasons.year)
    assert made.options == {"weather": "embedded_wheat:train"}
    tested = {int(year) for year in northern_test(None).weather.year}
    assert not tested & {int(year) for year in northern_training(None).weather.year}
    assert (len(recipes.PPO.seeds), len(recipes.DQN.seeds)) == (15, 5)
    assert {recipes.PPO.preset, recipes.DQN.preset} == {"cropgym"} and recipes.DQN.agent == "dqn"


@pytest.mark.slow
def test_without_trained_agents_the_tables_say_how_to_train_them() -> None:
    result = table2(Settings(quick=True))
    assert not numbers(result, "RL") and numbers(result, "Ceres")
    assert any("--train" in note for note in result.notes)
    for experiment in (table4, figure2, figure3, figure5):
        with pytest.raises(PhytotronError, match=r"does not come trained .* --train"):
            experiment(Settings(quick=True))
    assert all(EXPERIMENTS[f"cropgym/{name}"].agents for name in ("table4", "figure2", "figure3", "figure5"))


@pytest.mark.slow
def test_tables_2_and_3_have_rl_beside_the_others(settings: Settings) -> None:
    for experiment in (table2, table3):
        result = experiment(settings)
        ours, apart = numbers(result, "RL"), numbers(result, "RL - SP")
        assert ours["cumulative reward"] < numbers(result, "Ceres")["cumulative reward"]
        assert ours["nitrogen, 95 % from"] <= ours["nitrogen"] <= ours["nitrogen, 95 % to"]
        assert 0.0 <= apart["cumulative reward, one-sided p"] <= 1.0
        found = result.series["agents"]
        assert np.shape(found["RL"]["yield"]) == (2, len(found["SP"]["yield"]))
        pairs = np.subtract(found["RL"]["yield"], found["SP"]["yield"])
        assert apart["yield"] == pytest.approx(np.median(pairs))
        assert any("embedded_wheat:train" in note for note in result.notes)
        assert json.dumps(result.as_dict(), allow_nan=False)


@pytest.mark.slow
def test_table4_has_dqn_in_both_climates(settings: Settings) -> None:
    result = table4(settings)
    for climate in ("Northern climate", "Southern climate"):
        assert numbers(result, f"{climate}: RL (DQN)")["yield"] > 2.0
        assert len(numbers(result, f"{climate}: RL (DQN) - SP")) == 12
    assert result.rows[0].paper == 115.60


@pytest.mark.slow
def test_figure2_draws_every_year_and_the_break_even_line(settings: Settings, tmp_path: Path) -> None:
    result = figure2(settings)
    agents = {name: {q: np.array(v) for q, v in each.items()} for name, each in result.series["agents"].items()}
    reward = agents["RL"]["cumulative reward"] - agents["SP"]["cumulative reward"]
    assert reward.shape == (6,)
    assert numbers(result, "RL - SP")["years above the break-even line"] == pytest.approx(100 * np.mean(reward > 0))
    with jax.enable_x64(True):  # the line is that of equal reward
        weather = northern_test(None).weather.of(range(3))
        one, other = single_dose(weather, 100.0), single_dose(weather, 160.0)
    np.testing.assert_allclose(
        100.0 * (one.tonnes - other.tonnes - BREAK_EVEN * (one.dose - other.dose)),
        one.episode_return - other.episode_return,
    )
    draw("figure2", result, tmp_path)


@pytest.mark.slow
def test_figure3_adds_up_to_the_scores(settings: Settings, tmp_path: Path) -> None:
    result = figure3(settings)
    weather = northern_test(None).weather.of(range(6))
    policies = trained_runs.trained(recipes.PPO, settings).policies
    weekly, scores = weekly_series(policies, weather), evaluate_many(task(weather), policies).values
    np.testing.assert_allclose(weekly.reward.sum(axis=2), scores["return"], atol=ROUNDING)
    np.testing.assert_allclose(weekly.dose.sum(axis=2), scores["nitrogen"])
    assert numbers(result, "RL")["applications of a season"] == np.median(scores["applications"])
    assert 180.0 < numbers(result, "RL")["length of an episode"] < 230.0
    assert result.series["nitrogen"]["50"][0] == 0.0
    assert result.series["nitrogen"]["50"][-1] == pytest.approx(np.median(scores["nitrogen"]))
    draw("figure3", result, tmp_path)


@pytest.mark.slow
def test_figures_4_and_5_have_the_agents_that_learn(settings: Settings, tmp_path: Path) -> None:
    result = figure4(settings)
    assert set(result.series["Southern climate"]["nitrogen"]) == {"Ceres", "SP", "RL"}
    papers = {row.quantity: row.paper for row in result.rows if row.setting == "Northern climate"}
    assert papers["correlation of rain and nitrogen, RL"] == 0.63
    draw("figure4", result, tmp_path)
    result = figure5(settings)
    assert [len(each["season"]) for each in result.series.values()] == [6, 6]
    assert numbers(result, "PPO and DQN, yield")["absolute difference, median"] == 0.0  # an agent and itself
    draw("figure5", result, tmp_path)


def test_differences_are_taken_before_the_median() -> None:
    rewards = np.array([[1.0, 10.0, 100.0], [3.0, 14.0, 90.0]])
    usual = np.array([0.0, 11.0, 95.0])
    one, other = (Practice(each, each, each, each, each) for each in (rewards, usual))
    rows = {row.quantity: row for row in difference_rows("RL - SP", one, other, TABLE2["RL - SP"], P_NORTH)}
    assert rows["cumulative reward"].ours == 2.0 and rows["cumulative reward"].paper == 3.33
    assert rows["nitrogen, one-sided p"].paper == P_NORTH[1]
    np.testing.assert_allclose(typical(one).dose, [2.0, 12.0, 95.0])


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "phytotron.papers.cropgym.experiments.recipes", None)
    agent, note = ppo_if_there(Settings())
    assert agent is None and "phytotron[agents]" in note
    with pytest.raises(PhytotronError, match=r"phytotron\[agents\]"):
        ppo_if_there(Settings(train=True))


@pytest.mark.slow
def test_learned_practice_keeps_what_depends_on_the_weather_alone(settings: Settings) -> None:
    weather = northern_test(None).weather.of(range(6))
    usual = single_dose(weather, 100.0)
    found = learned(trained_runs.trained(recipes.PPO, settings).policies, weather, usual)
    np.testing.assert_array_equal(found.harvest, usual.harvest)
    value = found.grain - found.zero_grain - 10.0 * found.dose / 10.0
    np.testing.assert_allclose(found.episode_return, value, atol=5.0 * ROUNDING)
