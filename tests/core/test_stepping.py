"""What is wrong in a step or a choice is said in words wherever an environment is stepped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import Array
from registering import registered
from toy_environments import Corridor, Countdown

from phytotron.controllers import Constant
from phytotron.core.controller import Controller
from phytotron.core.errors import PhytotronError, ShapeError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box
from phytotron.episodes.open_loop import expected_of, follow, wanted_by
from phytotron.episodes.recording import trajectories
from phytotron.episodes.vector_environment import VectorEnvironment
from phytotron.evaluation.examination import examine
from phytotron.evaluation.scores import check_returns, evaluate
from phytotron.evaluation.speed import measure_environment

HELD = Constant(jnp.zeros(2, jnp.float32))
KEY = jax.random.key(0)


class Altered(Countdown):
    """Counts down, with something changed in what each step gives."""

    def __init__(self, alter: Callable[[list[Any]], Any]) -> None:
        super().__init__()
        self.alter = alter

    def transition(self, *arguments: Any) -> Any:
        return self.alter(list(super().transition(*arguments)))


def _plan(env: Altered) -> None:
    follow(env, KEY, jnp.zeros((4, 2)), 1.0)


def _wanted(env: Altered) -> None:
    wanted_by(env, KEY, jnp.zeros((4, 2)), 1.0)


def _expected(env: Altered) -> None:
    observation, state = env.initial(KEY, 1.0)
    expected_of(env, KEY, HELD, observation, state, 1.0, 3)


def _learn(env: Altered) -> None:
    environments = VectorEnvironment(env, 2)
    start = environments.start(KEY, 1.0)
    environments.step(start, jnp.zeros((2, 2)), 1.0)


def _step(env: Altered) -> None:
    env.step(KEY, env.reset(KEY)[1], jnp.zeros(2))


WAYS = {
    "step": _step,
    "scores": lambda env: evaluate(env, HELD),
    "trajectories": lambda env: trajectories(env, [HELD]),
    "plan": _plan,
    "targets of actions": _wanted,
    "targets of a controller": _expected,
    "learning": _learn,
}
WRONG: dict[str, tuple[Callable[[list[Any]], Any], str]] = {
    "five values": (lambda made: tuple(made[:5]), "gives 5 values; give a tuple of six, observation, state, .*"),
    "no tuple": (list, "gives a list; give a tuple of six, .*"),
    "no info": (lambda made: (*made[:5], None), "info of a step of test/Countdown-v0 is a NoneType; give a dict.*"),
    "half an observation": (
        lambda made: (made[0][0], *made[1:]),
        r"the observation after a step in test/Countdown-v0 has shape \(\); expected \(3,\)",
    ),
    "an observation in parts": (
        lambda made: ({"left": made[0]}, *made[1:]),
        "the observation after a step in test/Countdown-v0 is a dict; give one array",
    ),
    "an end that is a number": (
        lambda made: (*made[:3], made[3] * 1.0, *made[4:]),
        r"terminated of a step of test/Countdown-v0 is float\d+; give True or False",
    ),
    "no costs": (lambda made: (*made[:5], {"age": 1}), r'test/Countdown-v0 gives no info\["costs"\].*'),
    "another dtype": (
        lambda made: (made[0], made[1] | {"age": made[1]["age"] * 1.0}, *made[2:]),
        r"a step of test/Countdown-v0 changes its state: \['age'\] was int32\[\] and is float.*",
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fault", WRONG)
def test_a_step_that_breaks_the_contract_is_refused_in_words_wherever_it_is_taken(way: str, fault: str) -> None:
    alter, words = WRONG[fault]
    with pytest.raises(PhytotronError, match=words + "; `phytotron check` on the environment, .* says more"):
        WAYS[way](Altered(alter))


@pytest.mark.parametrize("way", WAYS)
def test_numbers_of_python_are_taken_for_arrays(way: str) -> None:
    WAYS[way](Altered(lambda made: (*made[:2], 1.0, False, True, made[-1])))


def test_a_held_action_takes_ends_of_python() -> None:
    env = VectorEnvironment(Altered(lambda made: (*made[:2], 1.0, False, False, made[-1])), 2)
    start = env.start(KEY, 1.0)
    assert env.hold(start, jnp.zeros((2, 2)), 1.0, 3)[1].reward.tolist() == [3.0, 3.0]


class Described(Countdown):
    """Counts down, with spaces and fields that are made of arrays of `jnp` when they are first asked for."""

    observation_space = property(lambda self: Box(-100.0 * jnp.ones(3), 100.0 * jnp.ones(3)))  # type: ignore[assignment]

    @property
    def action_space(self) -> Box:  # type: ignore[override]
        return self.kept("actions", lambda: Box.of(self.fields["action"]))

    @cached_property
    def fields(self) -> Mapping[str, Sequence[Quantity]]:  # type: ignore[override]
        push, pull = (Quantity(name, "u", "-", "force", -1.0, 1.0) for name in ("push", "pull"))
        return {"action": (push, pull), "constants": (Quantity("k", "k", "-", "constant", default=jnp.ones(()) * 2.0),)}


@pytest.mark.parametrize("way", WAYS)
def test_spaces_may_be_computed_when_a_step_is_traced(way: str) -> None:
    env: Any = Described()
    WAYS[way](env)
    assert float(env.fields["constants"][0].default) == 2.0


class Begun(Countdown):
    """Counts down, from a start in which something is changed."""

    def __init__(self, alter: Callable[[Any], Any]) -> None:
        super().__init__()
        self.alter = alter

    def initial(self, key: Array, params: float) -> Any:
        return self.alter(super().initial(key, params))


@pytest.mark.parametrize("way", sorted(WAYS.keys() - {"targets of a controller"}))  # which has begun
def test_a_start_that_breaks_the_contract_is_refused_in_words_wherever_episodes_begin(way: str) -> None:
    with pytest.raises(ShapeError, match=r"the first observation in test/Countdown-v0 has shape \(2,\); expected \(3,"):
        WAYS[way](Begun(lambda made: (made[0][:2], made[1])))
    with pytest.raises(PhytotronError, match="test/Countdown-v0 does not begin with two values; give observation and "):
        WAYS[way](Begun(lambda made: made[0]))


def test_the_speed_of_a_step_that_breaks_the_contract_is_not_measured() -> None:
    env = Altered(WRONG["another dtype"][0])
    with registered(env.id, lambda: env), pytest.raises(PhytotronError, match="changes its state"):
        measure_environment(env.id, 1, {}, 1, 0.1)


def test_the_kind_of_the_error_is_kept() -> None:
    with pytest.raises(ShapeError, match=r"reward of a step of .*`phytotron check` on the environment, .* says more"):
        evaluate(Altered(lambda made: (*made[:2], jnp.zeros(3), *made[3:])), HELD)


class Choosing(Controller):
    """A controller that gives what it is made with."""

    def __init__(self, given: Any, memory: Any = ()) -> None:
        self.given, self.memory = given, memory

    def start(self, key: Array) -> Any:
        return self.memory

    def act(self, key: Array, memory: Any, observation: Array, state: Any, params: Any) -> Any:
        return self.given


PUSH, NUMBER = jnp.zeros(2), jnp.zeros((), jnp.int32)


@pytest.mark.parametrize(
    ("controller", "words"),
    [
        (Choosing(PUSH), r"Choosing.act does not give two values; give the action and the memory for the next step"),
        (Choosing(None), r"Choosing.act does not give two values"),
        (Choosing(((), ())), r"the action of Choosing in .* has shape \(0,\); expected \(2,\) \(push, pull\)"),
        (Choosing((0.5, ())), r"the action of Choosing in .* has shape \(\); expected \(2,\) \(push, pull\)"),
        (Choosing(("up", ())), r"the action of Choosing is no array of numbers \("),
        (
            Choosing((PUSH, NUMBER)),
            r"Choosing.act changes its memory: its structure was .*; keep structure, ",
        ),
        (Choosing((PUSH, 0.5), NUMBER), r"Choosing.act changes its memory: it was int32\[\] and is float"),
        (
            Choosing((PUSH, jnp.zeros(2)), jnp.zeros(3)),
            r"Choosing.act changes its memory: it was float\d+\[3\] and is ",
        ),
    ],
)
@pytest.mark.parametrize("way", [evaluate, lambda env, controller: trajectories(env, [controller])])
def test_a_choice_that_breaks_the_contract_is_refused_in_words(way: Any, controller: Choosing, words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        way(Countdown(), controller)


def test_a_choice_among_a_few_is_a_whole_number() -> None:
    with pytest.raises(PhytotronError, match=r"is float\d+; give the whole number of a choice"):
        evaluate(Corridor(), Choosing((1.0, ())))
    assert evaluate(Corridor(), Choosing((2, ()))).values["return"].min() >= -4.0


class Deaf(Countdown):
    """Counts down whatever the action is, even if it is no number."""

    def transition(self, key: Array, state: Any, action: Array, params: float) -> Any:
        return super().transition(key, state, jnp.nan_to_num(action), params)


@pytest.mark.parametrize("value", [jnp.nan, jnp.inf])
@pytest.mark.parametrize(
    "way", [evaluate, lambda env, controller: check_returns(env, examine(env, [controller]).scores)]
)
def test_actions_that_are_not_finite_have_no_return_although_the_task_takes_them(way: Any, value: float) -> None:
    way(Deaf(), HELD)
    words = r"return of test/Countdown-v0 from episode 0 is nan, which is not finite; if all actions were finite, "
    with pytest.raises(PhytotronError, match=words):
        way(Deaf(), Constant(jnp.array([0.0, value])))


@pytest.mark.parametrize("value", [jnp.nan, jnp.inf])
def test_plans_and_training_have_no_reward_for_actions_that_are_not_finite(value: float) -> None:
    assert jnp.isfinite(follow(Deaf(), KEY, jnp.zeros((4, 2)), 1.0).total)
    assert jnp.isnan(follow(Deaf(), KEY, jnp.zeros((4, 2)).at[1, 0].set(value), 1.0).total)
    environments = VectorEnvironment(Deaf(), 2)
    moved = environments.step(environments.start(KEY, 1.0), jnp.array([[0.0, 0.0], [0.0, value]]), 1.0)[1]
    assert jnp.isfinite(moved.reward).tolist() == [True, False]
