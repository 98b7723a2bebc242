"""Agents of GreenLight-Gym: which windows they are judged on, what the tables and figures are made of."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from shared_data import shared

from phytotron.core.errors import PhytotronError
from phytotron.evaluation.attainable import Attainable
from phytotron.evaluation.examination import AverageDay
from phytotron.evaluation.scores import Scores
from phytotron.papers import trained as trained_module
from phytotron.papers.greenlight_gym.experiments import recipes, sensitivity
from phytotron.papers.greenlight_gym.experiments.average_days import CLIMATE, POSITIONS, with_interval
from phytotron.papers.greenlight_gym.experiments.controllers import (
    agent_rows,
    controller_rows,
    controller_series,
    oracle_rows,
)
from phytotron.papers.greenlight_gym.experiments.controllers import test_rows as rank_rows
from phytotron.papers.greenlight_gym.experiments.judged import Judged
from phytotron.papers.greenlight_gym.experiments.recipes import REWARDS, recipe, training_task, windows_task
from phytotron.papers.greenlight_gym.experiments.seeds import (
    curve_rows,
    distance_rows,
    learning_curve,
    seed_rows,
    seed_series,
)
from phytotron.papers.greenlight_gym.experiments.seeds import training_series as training_panels
from phytotron.papers.greenlight_gym.experiments.windows import Windows, windows_at_hand
from phytotron.papers.greenlight_gym.numbers import TABLE10, TABLE11_AGENTS
from phytotron.papers.registry import EXPERIMENTS, find_experiment
from phytotron.papers.result import Result, Settings
from phytotron.papers.trained import Trained
from phytotron.report.plotting import save
from phytotron.training.presets import make_settings
from phytotron.weather.splits import SCHIPHOL

NEW = ("figure3", "table10", "figure4", "figure5", "figure6", "figure7")
MARCH, TEST_MARCH = date(2011, 3, 1), date(2008, 3, 1)


def made_up(rule_based: bool = True) -> Judged:
    """Three seeds on two validation and three test windows; the second is the best in validation."""
    windows = Windows(
        "schiphol",
        {
            "validation": (MARCH, date(2011, 4, 1)),
            "test": (TEST_MARCH, date(2008, 4, 1), date(2008, 5, 1)),
        },
    )
    random = np.random.default_rng(0)

    def scores(rows: int, level: float) -> Scores:
        names = ("profit", "co2_in_bounds", "temperature_in_bounds", "humidity_in_bounds")
        values = {name: random.uniform(0.8, 1.0, (rows, 5)) for name in names}
        returns = level + np.arange(rows * 5.0).reshape(rows, 5)
        returns[min(1, rows - 1)] += 100.0
        return Scores(("",) * 5, names, values | {"return": returns, "length": np.full((rows, 5), 2880.0)}, {})

    found = {"additive": scores(3, 1600.0), "multiplicative": scores(3, 1700.0)}
    return Judged(windows, found | ({"rule-based": scores(1, 0.0)} if rule_based else {}))


def run_with(lines: list[dict[str, Any]]) -> Trained:
    return Trained("x", (), {"seeds": [0, 1]}, tuple(lines), "")


def training_line(step: int, episodes: list[int], returns: list[float | None]) -> dict[str, Any]:
    return {"kind": "training", "step": step, "episodes": episodes, "return": returns}


# Windows and tasks


def test_no_window_of_a_year_of_training_is_a_test_window() -> None:
    committed = windows_at_hand(None, False, range(2011, 2021))
    assert {part: len(starts) for part, starts in committed.starts.items()} == {"validation": 12, "test": 18}
    here = windows_at_hand(None, False, range(2008, 2011))
    assert {part: len(starts) for part, starts in here.starts.items()} == {"validation": 18, "test": 12}
    assert {start.year for start in here.starts["test"]} == {2011, 2012}


def test_parts_without_weather_are_named() -> None:
    seen = windows_at_hand(None, False, range(2008, 2013))
    assert list(seen.starts) == ["validation"]
    with pytest.raises(PhytotronError, match="no weather for test windows"):
        _ = seen.largest_test
    with pytest.raises(PhytotronError, match="no weather for validation windows"):
        windows_at_hand(None, False, range(2013, 2021)).only("validation")


def test_with_all_weather_the_parts_are_those_of_the_paper() -> None:
    folder = shared("weather")
    windows = windows_at_hand(folder, False, range(2011, 2021))
    assert windows.starts == windows_at_hand(folder, False).starts
    assert windows.largest_test == "test with 2021-2024" and len(windows.starts[windows.largest_test]) == 42


def test_a_task_on_windows_starts_on_their_dates_only() -> None:
    env = windows_task(None, (MARCH, TEST_MARCH), "schiphol", reward="additive")
    assert env.starts().labels == ("2008-03-01", "2011-03-01")


def test_training_starts_in_the_growing_season_of_the_years_of_training() -> None:
    env = training_task(None, "additive")
    dates = env.windows[0].dates[env.windows[1]]
    assert {int(str(day)[:4]) for day in dates} == {2008, 2009, 2010}
    assert {str(day)[5:] for day in dates} - {"02-29"} >= {"03-01", "06-15", "09-01"}
    assert all("02-29" <= str(day)[5:] <= "09-02" for day in dates)  # days of the year, one less in leap years


def test_recipes_have_five_seeds_begin_at_random_and_say_no_paths() -> None:
    for reward in REWARDS:
        made = recipe(reward)
        assert made.name == f"greenlight_gym/{reward}" and tuple(made.seeds) == (0, 1, 2, 3, 4)
        assert made.preset == "from-scratch" and not made.changes
        options = made.task(None).options
        assert options["reward"] == reward and options["years"] == [2008, 2009, 2010]
    quick = recipe(REWARDS[0]).in_budget(True)
    assert quick.changes["actor"] == (64, 64) and len(quick.seeds) == 2


# What comes with the package


@pytest.mark.parametrize("reward", REWARDS)
def test_the_agents_of_the_package_are_those_of_the_recipe(reward: str) -> None:
    made, found = recipe(reward), trained_module.committed(recipe(reward))
    settings = make_settings(made.agent, made.preset, **made.changes)
    assert found.config["settings"] == json.loads(json.dumps(dataclasses.asdict(settings)))
    assert found.seeds == tuple(made.seeds) and len(found.policies) == 5
    update = settings.num_envs * settings.rollout * settings.hold
    assert found.steps == -(-settings.steps // update) * update == 543 * update
    elsewhere = {"weather": SCHIPHOL, "years": list(range(2011, 2021))}
    assert found.options == dict(made.task(None).options) | elsewhere


def test_the_numbers_of_figure4_in_the_package_are_of_the_settings_that_are_trained() -> None:
    found = sensitivity.read_sensitivity(trained_module.COMMITTED / sensitivity.NAME / sensitivity.FILE)
    settings = make_settings("ppo", sensitivity.PRESET, steps=sensitivity.STEPS)
    assert found["settings"] == json.loads(json.dumps(dataclasses.asdict(settings)))
    assert found["coefficients"] == sensitivity.settings_of() and found["years"] == list(range(2011, 2021))
    windows = [date(year, month, 1) for year in range(2011, 2021) for month in range(3, 9)]
    assert found["windows"] == [str(start) for start in windows]
    assert set(found["rewards"]) == set(recipes.REWARDS)
    for numbers in found["rewards"].values():
        assert set(numbers) == {"profit", *sensitivity.BASE} and all(len(each) == 16 for each in numbers.values())


# Figure 3, tables 10 and 11, figure 5


def test_the_learning_curve_is_the_mean_of_the_last_episodes() -> None:
    lines = [
        training_line(10, [0, 1], [None, 4.0]),
        training_line(20, [1, 1], [1.0, 2.0]),
        training_line(30, [2, 1], [4.0, 6.0]),
    ]
    steps, curves = learning_curve(run_with(lines), episodes=2)
    assert steps.tolist() == [20.0, 30.0]
    assert curves.tolist() == [[1.0, 4.0], [3.0, 4.0]]  # at least two episodes, by whole lines: 4 and 2, 2 and 6


def test_curves_are_compared_as_the_paper_does() -> None:
    steps = np.linspace(1.0, 40.0, 40)
    additive = np.stack([np.linspace(100.0, 139.0, 40)] * 2)
    rows = {row.quantity: row for row in curve_rows("additive", (steps, additive))}
    assert rows["increase over the last three quarters"].ours == pytest.approx(100.0 * (139.0 / 109.0 - 1.0))
    assert rows["largest coefficient of variation in these"].ours == 0.0
    both = {"additive": (steps, additive), "multiplicative": (steps, 2.0 * additive)}
    rows = {row.quantity: row for row in distance_rows(both)}
    assert rows["at the end of training"].ours == pytest.approx(50.0)


def test_a_run_without_whole_episodes_has_an_empty_curve() -> None:
    steps, curves = learning_curve(run_with([training_line(10, [0, 0], [None, None])]))
    assert not len(steps) and curves.shape == (2, 0)
    assert curve_rows("x", (steps, curves)) == []
    assert training_panels((steps, curves))["mean"] == []


def test_the_best_seed_is_chosen_by_the_return_in_validation() -> None:
    found = made_up()
    assert found.best("additive") == 1 and found.best("rule-based") == 0
    assert found.values("additive", "humidity", "test").shape == (3, 3)
    rows = {row.setting: row for row in agent_rows("additive", "validation", found) if row.quantity == "return"}
    assert rows["validation: additive, best seed"].ours == pytest.approx(1600.0 + 100.0 + 8.5)
    assert rows["validation: additive, best seed"].paper == 1696.5
    assert rows["validation: additive, mean of 3 seeds"].interval is not None


def test_agents_have_the_share_of_what_plans_gain_on_the_windows_that_have_some() -> None:
    found = made_up()
    labels = tuple(map(str, found.windows.order))
    named = {name: dataclasses.replace(each, labels=labels) for name, each in found.scores.items()}
    lower = dataclasses.replace(named["rule-based"], values={k: 0.5 * v for k, v in named["rule-based"].values.items()})
    upper = named["additive"].of_row(1)
    ceiling = Attainable("rule-based", lower, upper, np.ones(5), ("return", "profit"), ("return", "profit"))
    judged = Judged(found.windows, named)
    rows = {(row.setting, row.quantity): row for row in oracle_rows("additive", "test", judged, ceiling)}
    assert rows["test: additive, best seed", "attainable share of return"].ours == pytest.approx(100.0)
    seeds = rows["test: additive, mean of 3 seeds", "attainable share of return"]
    assert seeds.ours is not None and seeds.ours < 100.0 and seeds.interval is not None and seeds.paper is None
    assert rows["test: oracle, additive", "return"].ours == pytest.approx(
        judged.of_best("additive", "return", "test").mean()
    )
    assert oracle_rows("additive", "test", judged, None) == []
    assert oracle_rows("additive", "test", judged, ceiling.only(["2011-03-01"])) == []


def test_the_papers_numbers_stand_beside_its_own_rewards_only() -> None:
    found = made_up()
    renamed = Judged(found.windows, {"balanced": found.scores["additive"]})
    assert all(row.paper is None for row in agent_rows("balanced", "test", renamed))
    assert all(row.paper is None for row in seed_rows("balanced", renamed))
    assert all(row.paper is None for row in controller_rows("test", renamed))
    told = {row.quantity: row.paper for row in agent_rows("multiplicative", "test", found)}
    assert told["humidity within bounds"] == TABLE11_AGENTS["multiplicative"]["test"]["humidity"] == 70.4


def test_table10_has_all_pairs_of_five_seeds() -> None:
    assert all(len(pairs) == 10 for pairs in TABLE10.values())
    assert sum(p < 0.05 for _, p in TABLE10["multiplicative"].values()) == 3


def test_controllers_are_tested_against_each_other() -> None:
    rows = rank_rows("test", made_up())
    assert [row.quantity for row in rows] == [
        "additive and multiplicative",
        "additive and rule-based",
        "multiplicative and rule-based",
    ]
    assert [row.paper for row in rows] == [0.007, 0.056, 0.534]


# Figure 4


def test_one_coefficient_is_changed_at_a_time() -> None:
    tried = sensitivity.settings_of()
    assert len(tried) == 16 and len({tuple(each.values()) for each in tried}) == 16
    assert all(sum(each[name] != sensitivity.BASE[name] for name in each) <= 1 for each in tried)
    assert all(sensitivity.BASE[name] in values and len(values) == 6 for name, values in sensitivity.VALUES.items())


def test_rows_of_coefficients_reach_the_reward() -> None:
    env = training_task(None, "additive")
    tried = sensitivity.settings_of({"humidity": (0.0, 1.0)})
    params, axes = sensitivity.varied(env.default_params, tried)
    found = jax.vmap(lambda params: params.reward.humidity_penalty + 0.0 * params.reward.co2_maximum, (axes,))(params)
    assert found.tolist() == [1.0, 0.0]


def test_curves_pass_through_the_base_values() -> None:
    tried = sensitivity.settings_of()
    numbers = {name: list(range(len(tried))) for name in ("profit", *sensitivity.BASE)}
    series = sensitivity.curves({"coefficients": tried, "rewards": {"additive": numbers}})
    for name, curve in series["additive"].items():
        assert curve["coefficient"] == list(sensitivity.VALUES[name])
        assert curve["profit"][curve["coefficient"].index(sensitivity.BASE[name])] == 0
    rows = sensitivity.sensitivity_rows(series)
    assert [row.paper for row in rows if row.paper is not None] == [90.0]


def test_rewards_whose_numbers_are_known_are_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[Path] = []
    names = ("profit", "co2_in_bounds", "temperature_in_bounds", "humidity_in_bounds")
    scores = Scores((), names, {name: np.ones((4, 3)) for name in ("return", *names)}, {})
    monkeypatch.setattr(sensitivity, "train_batch", lambda agent, tried, folder, *rest: trained.append(folder))
    monkeypatch.setattr(sensitivity, "evaluate_stacked", lambda env, policies: scores)
    options: dict[str, Any] = {"values": sensitivity.QUICK_VALUES, "changes": recipes.QUICK, "quick": True}
    sensitivity.run_sensitivity(tmp_path, 1000, rewards=("additive",), **options)
    found = sensitivity.run_sensitivity(tmp_path, 1000, **options)
    assert [folder.name for folder in trained] == ["additive", "multiplicative"]
    assert found["rewards"] == sensitivity.read_sensitivity(tmp_path / sensitivity.FILE)["rewards"]
    assert found["rewards"]["additive"]["humidity"] == [100.0] * 4
    with pytest.raises(PhytotronError, match="other settings"):
        sensitivity.run_sensitivity(tmp_path, 2000, **options)


# Drawing


def draw(name: str, series: dict[str, Any], path: Path) -> Any:
    figure = find_experiment(name).draw(Result("title", "paper", (), (), series))
    panels = len(figure.axes)
    save(figure, path / "figure.png")
    assert (path / "figure.png").stat().st_size > 10_000
    return panels


def test_figure3_has_six_panels(tmp_path: Path) -> None:
    found, steps = made_up(rule_based=False), np.array([1e5, 1e6, 1e7])
    curve = steps, np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 4.0], [1.5, 2.0, 2.5]])
    training = {name: training_panels(curve) for name in found.scores}
    series = {"training": training, "seeds": {name: seed_series(name, found) for name in found.scores}}
    assert draw("greenlight-gym/figure3", series, tmp_path) == 6
    short = {name: training_panels((steps[:0], curve[1][:, :0])) for name in found.scores}
    assert draw("greenlight-gym/figure3", series | {"training": short}, tmp_path) == 6


def test_figure4_has_a_column_per_coefficient(tmp_path: Path) -> None:
    numbers = {name: [50.0] * 16 for name in ("profit", *sensitivity.BASE)}
    found = {"coefficients": sensitivity.settings_of(), "rewards": {"additive": numbers, "multiplicative": numbers}}
    assert draw("greenlight-gym/figure4", sensitivity.curves(found), tmp_path) == 6


def test_figure5_has_two_panels(tmp_path: Path) -> None:
    found = made_up()
    controllers = {name: controller_series(name, "test", found) for name in found.scores}
    assert draw("greenlight-gym/figure5", {"controllers": controllers, "part": "test"}, tmp_path) == 2


@pytest.mark.parametrize(("name", "quantities"), [("figure6", CLIMATE), ("figure7", POSITIONS)])
def test_average_days_are_drawn_with_intervals(tmp_path: Path, name: str, quantities: Any) -> None:
    days = np.random.default_rng(0).uniform(0.0, 1.0, (10, 24))
    count, day = np.full((1, 24), 10.0), {"x": days.sum(axis=0)[None]}
    average = with_interval(AverageDay(np.arange(24.0), count, day, {"x": (days**2).sum(axis=0)[None]}), "x")
    np.testing.assert_allclose(average["mean"], days.mean(axis=0))
    assert average["interval"][0] == pytest.approx(3.2498 * days[:, 0].std(ddof=1) / np.sqrt(10.0), rel=1e-4)
    series = {
        "hour": list(range(24)),
        "quantities": {each.name: {"meaning": each.meaning, "unit": each.unit} for each in quantities},
        "controllers": {who: {each.name: average for each in quantities} for who in ("additive", "rule-based")},
    }
    assert draw(f"greenlight-gym/{name}", series, tmp_path) == 4


# Whole experiments


def test_the_experiments_are_registered_and_ask_for_the_packages_of_agents() -> None:
    assert all(EXPERIMENTS[f"greenlight-gym/{name}"].agents for name in NEW)


@pytest.mark.parametrize("name", NEW)
def test_without_trained_agents_the_remedy_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained_module, "COMMITTED", tmp_path)
    with pytest.raises(PhytotronError, match="--train"):
        find_experiment(f"greenlight-gym/{name}").run(Settings(quick=True))


@pytest.mark.slow
def test_all_experiments_run_with_agents_that_are_trained_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = dict(recipes.QUICK) | {"steps": 600, "num_envs": 2, "rollout": 100, "minibatch": 100, "actor": (8,)}
    monkeypatch.setattr(recipes, "QUICK", tiny)
    monkeypatch.setattr(sensitivity, "QUICK_STEPS", 400)
    settings = Settings(quick=True, train=True, runs=tmp_path / "runs")
    for name in (*NEW, "table11"):
        experiment = find_experiment(f"greenlight-gym/{name}")
        result = experiment.run(settings)
        assert result.rows and all(row.ours is not None for row in result.rows)
        figure = experiment.draw(result)
        assert (figure is None) == name.startswith("table")
        if figure is not None:
            save(figure, tmp_path / f"{name}.png")
