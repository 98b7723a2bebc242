"""Faults of members that an environment may define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from weather_parts import MisplacedBaseline

from faulty_environments.tank import AGE, FLOW, LEVEL, Choosing, Tank
from phytotron.controllers import Constant
from phytotron.core.controller import Controller
from phytotron.core.environment import Measure, Starts
from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Channel, Competitor, Presentation, Timeline
from phytotron.core.scheduling import Scheduling
from phytotron.core.tunable import TunableRules
from phytotron.weather.archive import MissingWeatherError


class Between(Choosing):
    """Schedules half a choice."""

    scheduling = Scheduling((FLOW,), lambda *_: jnp.asarray(0.5))


class Numbered(Controller):
    """A rule that gives the number of a choice as a number that need not be whole."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def act(self, key: Array, memory: Any, observation: Array, state: Any, params: Any) -> Any:
        return self.number, memory


jax.tree_util.register_pytree_node(Numbered, lambda each: ((each.number,), None), lambda _, leaves: Numbered(*leaves))


class Forgetful(Choosing):
    tunable_rules = TunableRules((replace(FLOW, default=1.0),), lambda values: Numbered(values["flow"]))


class Labelled(Tank):
    labels: ClassVar[tuple[str, ...]] = ("one", "two")

    def starts(self, params: Any = None) -> Starts:
        return Starts({"leak": np.array([0.1, 0.2, 0.3])}, {"leak": 0}, self.labels)


class TwiceLabelled(Labelled):
    labels = ("one", "two", "two")


class Mislabelled(Labelled):
    labels = ("one", "two", "three")

    def start_of(self, state: Any) -> str:
        return "four"


class OneStart(Labelled):
    labels = ("one", "two", "three")

    def initial(self, key: Array, params: Any) -> tuple[Array, Any]:
        return super().initial(jax.random.key(1), params)


class Divided(Tank):
    parts = ("train", "test")

    def on(self, weather: str) -> Any:
        return Tank() if weather == "test" else self


@dataclass(frozen=True)
class OnParts(Tank):
    """Weather by part, in the default parameters."""

    part: str = "train"
    parts = ("train", "test")
    leaks: ClassVar[Mapping[str, float]] = {"train": 0.1, "test": 0.2}

    @property
    def weather_name(self) -> str:
        return self.part

    @property
    def default_params(self) -> dict[str, float]:
        return {"leak": self.leaks[self.part]}

    def on(self, weather: str) -> Any:
        return type(self)(part=weather)


class Narrowed(OnParts):
    narrowing = "years"  # type: ignore[assignment]


class Misspelled(OnParts):
    parts = ("train", "tset")  # type: ignore[assignment]


class OnItself(OnParts):
    def on(self, weather: str) -> Any:
        return self


class Refusing(OnParts):
    def on(self, weather: str) -> Any:
        raise PhytotronError("there is no weather")


class OnePart(OnParts):
    parts = "train"  # type: ignore[assignment]


class NotFetched(OnParts):
    def on(self, weather: str) -> Any:
        if weather == "test":
            raise MissingWeatherError("2012 is missing; fetch it")
        return super().on(weather)


class Unmeasured(Tank):
    measures = (
        Measure(Quantity("return", "", "-", "taken"), lambda info: info["flow"]),
        Measure(Quantity("lost", "", "-", "of nothing"), lambda info: info["nothing"]),
        Measure(Quantity("misread", "", "-", "of an attribute"), lambda info: info.flow),
        Measure(Quantity("chosen", "", "-", "by a branch"), lambda info: 1.0 if info["flow"] > 0.0 else 0.0),
        Measure(Quantity("both", "", "-", "two numbers"), lambda info: jnp.stack([info["flow"], info["flow"]])),
        Measure(Quantity("never", "", "-", "no number"), lambda info: info["flow"] / 0.0),
        Measure(Quantity("undefined", "", "-", "of no step"), lambda info: info["flow"] * jnp.nan),
    )


