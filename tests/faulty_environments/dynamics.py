"""Faults of what an environment computes."""

from __future__ import annotations

from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from faulty_environments.members import OneStart
from faulty_environments.tank import Changed, Choosing, Tank


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


HERE = r"\S*faulty_environments/dynamics\.py:\d+"
FAULTS: dict[str, list[tuple[type[Any], str]]] = {
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
    "double_precision": [],  # tests run in double precision; the test below switches it off
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
    "copies": [],
}
