"""A trial of an environment, in one step and in whole episodes, computed once for all checks.

Where something cannot be computed, the same `PhytotronError` says why each time that it is asked for: the first check
that needs it reports the error, and the others are not reached.
"""

import hashlib
import inspect
import io
import itertools
import operator
import pickle
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.environment import Environment, Info
from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import Measure, state_changes
from phytotron.core.presentation import Channel, Presentation
from phytotron.core.spaces import Box, Discrete, Space
from phytotron.testing.failures import error_text

ACTIONS = ("random", "lowest", "highest")  # of the episodes
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
CONTAINERS = (list, dict, set, bytearray, np.ndarray)  # that can be changed in place
HELD = {"presentation": Presentation, "measures": Measure, "channels": Channel}  # types, by member
PROPERTIES = sorted(
    {name for kind in Environment.__mro__ for name, each in vars(kind).items() if isinstance(each, property)}
)


class Outcome(NamedTuple):
    """The results of `transition`."""

    observation: Any
    state: Any
    reward: Any
    terminated: Any
    truncated: Any
    info: Info


class Episodes(NamedTuple):
    """One episode for each of `ACTIONS`; arrays are (episodes, steps, ...)."""

    active: Any  # whether the episode was still running before the step
    over: Any  # whether the step ended it
    observation: Any  # after the step
    reward: Any
    info: Info