class PartlyUndefined(Tank):
    """Shares of the flow, which are undefined where nothing flows."""

    measures = (  # type: ignore[assignment]
        Measure(Quantity("share", "", "-", "of what is given"), lambda info: info["flow"] / info["flow"]),
        Measure(Quantity("mean_share", "", "-", "the same"), lambda info: info["flow"] / info["flow"], mean=True),
        Measure(Quantity("other_share", "", "-", "the same"), lambda info: info["flow"] / info["flow"]),
    )
    presentation = Presentation("Tank", headline=("return", "share"), decisive="mean_share")


class Channelled(Tank):
    channels = (
        Channel(LEVEL, lambda step: step.observation, "state"),
        Channel(LEVEL, lambda step: step.observation[0], "colour"),
        Channel(AGE, lambda step: step.after.age, "state"),
    )


class Rewarding(Tank):
    channels = (Channel(Quantity("reward", "r", "-", "of the step before"), lambda step: step.reward),)


class Overacting(Tank):
    @property
    def baselines(self) -> Any:
        return {"most": lambda env: Competitor("most", "", env, (Constant(np.array([99.0])),))}


class Halfway(Tank):
    @property
    def baselines(self) -> Any:
        return {"half": lambda env: Competitor("half", "", self, (Constant(np.zeros(2)),))}


class Unmade(Tank):
    @property
    def baselines(self) -> Any:
        return {"none": lambda env: 1 / 0}


class Unsuited(Tank):
    @property
    def baselines(self) -> Any:
        def refuse(env: Any) -> Any:
            raise PhytotronError("rain needs a tank without a lid")

        return {"rain": refuse}


class Worthless(Tank):
    def terminal_value(self, state: Any, params: Any) -> Any:
        return state["worth"]


class Undervalued(Tank):
    def terminal_value(self, state: Any, params: Any) -> Any:
        return jnp.log(-jnp.ones(()))


class TwiceValued(Tank):
    def terminal_value(self, state: Any, params: Any) -> Any:
        return jnp.ones(2)


class Coloured(Tank):
    channels = (Channel(LEVEL, lambda step: step.reward, "colour"),)


class Misspelling(Tank):
    @property
    def measures(self) -> Any:
        return self.mesures


class WithoutTuples(Tank):
    presentation = Presentation("Tank", compare="random", headline=None)  # type: ignore[arg-type]


NOTHING = Constant(np.zeros(1))


class Unwrapped(Tank):
    baselines = {"closed": NOTHING, "open": lambda _: NOTHING}  # type: ignore[assignment,dict-item]  # noqa: RUF012


class WithoutBounds(Tank):
    tunable_rules = TunableRules((Quantity("dose", "", "-", "dose", 0.0, default=1.0),), lambda values: NOTHING)


class CompiledIn(Tank):
    tunable_rules = TunableRules((Quantity("dose", "", "-", "dose", 0.0, 2.0, 1.0),), lambda values: NOTHING)


class Misshown(Tank):
    presentation = Presentation(
        "Tank", ("nobody",), ("profit",), product="fruit", costs={"empty": ("", "")}, day=("night",), zoomed=("moon",)
    )


class Undecided(Tank):
    presentation = Presentation("Tank", compare=(), decisive="proft")


class Undated(Tank):
    timeline = Timeline(1.0, 1.0)


class Scheduled(Tank):
    scheduling = Scheduling((FLOW,), lambda wanted, state, params: jnp.full(1, 99.0))


