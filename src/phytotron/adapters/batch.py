"""Many copies of an environment as one compiled call per step: NumPy in and out, the state stays on the device."""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from phytotron.adapters.compiling import Vectors, compiled
from phytotron.adapters.forking import check_process, note_use
from phytotron.adapters.sharing import has_picture, picture
from phytotron.adapters.starting import chosen_starts, start_info
from phytotron.adapters.trace import Trace
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.core.memory import enough_memory
from phytotron.core.spaces import Box, Space

Mask = NDArray[np.bool_]
Seeds = int | Sequence[int | None] | None


class Outcome(NamedTuple):
    """The results of a step, one row per environment."""

    observation: NDArray[Any]
    reward: NDArray[Any]
    terminated: Mask
    truncated: Mask
    info: dict[str, Any]

    @property
    def over(self) -> Mask:
        """Return a mask of the environments whose episode has ended, by termination or truncation."""
        return self.terminated | self.truncated


class Batch:
    """`num_envs` copies of an environment. Each draws from its own generator, as the single adapter does.

    Nothing resets by itself: which episodes end when is up to the adapters. It can be pickled and copied at any time.
    """

    def __init__(self, environment: Environment[Any, Any], num_envs: int, render_mode: str | None = None) -> None:
        if not isinstance(num_envs, int | np.integer) or num_envs < 1:
            raise ValueRangeError("num_envs", num_envs, "a whole number, at least 1")
        self.environment = environment
        self.num_envs = int(num_envs)
        self._random: list[tuple[np.random.Generator, int]] = []
        self._carry: Vectors | None = None
        self._observation: NDArray[Any] | None = None
        drawn = render_mode is not None and not has_picture(environment)
        self._trace = Trace(environment, self.num_envs) if drawn else None
        note_use()

    @property
    def state(self) -> Any:
        """The states of all environments, stacked."""
        return compiled(self.environment, self.num_envs).state(self._carry)

    @property
    def random(self) -> list[tuple[np.random.Generator, int]]:
        """The random generator of each environment and its seed, drawn from the entropy of the system if none was
        given.
        """
        if not self._random:
            self._random = [seeding.np_random() for _ in range(self.num_envs)]
        return self._random

    def reset(self, seeds: Seeds = None, mask: Mask | None = None, start: Any = None) -> NDArray[Any]:
        """Start new episodes, in all environments or where the mask is True, and give the observations of all.

        One seed s stands for s, s + 1, ...; where there is none, the draws go on. `start`: the label of a start for
        all, or one for each; without it starts are drawn.
        """
        check_process()
        if mask is None:
            mask = np.ones(self.num_envs, bool)
        if not mask.all() and self._carry is None:
            raise PhytotronError("reset all environments before some of them")
        self._seed(seeds, mask)
        numbers = np.zeros(self.num_envs, np.uint32)
        for index in np.flatnonzero(mask):
            numbers[index] = self.random[index][0].integers(2**32)
        with enough_memory(self.num_envs, "environments at once", "num_envs="):
            functions = compiled(self.environment, self.num_envs)
            before = functions.nothing if self._carry is None else self._carry
            if start is None:
                observation, self._carry = functions.reset(before, numbers, mask)
            else:
                params = chosen_starts(self.environment, start, self.num_envs).params
                observation, self._carry = functions.reset_from(before, numbers, mask, params)
        if self._observation is None or mask.all():
            self._observation = np.array(observation)
        else:
            self._observation = np.where(_along(mask, observation), observation, self._observation)
        if self._trace is not None:
            self._trace.begin(self._observation, mask)
        return self._observation.copy()

    def start_infos(self, mask: Mask | None = None) -> list[dict[str, str]]:
        """Return `start_info` of each environment; where there is a mask, of those where it is True."""
        states = jax.device_get(self.state)
        chosen = range(self.num_envs) if mask is None else np.flatnonzero(mask).tolist()
        return [start_info(self.environment, row(states, index)) for index in chosen]

    def _seed(self, seeds: Seeds, mask: Mask) -> None:
        each = self._one_each(seeds)
        if not self._random:
            self._random = [seeding.np_random(seed) for seed in each]
        else:
            for index in np.flatnonzero(mask):
                if each[index] is not None:
                    self._random[index] = seeding.np_random(each[index])

    def _one_each(self, seeds: Seeds) -> list[int | None]:
        if seeds is None:
            return [None] * self.num_envs
        if isinstance(seeds, int | np.integer):
            return [int(seeds) + index for index in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ShapeError("seed", f"({self.num_envs},)", (len(seeds),), "one seed per environment")
        return [None if seed is None else int(seed) for seed in seeds]

    def step(self, actions: Any) -> Outcome:
        """Step every environment by one control interval."""
        checked = check_actions(self.environment.action_space, actions, self.num_envs)
        before = self._carry
        with enough_memory(self.num_envs, "environments at once", "num_envs="):
            self._carry, made = compiled(self.environment, self.num_envs).stepped(before, checked)
        if self._trace is not None and before is not None:
            self._trace.add(before, checked, self._carry, made)
        outcome = Outcome(*made)
        self._observation = outcome.observation
        return outcome._replace(observation=outcome.observation.copy())

    def step_and_reset(self, actions: Any) -> tuple[Outcome, NDArray[Any]]:
        """Step every environment, and start a new episode wherever one is over.

        The outcome has the observations of the new episodes; those with which the old ones ended come second.
        """
        outcome = self.step(actions)
        over = outcome.over
        last = outcome.observation
        return (outcome._replace(observation=self.reset(mask=over)) if over.any() else outcome), last

    def release(self) -> None:
        """Let go of the states."""
        self._carry = self._observation = None

    def pictures(self) -> tuple[NDArray[np.uint8], ...]:
        """Return pictures of all environments."""
        return tuple(self.picture(index) for index in range(self.num_envs))

    def picture(self, index: int) -> NDArray[np.uint8]:
        """Return a picture of one environment."""
        state = row(jax.device_get(self.state), index)
        return picture(self.environment, state) if self._trace is None else self._trace.picture(state, index)


class Member:
    """One environment of a batch: attributes of the environment, its state and picture, and whatever is set here."""

    def __init__(self, batch: Batch, index: int, **attributes: Any) -> None:
        self.__dict__.update(attributes, _batch=batch, _index=index)

    @property
    def environment(self) -> Environment[Any, Any]:
        """The environment of which all members are copies."""
        return self._batch.environment

    @property
    def state(self) -> Any:
        """The state of this environment, in NumPy."""
        return jax.device_get(row(self._batch.state, self._index))

    def render(self) -> NDArray[np.uint8]:
        """Return a picture of its state."""
        drawn: NDArray[np.uint8] = self._batch.picture(self._index)
        return drawn

    def reset(self, *_: Any, **__: Any) -> Any:
        """Refuse to reset: all environments of a batch go together."""
        raise PhytotronError("an environment of a batch does not go by itself; reset and step the batch")

    step = reset

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__dict__["_batch"].environment, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self.environment, name) or isinstance(getattr(type(self), name, None), property):
            raise PhytotronError(f"{name!r} of {self.environment.id} is fixed; make an environment with another one")
        self.__dict__[name] = value


