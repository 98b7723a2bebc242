"""Checks of what an environment says about itself: spaces, fields, starts, parts, presentation, measures, baselines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.controllers.registry import CONTROLLERS
from phytotron.core.environment import Environment
from phytotron.core.fields import Quantity
from phytotron.core.presentation import GROUPS, Step
from phytotron.core.spaces import Box, Discrete
from phytotron.episodes.engine import is_policy
from phytotron.testing.trial import Trial

ID = re.compile(r"([\w-]+/)?[\w.-]+-v\d+")  # as Gymnasium has it
COUNTED = ("return", "length", "episodes")  # of every episode, besides its measures


def identity(trial: Trial) -> Iterator[str]:
    """The environment has an id with a version."""
    id = getattr(trial.env, "id", None)
    if not (isinstance(id, str) and ID.fullmatch(id)):
        yield f"id is {id!r}; give the class an id such as 'owner/Name-v0'"


def spaces(trial: Trial) -> Iterator[str]:
    """Observation and action have spaces, and the bounds of actions are finite."""
    for name in ("observation_space", "action_space"):
        space: Any = getattr(trial.env, name)
        if not isinstance(space, Box | Discrete):
            yield f"{name} is a {type(space).__name__}; give a Box or Discrete of phytotron.core.spaces"
        elif name == "action_space" and not trial.bounded:
            yield f"actions lie between {space.low} and {space.high}; give finite bounds, which agents scale by"


def fields(trial: Trial) -> Iterator[str]:
    """Every component of observation and action is described by one quantity."""
    described = {group: tuple(each) for group, each in trial.env.fields.items()}
    for group, each in described.items():
        if all(isinstance(q, Quantity) for q in each):
            yield from _repeated(f"fields[{group!r}]", (q.name for q in each))
        else:
            yield f"fields[{group!r}] holds something else than Quantity; use phytotron.core.fields.Quantity"
    for group, space in (("observation", trial.env.observation_space), ("action", trial.env.action_space)):
        found = described.get(group, ())
        count = 1 if isinstance(space, Discrete) else int(np.prod(space.shape))
        if len(found) != count:
            yield f"fields[{group!r}] has {len(found)} quantities; describe each component, {count} in all"
        elif isinstance(space, Box) and space.names and space.names != tuple(q.name for q in found):
            yield f"fields[{group!r}] and {group}_space.names differ; use the same names in the same order"


def parameters(trial: Trial) -> Iterator[str]:
    """The default parameters are a pytree of numbers."""
    for path, leaf in jax.tree.leaves_with_path(trial.params):
        if np.asarray(leaf).dtype.kind not in "fiub":
            where = f"default_params{jax.tree_util.keystr(path)}"
            yield f"{where} is a {type(leaf).__name__}; keep numbers in params, and names as options"


def starts(trial: Trial) -> Iterator[str]:
    """`starts` has one label for each set of parameters, all different."""
    params, axes, labels = trial.env.starts()
    yield from _repeated("the labels of starts", labels)
    sizes = set[int]()

    def note(axis: int | None, part: Any) -> None:
        if axis is not None:
            sizes.update(np.shape(leaf)[axis] for leaf in jax.tree.leaves(part))

    jax.tree.map(note, axes, params, is_leaf=lambda axis: axis is None)
    if sizes - {len(labels)} or (not sizes and len(labels) > 1):
        found = " and ".join(map(str, sorted(sizes))) or "one"
        yield f"starts has {len(labels)} labels and axes for {found} of its parameters; give one label for each"
    _, state = trial.start
    label = trial.env.start_of(state)
    if label is not None and label not in labels:
        yield f"start_of says {label!r} of a first state, which is no label of starts; give the label of its start"


def parts(trial: Trial) -> Iterator[str]:
    """`on` gives the same task on every part of the weather."""
    env = trial.env
    for part in env.parts:
        other: Any = env.on(part)
        if not isinstance(other, Environment) or (other.id, other.parts) != (env.id, env.parts):
            yield f"on({part!r}) gives another id or other parts; give the same task on other weather"
        elif other.weather_name is None:
            yield f"on({part!r}) has no weather_name; name its weather, under which scores are kept"


def measures(trial: Trial) -> Iterator[str]:
    """Measures have names of their own and are finite scalars at every step."""
    names = [each.quantity.name for each in trial.env.measures]
    yield from _repeated(f"measures, with {', '.join(COUNTED)}, which every episode has,", (*names, *COUNTED))
    for each, name in zip(trial.env.measures, names, strict=True):
        try:
            series = jax.vmap(jax.vmap(each.of))(trial.episodes.info)
        except (KeyError, TypeError, ValueError) as error:
            yield f"the measure {name!r} raises {type(error).__name__}: {error}; compute it from what `info` has"
            continue
        if np.shape(series) != np.shape(trial.episodes.active):
            yield f"the measure {name!r} has the shape {np.shape(series)[2:]}; give a scalar"
        elif not np.all(np.isfinite(trial.while_running(series))):
            yield f"the measure {name!r} is not finite at some step; give a number at every step"


def channels(trial: Trial) -> Iterator[str]:
    """Channels, also those of data, have names of their own and a known group, and are finite scalars."""
    shown = trial.env.channels
    known = {each.name for each in shown}
    others = [each for each in trial.env.data_channels if each.name not in known]
    yield from _repeated("channels", (each.name for each in shown))
    yield from _repeated("data_channels", (each.name for each in others))
    (before, start), after, action = trial.start, trial.step, trial.actions[0]
    step = Step(
        before, start, action, after.state, after.reward, after.terminated, after.truncated, after.info, trial.params
    )
    for each in (*shown, *others):
        if each.group not in GROUPS:
            yield f"the channel {each.name!r} has the group {each.group!r}; choose one of {', '.join(GROUPS)}"
        value = np.asarray(each.of(step))
        if value.shape != () or not np.isfinite(value):
            yield f"the channel {each.name!r} is {value}; give a finite scalar"


def baselines(trial: Trial) -> Iterator[str]:
    """Every baseline makes controllers whose actions its environment takes."""
    for name, make in trial.env.baselines.items():
        made = make(trial.env)
        env = made.environment
        observation, state = env.reset(trial.key)
        for controller in made.controllers:
            action, _ = controller.act(trial.key, controller.start(trial.key), observation, state, env.default_params)
            if not env.action_space.contains(np.asarray(action, env.action_space.dtype)):
                yield f"the baseline {name!r} acts {action}; give an action of the action space"


def scheduling(trial: Trial) -> Iterator[str]:
    """A schedule that says nothing, or the lowest of every quantity, gives actions that the environment takes."""
    env, scheduling = trial.env, trial.env.scheduling
    yield from _repeated("scheduling", (each.name for each in scheduling.quantities))
    lowest = {q.name: jnp.asarray(q.low, env.precision) for q in scheduling.quantities if np.isfinite(q.low)}
    for wanted in ({}, lowest):
        action = scheduling.act(wanted, trial.start[1], trial.params)
        if not env.action_space.contains(np.asarray(action, env.action_space.dtype)):
            yield f"scheduling acts {action} where {wanted or 'nothing'} is wanted; give an action of the action space"


def tunable_rules(trial: Trial) -> Iterator[str]:
    """Rules that can be tuned have bounded settings, which are leaves of a controller of arrays alone."""
    env, rules = trial.env, trial.env.tunable_rules
    if rules is None:
        return
    yield from _repeated("tunable_rules", (each.name for each in rules.settings))
    for each in rules.settings:
        bounded = np.isfinite(each.low) and np.isfinite(each.high) and each.low < each.high
        if not bounded or each.default is None or not each.low <= each.default <= each.high:
            found = f"{each.default} in {each.low} to {each.high}"
            yield f"the setting {each.name!r} is {found}; give finite bounds and a default between them"
            return
    controller = rules.make({name: jnp.asarray(value, env.precision) for name, value in rules.untuned.items()})
    if not is_policy(controller):
        yield "tunable_rules.make gives a controller that is no pytree of arrays alone; make its settings its leaves"
        return
    (observation, state), start = trial.start, controller.start(trial.key)
    action, _ = controller.act(trial.key, start, observation, state, trial.params)
    if not env.action_space.contains(np.asarray(action, env.action_space.dtype)):
        yield f"tunable_rules act {action}; give an action of the action space"


def presentation(trial: Trial) -> Iterator[str]:
    """The presentation names baselines, measures, costs and channels that exist."""
    env, shown = trial.env, trial.env.presentation
    measured = ("return", *(each.quantity.name for each in env.measures))
    drawn = tuple(each.name for each in env.channels)
    named: dict[str, tuple[Iterable[str], Iterable[str]]] = {
        "compare": (shown.compare, (*env.baselines, *CONTROLLERS)),
        "headline": (shown.headline, measured),
        "learning": (shown.learning, measured),
        "resources": (shown.resources, measured),
        "product": ((shown.product,) if shown.product else (), measured),
        "costs": (shown.costs, trial.kinds.info.get("costs", shown.costs)),
        "day": (shown.day, drawn),
        "bounds": (shown.bounds, drawn),
        "curves": ((name for name, _, _ in shown.curves), (*drawn, *(f"sum of {name}" for name in measured))),
        "zoomed": (shown.zoomed, drawn),
    }
    for what, (names, known) in named.items():
        for name in names:
            if name not in known:
                yield f"presentation.{what} names {name!r}; known: {', '.join(known) or 'none'}"


def _repeated(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} has {name!r} {count} times; use each name once"


CHECKS = (
    identity,
    spaces,
    fields,
    parameters,
    starts,
    parts,
    measures,
    channels,
    baselines,
    scheduling,
    tunable_rules,
    presentation,
)