HERE = r"\S*faulty_environments/members\.py:\d+"
FAULTS: dict[str, list[tuple[type[Any], str]]] = {
    "starts": [
        (Labelled, "starts has 2 labels and axes for 3 of its parameters"),
        (Mislabelled, "start_of says 'four' of a first state, which is no label of starts"),
        (TwiceLabelled, "labels of starts has 'two' 2 times"),
    ],
    "parts": [
        (Divided, r"on\('test'\) gives another id or other parts"),
        (Divided, r"on\('train'\) has no weather_name"),
        (Misspelled, rf"^on\('tset'\) raises KeyError at {HERE}: 'tset'$"),
        (OnItself, "on has the weather_name 'train' for 'train', 'test'; give each part weather of its own"),
        (Refusing, r"^on\('test'\): there is no weather$"),
        (OnePart, "parts is 'train'; give a tuple of names"),
        (Narrowed, r"narrowing is 'years'; give a tuple of names, such as \('years',\)"),
    ],
    "measures": [
        (Unmeasured, "measures, with return, .* has 'return' 2 times"),
        (Unmeasured, f"the measure 'lost' raises KeyError at {HERE}: 'nothing'; compute it from what `info` has"),
        (Unmeasured, f"the measure 'misread' raises AttributeError at {HERE}: .* no attribute 'flow'"),
        (Unmeasured, "the measure 'chosen' raises TracerBoolConversionError .*; use jnp.where [^;]*$"),
        (Misspelling, f"^raises AttributeError at {HERE}: .* no attribute 'mesures'$"),
        (Unmeasured, r"the measure 'both' has the shape \(2,\)"),
        (PartlyUndefined, "the measure 'share' is NaN in the episode with lowest actions; reports compare it, so name"),
        (PartlyUndefined, "the measure 'mean_share' is NaN in the episode with lowest actions"),
        (Unmeasured, "the measure 'never' is infinite at some step; give a number, or NaN where it is undefined"),
    ],
    "channels": [
        (Channelled, "channels has 'level' 2 times"),
        (Channelled, "the channel 'level' is .*; give a finite scalar"),
        (Rewarding, "^2 columns of data of .* have the name 'reward'; rename its channel$"),
        (Channelled, "the group 'colour'; choose one of state, control, weather, time"),
        (Channelled, f"^the channel 'age' raises AttributeError at {HERE}: .* no attribute 'age'$"),
    ],
    "baselines": [
        (MisplacedBaseline, "the baseline 'middle': the baseline middle of .* acts on weather 'train' instead of '"),
        (Halfway, r"the baseline 'half': the action of Constant in .* has shape \(2,\); expected \(1,\)"),
        (Overacting, r"the baseline 'most' acts \[99.\]"),
        (Unwrapped, "the baseline closed of .* gives an object of the type Constant; make it a function"),
        (Unwrapped, "the baseline open of .* gives an object of the type Constant; make it a function"),
        (Unmade, f"^the baseline 'none' raises ZeroDivisionError at {HERE}: division by zero$"),
        (Unsuited, "^the baseline 'rain': rain needs a tank without a lid$"),
    ],
    "terminal_value": [
        (Worthless, f"^terminal_value raises KeyError at {HERE}: 'worth'$"),
        (Undervalued, "the terminal_value of a first state is nan; give a finite scalar"),
        (TwiceValued, r"the terminal_value of a first state is \[1. 1.\]"),
    ],
    "scheduling": [
        (Between, r"^scheduling acts 0.5 where nothing is wanted; give an action of the action space$"),
        (Scheduled, r"scheduling acts \[99.\] where nothing is wanted; give an action of the action space"),
    ],
    "tunable_rules": [
        (Forgetful, r"the action of .* is float32; give the whole number of a choice"),
        (WithoutBounds, "the setting 'dose' is 1.0 in 0.0 to inf; give finite bounds"),
        (CompiledIn, "no pytree of arrays alone; make its settings its leaves"),
    ],
    "presentation": [
        (Undated, "presentation has no timeline, without which steps have no dates; give it timeline=self.timeline"),
        (Misshown, "compare names 'nobody'; known: mpc, off, oracle, policy, random, tuned-rules"),
        (Misshown, "headline names 'profit'; known: return, filled"),
        (Misshown, "product names 'fruit'"),
        (Undecided, "decisive names 'proft'; known: return, filled"),
        (Undecided, "presentation.compare is empty; name at least one controller, such as 'random'"),
        (Misshown, "costs names 'empty'; known: full"),
        (Misshown, "day names 'night'; known: level, age, flow"),
        (Misshown, "zoomed names 'moon'"),
        (WithoutTuples, r"presentation.compare is 'random'; give a tuple of names, such as \('random',\)"),
        (WithoutTuples, "presentation.headline is None; give a tuple of names$"),
    ],
}