class Trial:
    """An environment under test."""

    def __init__(self, env: Environment[Any, Any]) -> None:
        if isinstance(env, type):
            raise PhytotronError(f"{env.__name__} is a class; check an environment that it makes: {env.__name__}()")
        self.env, self.key = env, jax.random.key(0)

    @cached_property
    def misdefined(self) -> list[str]:
        """Return faults of the class: it is no `Environment`, or has methods or other types where values belong."""
        if not isinstance(self.env, Environment):
            name = type(self.env).__name__
            return [f"{name} is no Environment; derive the class from phytotron.core.environment.Environment"]
        names = [n for n in PROPERTIES if inspect.isfunction(inspect.getattr_static(type(self.env), n, None))]
        methods = [f"{name} is a method; make it a property, with @property above its definition" for name in names]
        return methods or list(_of_other_types(self.env))

    def space(self, name: str) -> Space:
        """Return a space of the environment by the name of its member."""
        space: Any = getattr(self.env, name)
        if not isinstance(space, Box | Discrete):
            raise PhytotronError(f"{name} is {_kind(space)}; give a Box or Discrete of phytotron.core.spaces")
        return space

    @cached_property
    def actions(self) -> Array:
        """One of each of `ACTIONS`, (3, ...)."""
        space = self.space("action_space")
        if not (np.all(np.isfinite(space.low)) and np.all(np.isfinite(space.high))):
            raise PhytotronError(
                f"actions lie between {space.low} and {space.high}; give finite bounds, which agents scale by"
            )
        bounds = [jnp.full(space.shape, bound, space.dtype) for bound in (space.low, space.high)]
        return jnp.stack([jnp.asarray(space.sample(self.key), space.dtype), *bounds])

    @cached_property
    def episode_steps(self) -> int:
        """The largest number of steps of an episode."""
        given = self.env.episode_steps
        try:
            steps = operator.index(given)
        except TypeError:
            steps = 0
        if isinstance(given, bool) or steps < 1:
            raise PhytotronError(f"episode_steps is {given!r}; give a whole number of steps, 1 or more")
        return steps

    @cached_property
    def params(self) -> Any:
        """The default parameters."""
        params = self.env.default_params
        for fault in parameter_faults(params):
            raise PhytotronError(fault)
        return params

    @cached_property
    def untraced(self) -> dict[str, Any]:
        """The attributes of the environment before anything was traced."""
        return attributes(self.env)

    def initial(self, key: Array, params: Any) -> tuple[Array, Any]:
        """Return the results of `initial`, which has to return two values."""
        try:
            made = self.env.initial(key, params)
        except Exception as error:
            raise PhytotronError(error_text("initial", error)) from error
        if not (isinstance(made, tuple) and len(made) == 2):
            raise PhytotronError("initial does not give two values; give observation, state")
        _refuse_other_than_arrays("initial", {"observation": made[0], "state": made[1]})
        return made

    def transition(self, *arguments: Any) -> Outcome:
        """Return the results of `transition`, which has to return six values."""
        try:
            made = self.env.transition(*arguments)
        except Exception as error:
            raise PhytotronError(error_text("transition", error)) from error
        if not (isinstance(made, tuple) and len(made) == len(Outcome._fields)):
            raise PhytotronError(f"transition does not give six values; give {', '.join(Outcome._fields)}")
        outcome = Outcome(*made)
        if not isinstance(outcome.info, dict):
            raise PhytotronError(f'info is {_kind(outcome.info)}; give a dict, in which "costs" is a dict as well')
        _refuse_other_than_arrays("transition", outcome._asdict())
        return outcome

    @cached_property
    def start(self) -> tuple[Array, Any]:
        """Observation and state at the start of an episode."""
        params = self.params
        _ = self.untraced  # from now on, the environment is traced
        observation, state = self.compiled_initial(self.key, params)
        return observation, state

    @cached_property
    def compiled_initial(self) -> Any:
        """The compiled function `initial`."""
        return jax.jit(lambda key, params: self.initial(key, params))

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Key, state, action and parameters of the first step."""
        return self.key, self.start[1], self.actions[0], self.params

    @cached_property
    def kinds(self) -> Outcome:
        """Shapes and dtypes after a step, without computing it. Whatever needs a step begins with them."""
        _ = self.episode_steps  # which the step may depend on
        return jax.eval_shape(self.transition, *self.arguments)

    @cached_property
    def step(self) -> Outcome:
        """The first step, compiled."""
        _ = self.kinds
        return self.compiled_step()

    def compiled_step(self) -> Outcome:
        """Return the first step, compiled anew."""
        return jax.jit(lambda *given: self.transition(*given))(*self.arguments)

    @cached_property
    def batch(self) -> Outcome:
        """The first step with each of `ACTIONS`, under `vmap`."""
        _ = self.kinds
        return jax.jit(jax.vmap(self.transition, (None, None, 0, None)))(*self.arguments[:2], self.actions, self.params)

    def trace(self) -> tuple[Any, ...]:
        """Return the expressions and constants of `initial` and `transition`, traced anew."""
        _ = self.kinds
        made = [
            jax.make_jaxpr(lambda *given: self.initial(*given))(self.key, self.params),
            jax.make_jaxpr(lambda *given: self.transition(*given))(*self.arguments),
        ]
        if any(isinstance(c, jax.core.Tracer) for each in made for c in each.consts):
            raise PhytotronError(
                "a step uses a value that an earlier one has left in an attribute or a global variable; keep it in the "
                "state"
            )
        return tuple((ADDRESS.sub("", str(each)), [np.asarray(c).tobytes() for c in each.consts]) for each in made)

    @cached_property
    def changes(self) -> list[str]:
        """The faults of a state whose structure, shapes or dtypes change in a step."""
        found = state_changes(self.start[1], self.kinds.state)
        right = "keep structure, shapes and dtypes as `initial` has them"
        return [f"in the state after a step, {each}; {right}" for each in found]

    def require_same_kind_of_state(self) -> None:
        """Refuse a state that changes its structure, shapes or dtypes: it cannot be stepped under `scan`."""
        for fault in self.changes:
            raise PhytotronError(fault)

    @cached_property
    def episodes(self) -> Episodes:
        """Whole episodes under `vmap` and `scan`."""
        self.require_same_kind_of_state()
        return jax.jit(jax.vmap(self._episode, (0, 0, None)))(self.actions, np.arange(len(ACTIONS)) == 0, self.params)

    def _episode(self, action: Array, varied: Array, params: Any) -> Episodes:
        def advance(now: Any, key: Array) -> tuple[Any, Any]:
            state, active = now
            drawn = jnp.asarray(self.env.action_space.sample(jax.random.fold_in(key, 1)), action.dtype)
            made = self.transition(key, state, jnp.where(varied, drawn, action), params)
            over = jnp.any(jnp.logical_or(made.terminated, made.truncated))
            return (made.state, active & ~over), Episodes(active, over, made.observation, made.reward, made.info)

        start = self.initial(self.key, params)[1], jnp.ones((), bool)
        return jax.lax.scan(advance, start, jax.random.split(self.key, self.episode_steps))[1]

    def while_running(self, series: Any) -> Any:
        """Values of the steps that belong to an episode, (steps of all, ...), of a series (episodes, steps, ...)."""
        return np.asarray(series)[np.asarray(self.episodes.active)]


def _of_other_types(env: Any) -> Iterator[str]:
    """Yield faults of members that hold other objects than they should; those that raise errors are left to others."""
    for name, kind in HELD.items():
        try:
            value = getattr(env, name)
            held = (value,) if kind is Presentation else tuple(value)
        except Exception:  # of code of the task as well
            continue
        strange = [_kind(each) for each in held if not isinstance(each, kind)]
        if strange:
            wanted = f"{'a' if kind is Presentation else 'a tuple of'} {kind.__module__}.{kind.__name__}"
            yield f"{name} holds {strange[0]}; give {wanted}"


def parameter_faults(params: Any) -> list[str]:
    """Return the faults of parameters that are no numbers."""
    found = []
    for path, leaf in jax.tree.leaves_with_path(params):
        name = f"default_params{jax.tree_util.keystr(path)}"
        if isinstance(leaf, Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            remedy = "keep the numbers jax.random.key_data(key), and use jax.random.wrap_key_data on them"
            found.append(f"{name} is a random key, which pages and stored plans cannot hold; {remedy}")
        elif np.asarray(leaf).dtype.kind not in "fiub":
            found.append(f"{name} is {_kind(leaf)}; keep numbers in params, and names as options")
    return found


def attributes(env: Any) -> dict[str, Any]:
    """Return the attributes by value, and those of its classes that can be changed in place.

    Attributes that are computed from others and kept are left out.
    """
    of_classes = {
        name: each
        for kind in reversed(type(env).__mro__)
        for name, each in vars(kind).items()
        if isinstance(each, CONTAINERS) and not name.startswith("__")
    }
    return {name: _value(each) for name, each in (of_classes | Environment.__getstate__(env)).items()}


class _Pickler(pickle.Pickler):
    """Pickles objects without what they computed from their own attributes and kept."""

    def reducer_override(self, obj: Any) -> Any:
        kind = type(obj)
        if hasattr(obj, "__dict__") and any(isinstance(each, cached_property) for each in _members(kind)):
            return object.__new__, (kind,), Environment.__getstate__(obj)
        return NotImplemented


def _members(kind: type) -> Iterator[Any]:
    return itertools.chain.from_iterable(vars(each).values() for each in kind.__mro__)


def _value(attribute: Any) -> Any:
    """Return what tells an attribute from a changed one: a digest of its content, where it can be pickled."""
    written = io.BytesIO()
    try:
        _Pickler(written).dump(attribute)
    except Exception:  # of code of the task as well
        return id(attribute)
    return hashlib.sha256(written.getvalue()).digest()


def _refuse_other_than_arrays(function: str, results: dict[str, Any]) -> None:
    """Refuse results of a function that JAX cannot return from `jit`, such as text, and an observation in parts."""
    if not hasattr(results["observation"], "shape"):
        raise PhytotronError(f"the observation of {function} is {_kind(results['observation'])}; give one array")
    for name in results.keys() & {"reward", "terminated", "truncated"}:
        if results[name] is None:
            raise PhytotronError(f"{name} of {function} is None; give one number")
    for name, result in results.items():
        for path, leaf in jax.tree.leaves_with_path(result):
            if not isinstance(leaf, bool | int | float | complex | np.ndarray | np.generic | Array):
                where = f"{name}{jax.tree_util.keystr(path)}"
                raise PhytotronError(f"{where} of {function} is {_kind(leaf)}; give arrays and numbers alone")


def _kind(value: Any) -> str:
    """The type of a value in words."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
