"""What is wrong with an environment is named; what ships with the package has no fault."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from weather_parts import MisplacedBaseline

from phytotron.controllers import Constant
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment, Measure, Starts
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import Quantity
from phytotron.core.presentation import Channel, Competitor, Presentation, Timeline
from phytotron.core.scheduling import Scheduling
from phytotron.core.spaces import Box, Discrete
from phytotron.core.tunable import TunableRules
from phytotron.testing import CHECKS, EnvironmentCheckError, check_environment, find_faults
from phytotron.testing.trial import Trial
from phytotron.weather.archive import MissingWeatherError

LEVEL, AGE, FLOW = (Quantity(name, name, "-", name, 0.0, 10.0) for name in ("level", "age", "flow"))


@dataclass(frozen=True)
class Tank(Environment[dict[str, Array], dict[str, float]]):
    """A sound environment: a tank that is filled and leaks."""

    id: ClassVar[str] = "test/Tank-v0"
    differentiable: ClassVar[bool] = True
    options: Mapping[str, float] = field(default_factory=dict)
    observation_space = Box.of((LEVEL, AGE))
    action_space = Box.of((FLOW,))
    fields = {"observation": (LEVEL, AGE), "action": (FLOW,)}  # noqa: RUF012
    episode_steps = 5
    measures = (Measure(Quantity("filled", "", "-", "filled"), lambda info: info["flow"]),)

    @property
    def default_params(self) -> dict[str, float]:
        return {"leak": 0.1} | dict(self.options)

    def initial(self, key: Array, params: Any) -> tuple[Array, Any]:
        state = {"level": jax.random.uniform(key, (), jnp.float32), "age": jnp.zeros((), jnp.int32)}
        return self.observe(state), state

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        level = state["level"] * (1.0 - params["leak"]) + 0.1 * action[0]
        state = {"level": level.astype(jnp.float32), "age": state["age"] + 1}
        info = {"costs": {"full": jnp.maximum(level - 5.0, 0.0)}, "flow": action[0]}
        return self.observe(state), state, -jnp.abs(level - 1.0), level > 9.0, state["age"] >= 5, info

    def observe(self, state: Any) -> Array:
        return jnp.stack([state["level"], state["age"].astype(jnp.float32)])


class Changed(Tank):
    """The outcome of a step, changed by `change`."""

    def change(self, observation: Any, state: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> Any:
        raise NotImplementedError

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return self.change(*super().transition(key, state, action, params))


class OtherDtype(Changed):
    def change(self, o: Any, s: Any, *rest: Any) -> Any:
        return o, s | {"age": s["age"].astype(jnp.float32)}, *rest


class OtherStructure(Changed):
    def change(self, o: Any, s: Any, *rest: Any) -> Any:
        return o, s | {"new": s["age"]}, *rest


class Widening(Changed):
    """With a number in the precision of JAX, which is double where that is switched on."""

    def change(self, o: Any, s: Any, *rest: Any) -> Any:
        return o, s | {"level": jnp.asarray(s["level"], float)}, *rest


class WideningParameters(Tank):
    """With parameters in the precision of JAX, which widen the state of the start."""

    @property
    def default_params(self) -> Any:
        return {"leak": jnp.asarray(np.asarray([0.1], float))[0]}

    def initial(self, key: Array, params: Any) -> Any:
        seen, state = super().initial(key, params)
        return seen, state | {"level": params["leak"] * state["level"]}


class ComputedParameters(WideningParameters):
    """With parameters that NumPy computes from those of JAX, so that they cannot be traced."""

    @property
    def default_params(self) -> Any:
        return {"leak": np.float32(np.asarray(jnp.sin(0.1)))}


class NarrowLoop(Changed):
    """With a loop that begins with a number in single precision, whatever JAX computes in."""

    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        slower = jax.lax.fori_loop(0, 2, lambda _, now: jnp.asarray(0.5 * now, float), jnp.float32(1.0))
        return o, s, r * slower, *rest


class Branching(Tank):
    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        if action[0] > 0.5:
            return super().transition(key, state, action, params)
        return super().transition(key, state, -action, params)


class InNumpy(Tank):
    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, np.asarray(action), params)


class Indexing(Tank):
    """With a table that can be indexed by a traced number only where the parameters are traced as well."""

    default_params = {"leak": np.linspace(0.1, 0.2, 6)}  # type: ignore[assignment]  # noqa: RUF012

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, action, {"leak": params["leak"][state["age"]]})


class Silent(Tank):
    def initial(self, key: Array, params: Any) -> Any:
        raise RuntimeError


class Comparing(Changed):
    def change(self, *made: Any) -> Any:
        return max(made, key=lambda each: each.text)


class Texts(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, t: Any, info: Any) -> Any:
        return o, s, r, e, t, info | {"text": "hello"}


class Uninformed(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, t: Any, info: Any) -> Any:
        return o, s, r, e, t, None


class Pieces(Changed):
    def change(self, o: Any, *rest: Any) -> Any:
        return list(o), *rest


class Alone(Tank):
    def initial(self, key: Array, params: Any) -> Any:
        return super().initial(key, params)[0]


class Five(Changed):
    def change(self, *made: Any) -> Any:
        return made[:5]


class NoCosts(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, t: Any, info: Any) -> Any:
        return o, s, r, e, t, {"flow": info["flow"]}


class NegativeCosts(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, t: Any, info: Any) -> Any:
        return o, s, r, e, t, info | {"costs": {"full": -s["level"]}}


class UndefinedReward(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, jnp.log(r), *rest


class WholeReward(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, s["age"], *rest


class NumericFlag(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, *rest: Any) -> Any:
        return o, s, r, e.astype(jnp.float32), *rest


class Endless(Changed):
    def change(self, o: Any, s: Any, r: Any, e: Any, t: Any, info: Any) -> Any:
        return o, s, r, jnp.zeros((), bool), jnp.zeros((), bool), info


class Outside(Changed):
    def change(self, o: Any, *rest: Any) -> Any:
        return o - 20.0, *rest


class Wide(Changed):
    def change(self, o: Any, *rest: Any) -> Any:
        return jnp.append(o, 0.0), *rest


class Unbounded(Changed):
    def change(self, o: Any, s: Any, *rest: Any) -> Any:
        return o, s | {"level": 1.0 / jnp.maximum(1.0 - s["level"], 0.0)}, *rest


class Counting(Tank):
    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        self.__dict__["calls"] = self.__dict__.get("calls", 0) + 1
        return super().transition(key, state, action, params)


class Restarting(Tank):
    """As Gymnasium has it: every start resets an attribute, and every step adds to it."""

    def initial(self, key: Array, params: Any) -> Any:
        self.__dict__["time"] = 0
        return super().initial(key, params)

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        self.__dict__["time"] += 1
        return super().transition(key, state, action, params)


class Remembering(Tank):
    """It keeps a traced action for the next step."""

    def initial(self, key: Array, params: Any) -> Any:
        self.__dict__["last"] = jnp.zeros(1)
        return super().initial(key, params)

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        mixed = 0.5 * (action + self.__dict__["last"])
        self.__dict__["last"] = action
        return super().transition(key, state, mixed, params)


class Leaving(Tank):
    """It leaves a traced action in a global variable for the next step."""

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        before, LEFT["action"] = LEFT.get("action", action), action
        return super().transition(key, state, 0.5 * (action + before), params)


LEFT: dict[str, Array] = {}


class Logging(Tank):
    log: ClassVar[list[int]] = []

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        self.log.append(1)
        return super().transition(key, state, action, params)


class Drawing(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, r + np.random.default_rng().uniform(), *rest


class Compiled(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, r + (0.0 if isinstance(r, jax.core.Tracer) else 1.0), *rest


class PartlyInfinite(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        *ends, info = rest
        return o, s, r, *ends, info | {"both": jnp.array([1.0 if isinstance(r, jax.core.Tracer) else 500.0, jnp.inf])}


class Unrewarded(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, None, *rest


class Flat(Changed):
    def change(self, o: Any, s: Any, *rest: Any) -> Any:
        return o, jax.lax.stop_gradient(s), *rest


class Rooted(Changed):
    def change(self, o: Any, s: Any, r: Any, *rest: Any) -> Any:
        return o, s, jnp.sqrt(0.0 * s["level"]), *rest


class Choosing(Tank):
    action_space = Discrete(2)  # type: ignore[assignment]

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, action[None] * 1.0, params)


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


class Nameless(Tank):
    id = "Tank"


class Infinite(Tank):
    action_space = Box(np.array([0.0]), np.array([np.inf]), ("flow",))


class Undescribed(Tank):
    fields = {"observation": (LEVEL,), "action": (FLOW, FLOW)}  # noqa: RUF012


class Misnamed(Tank):
    fields = {"observation": (AGE, LEVEL), "action": (FLOW,)}  # noqa: RUF012


class Worded(Tank):
    @property
    def default_params(self) -> Any:
        return {"leak": 0.1, "colour": "red"}


class Keyed(Tank):
    @property
    def default_params(self) -> Any:
        return {"leak": 0.1, "draws": {"key": jax.random.key(0)}}


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


class AsMethods(Tank):
    def episode_steps(self) -> Any:  # type: ignore[override]
        return 5

    def presentation(self) -> Any:
        return Presentation("Tank")


class Foreign:
    """No environment at all."""

    id = "test/Foreign-v0"


class Instant(Tank):
    episode_steps = 0


class Halved(Tank):
    episode_steps = 2.5  # type: ignore[assignment]


class Unspaced(Tank):
    action_space = None  # type: ignore[assignment]


class Mistitled(Tank):
    presentation = "Tank"  # type: ignore[assignment]
    measures = ("filled",)  # type: ignore[assignment]
    channels = (LEVEL,)  # type: ignore[assignment]


class Ungrouped(Tank):
    """Without a description of its actions, from which their space follows."""

    fields = {"observation": (LEVEL, AGE)}  # noqa: RUF012
    action_space = Environment.action_space


class Untyped(Ungrouped):
    fields = {"observation": (LEVEL, AGE), "action": (("flow", 0.0, 10.0),)}  # type: ignore[dict-item]  # noqa: RUF012


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


HERE = r"\S*test_check_environment\.py:\d+"
FAULTS: dict[str, list[tuple[type[Any], str]]] = {
    "interface": [
        (AsMethods, "episode_steps is a method; make it a property"),
        (AsMethods, "presentation is a method; make it a property"),
        (Foreign, "Foreign is no Environment; derive the class from phytotron"),
        (Mistitled, r"^presentation holds a str; give a phytotron\.core\.presentation\.Presentation$"),
        (Mistitled, r"^measures holds a str; give a tuple of phytotron\.core\.outcomes\.Measure$"),
        (Mistitled, r"^channels holds a Quantity; give a tuple of phytotron\.core\.presentation\.Channel$"),
    ],
    "identity": [(Nameless, r"id is 'Tank'; .*'owner/Name-v0'")],
    "episode_steps": [
        (Instant, "episode_steps is 0; give a whole number of steps, 1 or more"),
        (Halved, "episode_steps is 2.5; give a whole number"),
    ],
    "tracing": [
        (
            Indexing,
            rf"^with default_params compiled in, as where no params are given, transition raises \w+ at {HERE}: .* "
            "a NumPy array in default_params, where one of jnp would do, is the usual cause$",
        ),
        (Branching, f"^transition raises TracerBoolConversionError at {HERE}: Attempted .*; use jnp.where .*$"),
        (InNumpy, f"^transition raises TracerArrayConversionError at {HERE}: .*; use functions of jnp .*$"),
        (Silent, f"^initial raises RuntimeError at {HERE}$"),
        (
            Comparing,
            f"^transition raises AttributeError at {HERE}: .*Tracer.* no attribute .*; .* traced arrays$",
        ),
        (Texts, r"^info\['text'\] of transition is a str; give arrays and numbers alone"),
        (Unrewarded, "^reward of transition is None; give one number$"),
        (Uninformed, "info is None; give a dict"),
        (Pieces, "the observation of transition is a list; give one array"),
        (Alone, "initial does not give two values; give observation, state"),
        (Five, "transition does not give six values; give observation, state"),
    ],
    "spaces": [
        (Unspaced, "action_space is None; give a Box or Discrete"),
        (Infinite, r"actions lie between .*inf.*finite bounds"),
        (Ungrouped, "^fields does not describe the action; give it, as 'action', one .*Quantity for each"),
        (Untyped, "^fields does not describe the action; give it, as 'action', one .*Quantity for each"),
    ],
    "fields": [
        (Undescribed, r"fields\['observation'\] has 1 quantities; .* 2 in all"),
        (Undescribed, r"fields\['action'\] has 'flow' 2 times"),
        (Misnamed, r"fields\['observation'\] and observation_space.names differ"),
    ],
    "parameters": [
        (Worded, r"default_params\['colour'\] is a str; keep numbers"),
        (Keyed, r"default_params\['draws'\]\['key'\] is a random key, .*; keep the numbers jax.random.key_data"),
    ],
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
    "purity": [
        (Counting, "changes the attribute 'calls'"),
        (Restarting, "changes the attribute 'time'"),
        (Remembering, "changes the attribute 'last'"),
        (Logging, "changes the attribute 'log'"),
        (Drawing, "two traces differ; .*NumPy draws"),
        (Leaving, "^a step uses a value that an earlier one has left in an attribute or a global variable; keep it in"),
    ],
    "state": [
        (OtherDtype, r"\['age'\] was int32\[\] and is float32\[\]; keep structure, shapes and dtypes"),
        (OtherStructure, "its structure was .*; keep structure"),
    ],
    "observation": [
        (Outside, r"the observation 'level' is -.*, outside \[0, 10\]"),
        (Wide, r"the observation of transition is float32\[3\]; its space has float32\[2\]"),
    ],
    "reward": [
        (UndefinedReward, "the reward is not finite"),
        (WholeReward, r"the reward is int32\[\]; .*floating-point"),
    ],
    "flags": [(NumericFlag, r"terminated is float32\[\]; give a boolean scalar")],
    "costs": [(NoCosts, r'info\["costs"\] is missing'), (NegativeCosts, "the cost 'full' is negative")],
    "ends": [(Endless, "with random actions no episode ends within 5 steps"), (Endless, "with highest actions")],
    "bounds": [(Unbounded, r"after the highest action state\['level'\] is not finite")],
    "seeds": [(OneStart, "16 keys give one start")],
    "batch": [],
    "eager": [
        (Compiled, r"\.reward is .* under jit and .* without jit"),
        (PartlyInfinite, r"\.info\['both'\] is \[ *1. *inf\] under jit and \[500. *inf\] without jit"),
    ],
    "gradients": [
        (Flat, "gradients of the state by the action are all zero"),
        (Rooted, "gradients of the reward by the action are not finite"),
        (Choosing, "differentiable is True and actions are discrete"),
    ],
    "double_precision": [],  # tests run in double precision; the test below switches it off
    "copies": [],
}


def found_by(name: str, env: Any) -> list[str]:
    """The faults that one check finds."""
    return find_faults(env, [each for each in CHECKS if each != name])[name] or []


@pytest.mark.parametrize(("name", "kind", "text"), [(name, *each) for name in FAULTS for each in FAULTS[name]])
def test_a_fault_is_named_by_its_check_with_what_would_be_right(name: str, kind: type[Any], text: str) -> None:
    assert any(re.search(text, each) for each in found_by(name, kind())), found_by(name, kind())


def test_measures_that_reports_do_not_compare_may_be_undefined() -> None:
    assert len(found_by("measures", PartlyUndefined())) == 2


def test_a_baseline_that_is_not_compared_may_refuse_the_options_of_the_task() -> None:
    class Choosy(Unsuited):
        presentation = Presentation("Tank", compare=("random",))

    assert found_by("baselines", Choosy()) == []


def test_an_attribute_of_the_name_of_a_timeline_need_not_be_one() -> None:
    class Planned(Tank):
        timeline = ("fill", "empty")

    assert found_by("presentation", Planned()) == []


def test_every_check_is_tested_here() -> None:
    assert set(FAULTS) == set(CHECKS)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Branching, "tracing"),
        (InNumpy, "tracing"),
        (Silent, "tracing"),
        (Five, "tracing"),
        (Texts, "tracing"),
        (Uninformed, "tracing"),
        (Worded, "parameters"),
        (Keyed, "parameters"),
        (Instant, "episode_steps"),
        (Foreign, "interface"),
        (Infinite, "spaces"),
        (Unspaced, "spaces"),
    ],
)
def test_a_fault_that_stops_other_checks_is_the_only_one_and_the_others_are_not_reached(
    kind: type[Any], name: str
) -> None:
    found = find_faults(kind())
    assert {each: len(texts) for each, texts in found.items() if texts} == {name: 1}
    assert [each for each in ("purity", "state", "ends", "batch", "measures") if found[each] is not None] == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Widening, r"\['level'\] was float32\[\] and is float64\[\]; give the dtype wherever"),
        (WideningParameters, r"\['level'\] was float64\[\] and is float32\[\]; give the dtype wherever"),
        (NarrowLoop, r"transition raises TypeError at .*test_check_environment.py:\d+: "),
    ],
)
def test_a_state_that_only_single_precision_keeps_is_named(kind: type[Any], text: str) -> None:
    with jax.enable_x64(False):
        found = find_faults(kind())
    assert [name for name, texts in found.items() if texts] == ["double_precision"]
    assert re.search(f"with jax_enable_x64, .*{text}", str(found["double_precision"]))


def test_parameters_that_cannot_be_traced_are_taken_as_they_are() -> None:
    with jax.enable_x64(False):
        assert found_by("double_precision", ComputedParameters()) == []


def test_a_state_that_changes_stops_only_the_checks_of_whole_episodes() -> None:
    found = find_faults(OtherDtype())
    assert {name for name, texts in found.items() if texts is None} == {
        "double_precision", "observation", "reward", "costs", "ends", "gradients", "measures"
    }  # fmt: skip
    assert found["state"] and found["purity"] == found["batch"] == []


def test_what_stops_a_check_is_reported_by_it_where_the_earlier_check_is_skipped() -> None:
    assert found_by("ends", OtherDtype()) == found_by("state", OtherDtype()) != []


@pytest.mark.parametrize("env", [OnParts(), NotFetched()], ids=lambda env: type(env).__name__)
def test_parts_with_weather_of_their_own_have_no_fault_even_where_weather_is_still_to_be_fetched(env: Any) -> None:
    assert find_faults(env, [each for each in CHECKS if each != "parts"]) == {"parts": []}


class Table:
    """It computes something at its first use, and keeps it."""

    @cached_property
    def leak(self) -> float:
        return 0.1


@dataclass(frozen=True)
class Tabled(Tank):
    table: Table = field(default_factory=Table)

    def transition(self, key: Array, state: Any, action: Array, params: Any) -> Any:
        return super().transition(key, state, action, {"leak": self.table.leak})


def test_what_an_attribute_computes_and_keeps_is_no_change_of_it() -> None:
    env = Tabled()
    assert found_by("purity", env) == []
    assert "leak" in vars(env.table)


def test_a_batch_that_computes_something_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(leaf: Array) -> Array:
        return leaf[None] + 1.0 if jnp.issubdtype(leaf.dtype, jnp.floating) else leaf[None]

    monkeypatch.setattr(Trial, "batch", property(lambda trial: jax.tree.map(other, trial.step)))
    assert any("under vmap; let no result depend on how it is called" in each for each in found_by("batch", Tank()))


def test_what_cannot_be_pickled_is_named() -> None:
    class Local(Tank):
        """Not to be found by its name."""

    assert any("cannot be pickled" in each for each in found_by("copies", Local()))


def test_all_faults_are_in_one_error_each_under_its_name_and_once() -> None:
    class Broken(NoCosts, Undescribed):
        """Without costs, and wrongly described."""

    with pytest.raises(EnvironmentCheckError, match=r"has 6 faults:\n- fields: .*\n- fields: ") as caught:
        check_environment(Broken())
    assert isinstance(caught.value, PhytotronError)
    counts = {name: len(texts) for name, texts in caught.value.faults.items()}
    assert counts == {"fields": 3, "channels": 1, "costs": 1, "copies": 1}


def test_the_error_names_the_checks_that_could_not_run() -> None:
    with pytest.raises(
        EnvironmentCheckError, match=r"- state: .*\nnot reached because of these: .*reward, .*ends"
    ) as caught:
        check_environment(OtherDtype())
    assert {"observation", "reward", "ends"} <= set(caught.value.not_reached)


def test_a_channel_of_an_unknown_group_is_one_fault() -> None:
    assert len(found_by("channels", Coloured())) == 1


def test_a_sound_environment_passes_although_a_dict_among_its_options_has_no_hash() -> None:
    env = Tank(options={"leak": 0.2})
    with pytest.raises(TypeError, match="unhashable"):
        hash(env)
    check_environment(env)


def test_a_class_in_the_place_of_an_environment_is_refused() -> None:
    with pytest.raises(PhytotronError, match=r"Tank is a class; check an environment that it makes: Tank\(\)"):
        check_environment(Tank)  # type: ignore[arg-type]


def test_an_unknown_check_cannot_be_skipped() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'purity'"):
        check_environment(Tank(), skip=["purty"])
