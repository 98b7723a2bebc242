"""Checks of what an environment computes: pure, of fixed shapes and dtypes, finite, alike however it is called."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.arrays import on_host
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import state_changes
from phytotron.core.spaces import Discrete
from phytotron.testing.failures import first_line
from phytotron.testing.trial import ACTIONS, Outcome, Trial, attributes

KEYS = 16  # starts that are drawn
GRADIENT_STEPS = 3


def tracing(trial: Trial) -> Iterator[str]:
    """`initial` and `transition` can be traced, as `jit` does, also with the parameters compiled in."""
    _ = trial.kinds
    params = trial.params
    try:
        jax.eval_shape(lambda key: trial.initial(key, params), trial.key)
        jax.eval_shape(lambda *given: trial.transition(*given, params), *trial.arguments[:-1])
    except PhytotronError as error:
        cause = "a NumPy array in default_params, where one of jnp would do, is the usual cause"
        yield f"with default_params compiled in, as where no params are given, {error}; {cause}"


def purity(trial: Trial) -> Iterator[str]:
    """The same arguments give the same bits and the same trace, and leave the environment as it was."""
    seen, made, stopped = [trial.untraced], list[Any](), None
    try:
        for compute in (lambda: trial.start, trial.trace, trial.trace):
            made.append(compute())
            seen.append(attributes(trial.env))
    except Exception as error:
        stopped = error  # perhaps because of an attribute that has changed
        seen.append(attributes(trial.env))
    for name in sorted({name for each in seen for name in each}):
        if any(each.get(name) != seen[0].get(name) for each in seen):
            yield (
                f"a step changes the attribute {name!r}; keep what changes in the state, and compute what does not in "
                "`__post_init__` or a `cached_property`"
            )
    if stopped:
        raise stopped
    if made[1] != made[2]:
        yield "two traces differ; compute from key, state, action and params alone, without counters or NumPy draws"
    if not _same(trial.step, trial.compiled_step()):
        yield "the same key, state, action and params give other results; draw from the key alone"


def state(trial: Trial) -> Iterator[str]:
    """The state keeps its structure, shapes and dtypes."""
    yield from trial.changes


def double_precision(trial: Trial) -> Iterator[str]:
    """The state keeps its dtypes also with `jax_enable_x64`, as pages of `phytotron play` have it."""
    trial.require_same_kind_of_state()
    other = Trial(copy.copy(trial.env))  # keeps for itself what it computes in double precision
    key, _, action, as_they_are = trial.arguments
    try:
        with jax.enable_x64(True):
            params = _traced_params(trial.env, as_they_are)
            _, before = jax.eval_shape(other.initial, key, params)
            after = jax.eval_shape(other.transition, key, before, action, params).state
            found = [f"in the state after a step, {each}" for each in state_changes(before, after)]
    except PhytotronError as error:
        found = [str(error)]
    remedy = "give the dtype wherever numbers are made: jnp.float32(0.5), jax.random.uniform(key, (), jnp.float32)"
    yield from (f"with jax_enable_x64, as pages of `phytotron play` have it, {each}; {remedy}" for each in found)


def _traced_params(env: Environment[Any, Any], as_they_are: Any) -> Any:
    """Shapes and dtypes of the default parameters of a copy; parameters as they are where these cannot be traced.

    They are traced and not computed anew, which would take seconds for fields.
    """
    try:
        return jax.eval_shape(lambda: copy.copy(env).default_params)
    except Exception:  # of code of the task as well, which may compute its parameters with NumPy
        return as_they_are


def observation(trial: Trial) -> Iterator[str]:
    """Observations have the shape and dtype of their space and lie within it."""
    space = trial.space("observation_space")
    given = {"initial": trial.start[0], "transition": trial.kinds.observation}
    for source, found in given.items():
        if (found.shape, found.dtype) != (space.shape, space.dtype):
            wanted = f"{space.dtype}{list(space.shape)}"
            yield f"the observation of {source} is {found.dtype}{list(found.shape)}; its space has {wanted}"
    if any(found.shape != space.shape for found in given.values()):
        return
    observations = np.concatenate([np.asarray(trial.start[0])[None], trial.while_running(trial.episodes.observation)])
    outside = ~((observations >= space.low) & (observations <= space.high))
    for place in map(tuple, np.argwhere(outside.any(axis=0))):
        worst = observations[(outside[(slice(None), *place)].argmax(), *place)]
        low, high = (np.broadcast_to(bound, space.shape)[place] for bound in (space.low, space.high))
        name = repr(space.names[place[0]]) if space.names and place else list(map(int, place))
        yield f"the observation {name} is {worst:g}, outside [{low:g}, {high:g}]; widen its space, or clip it"


def reward(trial: Trial) -> Iterator[str]:
    """The reward is a finite floating-point scalar."""
    found = trial.kinds.reward
    if found.shape != () or not jnp.issubdtype(found.dtype, jnp.floating):
        yield f"the reward is {found.dtype}{list(found.shape)}; give a floating-point scalar"
    elif not np.all(np.isfinite(trial.while_running(trial.episodes.reward))):
        yield "the reward is not finite at some step; guard the division, root or logarithm in it"


def flags(trial: Trial) -> Iterator[str]:
    """`terminated` and `truncated` are boolean scalars."""
    for name in ("terminated", "truncated"):
        found = getattr(trial.kinds, name)
        if (found.shape, found.dtype) != ((), bool):
            yield f"{name} is {found.dtype}{list(found.shape)}; give a boolean scalar"


def costs(trial: Trial) -> Iterator[str]:
    """`info["costs"]` has scalars that are finite and not negative."""
    found = trial.kinds.info.get("costs")
    if not isinstance(found, dict):
        yield 'info["costs"] is missing or no dict; give one value per constraint, {} where there is none'
        return
    for name, each in found.items():
        if each.shape != ():
            yield f"the cost {name!r} has the shape {each.shape}; give a scalar"
    for name, series in trial.episodes.info["costs"].items():
        values = trial.while_running(series)
        if not (np.all(np.isfinite(values)) and np.all(values >= 0)):
            yield f"the cost {name!r} is negative or not finite; give zero where the constraint holds, more where not"


def ends(trial: Trial) -> Iterator[str]:
    """Every episode ends within `episode_steps`."""
    for row in np.flatnonzero(~np.asarray(trial.episodes.over).any(axis=1)):
        yield f"with {ACTIONS[row]} actions no episode ends within {trial.episode_steps} steps; truncate it there"


def bounds(trial: Trial) -> Iterator[str]:
    """Actions at the lowest and at the highest bound leave the state finite."""
    for path, leaf in jax.tree.leaves_with_path(trial.batch.state):
        for row in (1, 2):
            if not np.all(np.isfinite(on_host(leaf)[row])):
                name = f"state{jax.tree_util.keystr(path)}"
                yield f"after the {ACTIONS[row]} action {name} is not finite; take all actions of the space"


def seeds(trial: Trial) -> Iterator[str]:
    """The same key gives the same start, and different keys give different ones where there are several."""
    if not _same(trial.start, trial.compiled_initial(trial.key, trial.params)):
        yield "the same key gives other starts; draw from the key alone"
    if len(trial.env.starts().labels) > 1:
        drawn = jax.jit(jax.vmap(trial.initial, (0, None)))(jax.random.split(trial.key, KEYS), trial.params)
        if all((on_host(leaf) == on_host(leaf)[:1]).all() for leaf in jax.tree.leaves(drawn)):
            yield f"{KEYS} keys give one start, though `starts` has several; draw the start from the key"


def batch(trial: Trial) -> Iterator[str]:
    """A step in a batch equals a single one, to half of the digits."""
    yield from _differences(trial.step, jax.tree.map(lambda leaf: leaf[0], trial.batch), "under vmap")


def eager(trial: Trial) -> Iterator[str]:
    """A step without `jit` equals a compiled one, to half of the digits."""
    step = trial.step
    yield from _differences(step, jax.tree.map(jnp.asarray, trial.transition(*trial.arguments)), "without jit")


def gradients(trial: Trial) -> Iterator[str]:
    """Gradients of reward and state by the action are finite where the environment is differentiable."""
    if not trial.env.differentiable:
        return
    space = trial.space("action_space")
    if isinstance(space, Discrete):
        yield "differentiable is True and actions are discrete; set it to False, or make actions continuous"
        return

    def reached(action: Array, of_reward: float, of_state: float, state: Any, params: Any) -> Array:
        def advance(state: Any, key: Array) -> tuple[Any, Array]:
            made = trial.transition(key, state, action, params)
            return made.state, made.reward

        after, rewards = jax.lax.scan(advance, state, jax.random.split(trial.key, GRADIENT_STEPS))
        leaves = [jnp.sum(leaf) for leaf in jax.tree.leaves(after) if jnp.issubdtype(leaf.dtype, jnp.floating)]
        return of_reward * jnp.sum(rewards) + of_state * sum(leaves, jnp.zeros(()))

    trial.require_same_kind_of_state()
    slope = jax.jit(jax.grad(reached))
    middle = jnp.asarray(0.5 * (np.asarray(space.low) + np.asarray(space.high)), space.dtype)
    by_reward, by_state = (slope(middle, *of, trial.start[1], trial.params) for of in ((1.0, 0.0), (0.0, 1.0)))
    for name, found in (("reward", by_reward), ("state", by_state)):
        if not np.all(np.isfinite(found)):
            yield f"gradients of the {name} by the action are not finite; guard divisions, roots and `where` branches"
    if not np.any(by_state):
        yield "gradients of the state by the action are all zero; set differentiable to False if that is meant"


def copies(trial: Trial) -> Iterator[str]:
    """The environment can be pickled and copied, and a copy starts as it does."""
    try:
        pickled = pickle.loads(pickle.dumps(trial.env))
    except Exception as error:  # of code of the task as well
        yield f"it cannot be pickled ({first_line(error)}); define its class and its functions at the top of a module"
        return
    start = trial.start
    for how, other in (("pickled", pickled), ("deep-copied", copy.deepcopy(trial.env))):
        if not _same(jax.jit(other.initial)(trial.key, other.default_params), start):
            yield f"a {how} environment starts otherwise; keep all that matters in its attributes"


def _same(one: Any, other: Any) -> bool:
    """Return whether two pytrees of one structure are equal bit by bit."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(on_host(a).tobytes() == on_host(b).tobytes() for a, b in pairs)


def _differences(one: Outcome, other: Outcome, how: str) -> Iterator[str]:
    """Yield differences in kind, and leaves that differ by more than the root of the precision, relative to the leaf's
    largest number.
    """
    changes = state_changes(one, other)
    if changes:
        yield f"{how}, {changes[0]}; let no result depend on how it is called"
        return
    for (path, a), b in zip(jax.tree.leaves_with_path(one), jax.tree.leaves(other), strict=True):
        expected, found = on_host(a), on_host(b)
        exact = not np.issubdtype(expected.dtype, np.inexact)
        size = 0.0 if exact else max(1.0, float(np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0)))
        tolerance = 0.0 if exact else float(np.sqrt(np.finfo(expected.dtype).eps)) * size
        if not np.allclose(found, expected, rtol=0.0, atol=tolerance, equal_nan=True):
            where = jax.tree_util.keystr(path)
            yield f"{where} is {expected} under jit and {found} {how}; let no result depend on how it is called"


CHECKS = (
    tracing,
    purity,
    state,
    double_precision,
    observation,
    reward,
    flags,
    costs,
    ends,
    bounds,
    seeds,
    batch,
    eager,
    gradients,
    copies,
)