def row(tree: Any, index: int) -> Any:
    """Return one environment's part of a tree of arrays."""
    return jax.tree.map(lambda leaf: leaf[index], tree)


def rows(info: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return a dictionary of arrays as one dictionary per environment, of plain numbers or of smaller arrays."""
    if not info:
        return [{} for _ in range(count)]
    columns = [_column(value, count) for value in info.values()]
    return [dict(zip(info, each, strict=True)) for each in zip(*columns, strict=True)]


def _column(value: Any, count: int) -> list[Any]:
    if isinstance(value, dict):
        return rows(value, count)
    if isinstance(value, np.ndarray):
        return value.tolist() if value.ndim == 1 else list(value)
    return [row(value, index) for index in range(count)]


def with_masks(info: dict[str, Any], present: Mask) -> dict[str, Any]:
    """Return a dictionary of arrays as Gymnasium's vector environments give it.

    Beside each key stands the mask `_key` of the environments that have it; the others have zeros. What none has, is
    left out.
    """
    if not present.any():
        return {}
    everywhere = bool(present.all())
    result: dict[str, Any] = {}
    for key, value in info.items():
        if isinstance(value, dict):
            result[key] = with_masks(value, present)
        else:
            result[key] = value if everywhere else jax.tree.map(functools.partial(_zero_elsewhere, present), value)
        result[f"_{key}"] = present.copy()
    return result


def check_actions(space: Space, actions: Any, count: int) -> NDArray[Any]:
    """Return the actions as one array, after the checks that the space makes of each."""
    shape = (count, *space.shape)
    try:
        array = np.asarray(actions)
    except ValueError as error:  # a list of lists of different length
        raise ValueRangeError("actions", actions, f"an array of shape {shape}") from error
    if array.shape != shape:
        meaning = ", ".join(space.names) if isinstance(space, Box) else "the number of one choice each"
        raise ShapeError("actions", str(shape), array.shape, meaning)
    if isinstance(space, Box):
        good = array.dtype.kind in "fiub" and bool(np.isfinite(array).all())
    else:
        good = array.dtype.kind in "iu" and bool(((array >= 0) & (array < space.n)).all())
    if not good:
        for index in range(count):
            space.check(array[index], f"actions[{index}]")
    return array.astype(space.dtype, copy=False)


def _along(mask: Mask, leaf: Any) -> Mask:
    """Return a mask over the first axis, in a shape that broadcasts with an array of more axes."""
    return mask.reshape(mask.shape + (1,) * (np.ndim(leaf) - 1))


def _zero_elsewhere(mask: Mask, leaf: NDArray[Any]) -> NDArray[Any]:
    return np.where(_along(mask, leaf), leaf, np.zeros((), leaf.dtype))
