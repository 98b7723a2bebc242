"""Model predictive control: plan ahead, take the first action, plan again.

In the manner of real-time iterations (Diehl, Bock and Schlöder 2005), a plan is not made anew at every decision but
kept, moved along by a step, and improved a little: by the time an entry of it is acted on, it has been improved as
often as there were decisions within the horizon.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import Array

from phytotron.controllers.registry import make_controller
from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.spaces import Box
from phytotron.episodes.open_loop import expected_of, follow_from
from phytotron.planning import ascent
from phytotron.planning.mpc_choice import ROUNDS, PredictiveChoice

HOURS = (1, 48)  # of a horizon, where steps are shorter than a day
HORIZON = 24.0  # h
WAY = ascent.PROJECTED  # under a tanh, an action that lies on a bound would come back too slowly


class Pace(NamedTuple):
    """The step sizes of Adam along a plan, at its far and at its near end, as shares of the ranges of actions."""

    far: float
    near: float


# What a perfect forecast has made of a plan has to settle; what another says of the next minutes comes as news.
SETTLING, FOLLOWING = Pace(0.03, 0.0015), Pace(0.05, 0.05)
IMPROVING = Pace(0.01, 0.01)  # where every plan begins from what a controller would do


class Outlook(NamedTuple):
    """The memory of predictive control: its plan, the state of the optimiser, and the number of decisions so far."""

    raw: Array  # (blocks, ...), the plan from now on, as numbers without bounds
    optimiser: Any
    age: Array  # decisions that were made


def mpc(
    environment: Environment[Any, Any],
    horizon_hours: float | None = None,
    block_minutes: float | None = None,
    decide_every: int = 1,
    iterations: int = 1,
    first_iterations: int = 30,
    forecast: str | float = "perfect",
    scenarios: int = 1,
    begin_from: str | None = None,
    around: str | Controller | None = None,
) -> Controller:
    """Return predictive control, which plans the hours ahead with the model, acts, and plans again.

    `horizon_hours`: length of the plan; by default 24, or the whole episode where steps are a day or longer.
    `block_minutes`: how long an action is held in the plan; by default one step. `iterations`: gradient steps of each
    improvement of the plan, of which there is one every `decide_every` steps. `first_iterations`: gradient steps of the
    first plan. `forecast`: "perfect", "persistent", or a number, the error of a `Forecast` (1 is that of a good
    service). `scenarios`: number of draws of such a forecast, whose mean value is maximised; parameters that
    `environment` randomises are drawn anew in each. `begin_from`: the controller whose action fills the first plan.
    `around`: a controller, such as a trained policy; every plan then begins from what this controller would do in the
    expected weather, not from the plan before.

    Where actions are choices, plans are made by search; of the options, `horizon_hours`, `forecast` and `scenarios`
    apply, and others are refused.
    """
    for name, value in {"decide_every": decide_every, "iterations": iterations, "scenarios": scenarios}.items():
        if value < 1:
            raise ValueRangeError(name, value, "a whole number, at least 1")
    horizon, hours = horizon_steps(environment, horizon_hours), step_hours(environment)
    if not isinstance(environment.action_space, Box):
        if around is not None:
            raise PhytotronError(f"{environment.id} has choices, which are planned by search and around no controller")
        of_gradients = {
            "block_minutes": block_minutes,
            "decide_every": decide_every,
            "iterations": iterations,
            "first_iterations": first_iterations,
            "begin_from": begin_from,
        }
        for option, given in of_gradients.items():
            if given != inspect.signature(mpc).parameters[option].default:
                raise PhytotronError(f"{environment.id} has choices, which are planned by search; leave out {option}")
        return PredictiveChoice(jnp.asarray(ROUNDS, jnp.int32), environment, horizon, forecast, scenarios)
    if not environment.differentiable:
        raise PhytotronError(f"{environment.id} has continuous actions and gives no gradients by them to plan with")
    _refuse_without_timeline(environment, "block_minutes", block_minutes)
    block = 1 if block_minutes is None else round(block_minutes / 60.0 / hours)
    if block < 1 or horizon % block:
        raise ValueRangeError("block_minutes", block_minutes, f"a part of {horizon} steps of {60 * hours:g} minutes")
    first = make_controller(begin_from or next(iter(environment.baselines), "off"), environment)
    guide = None if around is None else make_controller(around, environment)
    pace = SETTLING if forecast == "perfect" else FOLLOWING
    if guide is not None:
        pace = IMPROVING
    paces = jnp.linspace(pace.near, pace.far, horizon // block, dtype=jnp.float32)
    chosen = (horizon, block, decide_every, iterations, first_iterations, forecast, scenarios)
    return Predictive(paces, guide, environment, first, *chosen)


def step_hours(environment: Environment[Any, Any]) -> float:
    """Return the length of a step in hours; 24 where the task has no `presentation.timeline`."""
    timeline = environment.presentation.timeline
    return 24.0 if timeline is None else 24.0 * timeline.interval


def horizon_steps(environment: Environment[Any, Any], hours: float | None) -> int:
    """Return the steps of a horizon; by default a day, or the whole episode where a step is a day or longer."""
    _refuse_without_timeline(environment, "horizon_hours", hours)
    step = step_hours(environment)
    if hours is None:
        hours = HORIZON if step < HORIZON else environment.episode_steps * step
    elif step < HORIZON and not HOURS[0] <= hours <= HOURS[1]:
        raise ValueRangeError("horizon_hours", hours, f"{HOURS[0]} to {HOURS[1]}")
    return max(1, min(round(hours / step), environment.episode_steps))


def _refuse_without_timeline(environment: Environment[Any, Any], option: str, given: float | None) -> None:
    """Refuse an option that is a time where the steps of a task have no length."""
    if given is not None and environment.presentation.timeline is None:
        problem = f"steps of {environment.id} have no length, as it has no `presentation.timeline`"
        raise PhytotronError(f"{problem}; leave out {option}, or give the task a timeline")


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Predictive(Controller):
    """Predictive control with continuous actions.

    At every decision, it improves the plan of the next hours by gradient ascent on the return and on the value of the
    state at the end of the plan.
    """

    paces: Any  # (blocks,), steps of Adam
    guide: Controller | None  # whose expected actions each plan begins from
    environment: Environment[Any, Any] = field(metadata={"static": True})
    first: Controller = field(metadata={"static": True})  # whose action the first plan holds
    horizon: int = field(metadata={"static": True})  # steps
    block: int = field(metadata={"static": True})  # steps for which an action is held
    every: int = field(metadata={"static": True})  # steps between improvements of the plan
    iterations: int = field(metadata={"static": True})  # of each improvement
    first_iterations: int = field(metadata={"static": True})  # of the first plan
    forecast: str | float = field(metadata={"static": True})
    scenarios: int = field(metadata={"static": True})

    @property
    def _adam(self) -> optax.GradientTransformation:
        return optax.scale_by_adam(b2=WAY.square_decay)

    @property
    def _space(self) -> Box:
        space = self.environment.action_space
        assert isinstance(space, Box)
        return space

    def start(self, key: Array) -> Memory:
        """Return the memory before the first step, which holds no plan yet."""
        raw = jnp.zeros((self.horizon // self.block, *self._space.shape), self._space.dtype)
        return Outlook(raw, self._adam.init(raw), jnp.zeros((), jnp.int32))

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the first action of the improved plan; the rest of the plan is remembered."""
        env, space = self.environment, self._space
        begins, decides = memory.age == 0, memory.age % self.every == 0
        likely = self._scenarios(key, state, params)
        if self.guide is None:
            raw = jnp.where(begins, self._first_plan(key, memory.raw, observation, state, params), memory.raw)
        else:
            guided = self._guided_plan(key, observation, state, params).astype(memory.raw.dtype)
            raw = jnp.where(decides, guided, memory.raw)  # between decisions the improved plan is followed
        wanted = jnp.where(decides, self.iterations, 0)
        count = jnp.where(begins, self.first_iterations, wanted)

        paces = self.paces.astype(raw.dtype).reshape(-1, *[1] * (raw.ndim - 1))

        def earned(raw: Array) -> Array:
            plan = jnp.repeat(ascent.plan_of(space, raw, WAY), self.block, axis=0)

            def in_scenario(state: Any, params: Any) -> Array:
                return follow_from(env, key, state, plan, params, env.toward, kernel=self.scenarios == 1).prospect

            return jnp.mean(jax.vmap(in_scenario)(*likely)) if self.scenarios > 1 else in_scenario(*likely)

        def improve(now: tuple[Array, Array, Any]) -> tuple[Array, Array, Any]:
            left, raw, optimiser = now
            slope = jax.grad(earned)(raw)
            moves, optimiser = self._adam.update(jnp.where(jnp.isfinite(slope), slope, 0.0), optimiser)
            return left - 1, WAY.keep(raw + paces * moves), optimiser

        _, raw, optimiser = jax.lax.while_loop(lambda now: now[0] > 0, improve, (count, raw, memory.optimiser))
        action = env.toward(ascent.plan_of(space, raw[0], WAY), state)
        age = memory.age + 1
        moved = age % self.block == 0
        raw = jnp.where(moved, self._moved_along(raw), raw)
        optimiser = jax.tree.map(
            lambda each: jnp.where(moved, self._moved_along(each), each) if each.shape == raw.shape else each, optimiser
        )
        return action.astype(space.dtype), Outlook(raw, optimiser, age)

    def _moved_along(self, plan: Array) -> Array:
        """Return a plan without its first entry; the new last one repeats that of a day before, or else the last."""
        entries = self.horizon // self.block
        day = round(HORIZON / step_hours(self.environment)) // self.block
        last = plan[entries - day] if 0 < day <= entries else plan[-1]
        return jnp.concatenate([plan[1:], last[None]])

    def _first_plan(self, key: Array, raw: Array, observation: Array, state: Any, params: Any) -> Array:
        """Return a plan that holds the first controller's present action."""
        action, _ = self.first.act(key, self.first.start(key), observation, state, params)
        held = self.environment.reached(jnp.asarray(action, raw.dtype), state)
        return jnp.broadcast_to(ascent.numbers_of(self._space, held, WAY), raw.shape)

    def _guided_plan(self, key: Array, observation: Array, state: Any, params: Any) -> Array:
        """Return the guide's actions, simulated in the forecast weather."""
        assert self.guide is not None
        likely = self.environment.foreseen(key, state, params, self.forecast)
        steps = expected_of(self.environment, key, self.guide, observation, state, likely, self.horizon)
        return ascent.numbers_of(self._space, steps[:: self.block], WAY)

    def _scenarios(self, key: Array, state: Any, params: Any) -> tuple[Any, Any]:
        """Return the state and the parameters with the forecast weather; with scenarios, one of both for each."""
        env = self.environment
        if self.scenarios == 1:
            return state, env.foreseen(key, state, params, self.forecast)

        def drawn(key: Array) -> tuple[Any, Any]:
            weather, unknown = jax.random.split(key)
            return env.supposed(unknown, state, params), env.foreseen(weather, state, params, self.forecast)

        return jax.vmap(drawn)(jax.random.split(key, self.scenarios))
