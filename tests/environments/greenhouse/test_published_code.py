"""The published code of GreenLight-Gym, step by step: its states in, its controls, observations and rewards out."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from shared_data import shared

from phytotron.core.fields import stack, symbols, unstack
from phytotron.environments.greenhouse import GreenLightGym
from phytotron.environments.greenhouse import reward as rewards
from phytotron.environments.greenhouse.observations import PAPER, Situation
from phytotron.models.greenlight import Control, GreenLight, State, Weather
from phytotron.models.greenlight.rules import rule_based

INTERVAL = 300.0
PIECES = 5  # of a step, in which the recorded weather moves on: the code interpolates it to a second
CONTROL_TOLERANCE, TOLERANCE = 1e-6, 1e-5
# The last step of an episode the code sets to other values: reward 0, profit and violations not of that step.
# Its clock counts days since the year 1.
NEW_YEAR_2010 = 733772.0
RECORDS = ["greenlightgym_rulebased_ams2010_day59.npz", "greenlightgym_zero_ams2010_day59.npz"]


class Record:
    """A recorded run, with its columns in our order."""

    def __init__(self, name: str) -> None:
        with np.load(shared("reference", "greenlight", name)) as archive:
            data: dict[str, Any] = {key: archive[key] for key in archive.files}

        def series(key: str, labels: str, cls: Any) -> Any:
            order = [list(data[labels]).index(symbol) for symbol in symbols(cls)]
            return unstack(cls, jnp.asarray(data[key][:, order]))

        states = series("x", "state_names", State)
        self.before = jax.tree.map(lambda column: column[:-1], states)
        self.after = jax.tree.map(lambda column: column[1:], states)
        self.control = series("u", "control_names", Control)
        self.weather = series("d", "weather_names", Weather)
        self.observation, self.reward = data["obs"], data["reward"]
        self.profit, self.violations = data["profit"], data["violations"]
        self.times = np.asarray(self.after.time) - NEW_YEAR_2010

    def weather_at(self, step: Any) -> Any:
        """The weather within the steps, as the code interpolates it."""
        last = len(self.reward) - 1
        return PchipInterpolator(np.arange(last + 1), np.asarray(stack(self.weather)))(np.minimum(step, last))


@pytest.fixture(scope="module", params=[RECORDS[0], pytest.param(RECORDS[1], marks=pytest.mark.slow)])
def record(request: pytest.FixtureRequest) -> Record:
    return Record(request.param)


@pytest.fixture(scope="module")
def env() -> GreenLightGym:
    return GreenLightGym(weather="schiphol", years=2010, first_day=60, precision="float64")


@pytest.fixture(scope="module")
def harvest(record: Record, env: GreenLightGym) -> Any:
    """Harvest [mg m-2] of every step, from the recorded state at its start."""
    model, p = GreenLight("rk4", INTERVAL / PIECES, 1.0, equations=env.equations), env.default_params.model
    run = jax.jit(lambda *inputs: model.run(*inputs, p))
    state, total = record.before, 0.0
    for index in range(PIECES):
        middle = np.arange(len(record.reward)) + (index + 0.5) / PIECES
        state, more = run(state, record.control, unstack(Weather, jnp.asarray(record.weather_at(middle))))
        total = total + more
    return total - env._early_harvest(record.before, record.after, p)


def test_rule_based_controls_are_those_of_the_record(env: GreenLightGym) -> None:
    record = Record(RECORDS[0])
    ours = rule_based(record.before, record.weather, env.default_params.rules)
    for name in ("boiler", "co2_injection", "thermal_screen", "roof_vent", "lamp", "blackout_screen"):
        assert np.asarray(getattr(ours, name)) == pytest.approx(
            np.asarray(getattr(record.control, name)), abs=CONTROL_TOLERANCE
        )


def test_profit_and_violations_are_those_of_the_record(record: Record, env: GreenLightGym, harvest: Any) -> None:
    params = env.default_params
    flows = rewards.turnover(harvest, record.control, params.model, INTERVAL)
    profit = rewards.profit(flows, params.model, params.prices)
    assert np.asarray(profit)[:-1] == pytest.approx(record.profit[:-1], abs=TOLERANCE)
    excess = rewards.violations(record.after, params.reward)
    for column, name in enumerate(rewards.CONSTRAINTS):
        assert np.asarray(excess[name])[:-1] == pytest.approx(record.violations[:-1, column], abs=TOLERANCE)


def test_rewards_are_those_of_the_record(record: Record, env: GreenLightGym, harvest: Any) -> None:
    params = env.default_params
    profit = rewards.profit(
        rewards.turnover(harvest, record.control, params.model, INTERVAL), params.model, params.prices
    )
    scaled = rewards.scaled_profit(profit, params.model, params.reward, params.prices, INTERVAL)
    reward = scaled * (1.0 - rewards.penalty(rewards.violations(record.after, params.reward), params.reward))
    assert np.asarray(reward)[:-1] == pytest.approx(record.reward[:-1], abs=TOLERANCE)
    assert record.reward[-1] == 0.0  # a time limit that the code turns into a loss


def test_observations_are_those_of_the_record(record: Record, env: GreenLightGym, harvest: Any) -> None:
    params = env.default_params
    following = jax.tree.map(lambda column: jnp.append(column[1:], column[-1]), record.weather)
    situation = Situation(
        state=record.after,
        weather=following,
        control=record.control,
        flows=rewards.turnover(harvest, record.control, params.model, INTERVAL),
        time=jnp.asarray(record.times),
        parameters=params.model,
        equations=env.equations,
        series=params.weather,
        start_day=params.start_days[0],
        second=jnp.asarray(0),
        key=jax.random.key(0),
    )
    ours = np.asarray(env.observer.observe(situation))
    difference = np.abs(ours - record.observation)[:-1]
    # The code takes PAR from the last step of its solver, which begins a second before the interval ends; the record
    # does not hold the weather of that moment. Its slope there is at most three times that of the interval.
    change = np.abs(np.asarray(following.global_radiation - record.weather.global_radiation))
    change = np.maximum.reduce([change, np.roll(change, 1), np.roll(change, -1)])[:-1]
    par = PAPER.index("par")
    assert np.all(difference[:, par] <= TOLERANCE + 3.0 * change / INTERVAL)
    for column, name in enumerate(env.observation_space.names):
        if column != par:
            scale = max(1.0, float(np.abs(record.observation[:, column]).max()))
            assert difference[:, column].max() / scale <= TOLERANCE, name
