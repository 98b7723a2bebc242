"""Figure 2 of GreenLight-Gym: running sums are those of the environment; changes are those of the curves."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.environments.greenhouse import RuleBased
from phytotron.evaluation.scores import evaluate
from phytotron.papers.greenlight_gym.experiments.control_interval import (
    DEFAULT,
    INTERVALS,
    Sweep,
    change_rows,
    curves,
    figure2,
    task,
    unstable,
)
from phytotron.papers.greenlight_gym.experiments.interval_runs import begin, pace_of, runner
from phytotron.papers.greenlight_gym.figures import figure2 as draw_figure2
from phytotron.papers.result import Result, Settings
from phytotron.report.plotting import save


def made_up() -> Sweep:
    """Profits of 2 and 4, and half of them at the longest interval."""
    profit = {2: np.array([2.0, 4.0]), 300: np.array([2.0, 4.0]), 3600: np.array([1.0, 2.0])}
    within = {name: {each: np.full(2, 100.0 - each / 360.0) for each in profit} for name in ("temperature", "co2")}
    return Sweep(profit, within | {"humidity": {each: np.full(2, 50.0) for each in profit}})


def test_intervals_divide_a_day_and_hold_those_of_the_paper() -> None:
    assert all(86400 % interval == 0 for interval in INTERVALS)
    assert INTERVALS[:4] == (2, 4, 8, 16) and INTERVALS[-1] == 3600 and 300 in INTERVALS


def test_runs_start_on_the_first_of_every_month() -> None:
    text = task(quick=False)
    assert [str(text.series.dates[day])[5:] for day in text.days] == [f"{month:02d}-01" for month in range(1, 13)]


@pytest.mark.slow
def test_running_sums_are_those_of_the_environment() -> None:
    text = task(quick=True)
    env, days = dataclasses.replace(text.environment(300, DEFAULT), episode_days=1), text.days
    sums = runner(env)(begin(env, days), env.default_params, days, pace_of(env), 0, env.episode_steps)
    starts = env.starts(dataclasses.replace(env.default_params, start_days=jnp.asarray(days)))
    found = evaluate(env, RuleBased(env), starts=starts).values
    np.testing.assert_allclose(sums.profit, found["profit"][0], rtol=1e-9)
    np.testing.assert_allclose(np.asarray(sums.within["humidity"]) / env.episode_steps, found["humidity_in_bounds"][0])


def test_changes_are_relative_to_the_shortest_interval() -> None:
    rows = {row.quantity: row.ours for row in change_rows("made up", made_up())}
    assert rows["profit"] == pytest.approx(-50.0)
    assert rows["profit, intervals below 400 s"] == pytest.approx(0.0)
    assert rows["humidity within bounds"] == pytest.approx(0.0)


def test_runs_that_are_not_finite_are_told() -> None:
    sweep = Sweep({300: np.array([1.0, np.nan])}, {})
    assert unstable({"RK4, h = 2 s": sweep}) == ["Unstable runs with RK4, h = 2 s: 1 of 2 at 300 s."]


def test_three_panels_are_drawn(tmp_path: Path) -> None:
    intervals = (2, 300, 3600)
    series = curves(made_up(), {"default solver": [3.0, 0.2, 0.1]}, intervals)
    figure = draw_figure2(Result("title", "paper", (), (), series))
    assert [axes.get_xscale() for axes in figure.axes] == ["log"] * 3
    save(figure, tmp_path / "figure2.png")
    assert (tmp_path / "figure2.png").stat().st_size > 10_000


@pytest.mark.slow
def test_longer_intervals_cost_profit_and_time_within_bounds() -> None:
    rows = figure2(Settings(quick=True)).rows
    falls = [row.ours for row in rows if row.setting.startswith("paper's text") and "below" not in row.quantity]
    assert len(falls) == 4 and all(fall is not None and fall < 0.0 for fall in falls)
