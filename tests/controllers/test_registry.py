"""Controllers by name act on the weather that was asked for, and what cannot be read is refused with a remedy."""

from __future__ import annotations

import jax.numpy as jnp
import pytest
from toy_environments import Countdown
from weather_parts import MisplacedBaseline, PartedAiming

from phytotron.controllers import Constant, make_competitor
from phytotron.core.errors import PhytotronError


def test_a_baseline_acts_on_the_weather_that_was_asked_for_whatever_it_is_tuned_on() -> None:
    train, test = PartedAiming(), PartedAiming(weather="test")
    assert make_competitor("middle", test, train).environment is test


def test_a_baseline_that_acts_on_the_weather_to_tune_on_is_refused() -> None:
    train, test = MisplacedBaseline(), MisplacedBaseline(weather="test")
    words = "baseline middle of test/PartedAiming-v0 acts on weather 'train' instead of 'test'; .* with `self`"
    with pytest.raises(PhytotronError, match=words):
        make_competitor("middle", test, train)
    assert make_competitor("middle", train, train).environment is train


def unasked() -> Constant:
    """Return a controller without being told the environment."""
    return Constant(jnp.zeros(2))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("math:pi", "is an object of the type float; expected"),
        (
            "math:dist",
            "math:dist cannot be made: missing a required argument: 'q'; a controller takes the",
        ),
        ("builtins:dict", "the options of the class dict cannot be known"),
        (f"{__name__}:unasked", "unasked cannot be made: too many positional arguments; a controller takes the"),
        ("builtins:id", "gives an object of the type int; expected"),
    ],
)
def test_what_makes_no_controller_is_refused(name: str, words: str) -> None:
    with pytest.raises(PhytotronError, match=words):
        make_competitor(name, Countdown())


def by_place(env: Countdown, /, level: float = 0.0) -> Constant:
    """Return a controller whose environment cannot be named."""
    return Constant(jnp.full(2, level))


def of_any_options(env: Countdown, **options: float) -> Constant:
    """Return a controller that takes whatever it is given."""
    return Constant(jnp.full(2, options["height"]))


@pytest.mark.parametrize("name", ["by_place(level=0.5)", "of_any_options(height=0.5)"])
def test_options_of_a_controller_are_those_after_the_environment(name: str) -> None:
    made = make_competitor(f"{__name__}:{name}", Countdown())
    assert made.controllers[0].action.tolist() == [0.5, 0.5] and not made.bound
    with pytest.raises(PhytotronError, match=r"unknown option of the controller .*by_place 'env'"):
        make_competitor(f"{__name__}:by_place(env=1)", Countdown())


def test_a_controller_that_knows_what_is_to_come_says_so_itself() -> None:
    made = make_competitor(f"{__name__}:foreseeing", Countdown())
    assert made.bound


class Foreseeing(Constant):
    """A controller that no other can be expected to surpass."""

    bound = True


def foreseeing(env: Countdown) -> Constant:
    """Return the best there is."""
    return Foreseeing(jnp.ones(2))


class Limited(Constant):
    """A controller with a bound of its actions."""

    bound = 0.5


def limited(env: Countdown) -> Constant:
    """Return a controller whose actions are bounded."""
    return Limited(jnp.full(2, 0.5))


def test_a_bound_of_something_else_is_no_knowledge_of_what_is_to_come() -> None:
    made = make_competitor(f"{__name__}:limited", Countdown())
    assert made.bound is False


def test_text_among_the_options_of_a_controller_needs_quotes() -> None:
    with pytest.raises(PhytotronError, match=r'with text in quotes, as policy\(path="runs/ppo"\)'):
        make_competitor("policy(path=runs/ppo)", Countdown())
