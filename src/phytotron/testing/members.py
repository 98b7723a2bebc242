"""Checks of the members that have defaults: starts, parts, measures, channels, baselines, rules, presentation."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from phytotron.controllers.registry import CONTROLLERS, make_baseline
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.presentation import GROUPS, Step, Timeline
from phytotron.core.stepping import checked_choice
from phytotron.episodes.engine import is_policy
from phytotron.episodes.trajectories import data_columns
from phytotron.testing.declarations import repeated
from phytotron.testing.failures import error_text
from phytotron.testing.trial import ACTIONS, Trial
from phytotron.weather.archive import MissingWeatherError

COUNTED = ("return", "length", "episodes")  # of every episode, besides its measures
TUPLES = ("compare", "headline", "learning", "resources", "day", "zoomed")  # members of a presentation with names


def starts(trial: Trial) -> Iterator[str]:
    """`starts` has one label for each set of parameters, all different."""
    _, state = trial.start
    params, axes, labels = trial.env.starts()
    yield from repeated("the labels of starts", labels)
    sizes = set[int]()

    def note(axis: int | None, part: Any) -> None:
        if axis is not None:
            sizes.update(np.shape(leaf)[axis] for leaf in jax.tree.leaves(part))

    jax.tree.map(note, axes, params, is_leaf=lambda axis: axis is None)
    if sizes - {len(labels)} or (not sizes and len(labels) > 1):
        found = " and ".join(map(str, sorted(sizes))) or "one"
        yield f"starts has {len(labels)} labels and axes for {found} of its parameters; give one label for each"
    label = trial.env.start_of(state)
    if label is not None and label not in labels:
        yield f"start_of says {label!r} of a first state, which is no label of starts; give the label of its start"


def parts(trial: Trial) -> Iterator[str]:
    """`on` gives the same task on every part of the weather, and other weather on each; `narrowing` names options."""
    env = trial.env
    for member, names in {"narrowing": env.narrowing, "parts": env.parts}.items():
        if isinstance(names, str):
            yield f"{member} is {names!r}; give a tuple of names, such as ({names!r},)"
    if isinstance(env.parts, str):
        return
    parts_of = dict[str, list[str]]()  # by the name of the weather
    for part in env.parts:
        try:
            other: Any = env.on(part)
            if not isinstance(other, Environment) or (other.id, other.parts) != (env.id, env.parts):
                yield f"on({part!r}) gives another id or other parts; give the same task on other weather"
                continue
            name = other.weather_name
            _ = other.default_params, other.starts()
        except (MissingWeatherError, FileNotFoundError):  # weather that has to be fetched first
            continue
        except Exception as error:
            yield error_text(f"on({part!r})", error)
            continue
        if name is None:
            yield f"on({part!r}) has no weather_name; name its weather, under which scores are kept"
        else:
            parts_of.setdefault(name, []).append(part)
    for name, same in parts_of.items():
        if len(same) > 1:
            named = ", ".join(map(repr, same))
            yield f"on has the weather_name {name!r} for {named}; give each part weather of its own"


def measures(trial: Trial) -> Iterator[str]:
    """Measures have names of their own and are scalars, NaN where they are undefined, unless reports compare them."""
    names = [each.quantity.name for each in trial.env.measures]
    yield from repeated(f"measures, with {', '.join(COUNTED)}, which every episode has,", (*names, *COUNTED))
    info, active, compared = trial.episodes.info, trial.episodes.active, _compared(trial.env)
    for each, name in zip(trial.env.measures, names, strict=True):
        try:
            series = jax.vmap(jax.vmap(each.of))(info)
        except Exception as error:
            right = "; compute it from what `info` has" if isinstance(error, KeyError | AttributeError) else ""
            yield error_text(f"the measure {name!r}", error) + right
            continue
        if np.shape(series) != np.shape(active):
            yield f"the measure {name!r} has the shape {np.shape(series)[2:]}; give a scalar"
        elif np.any(np.isinf(trial.while_running(series))):
            yield f"the measure {name!r} is infinite at some step; give a number, or NaN where it is undefined"
        elif name in compared:
            totals = np.sum(np.asarray(series), axis=1, where=np.asarray(active))
            for row in np.flatnonzero(np.isnan(each.summed_up(totals, np.sum(active, axis=1)))):
                yield (
                    f"the measure {name!r} is NaN in the episode with {ACTIONS[row]} actions; reports compare it, so "
                    "name measures in presentation.headline and .decisive that every episode has"
                )


def _compared(env: Environment[Any, Any]) -> set[Any]:
    """The measures that reports compare; none where the check of the presentation reports a fault of it."""
    with contextlib.suppress(Exception):
        return {*env.presentation.headline, env.presentation.decisive}
    return set()


def channels(trial: Trial) -> Iterator[str]:
    """Channels, also those of data, have names of their own and a known group, and are finite scalars."""
    (before, start), after = trial.start, trial.step
    shown = trial.env.channels
    known = {each.name for each in shown}
    others = [each for each in trial.env.data_channels if each.name not in known]
    yield from repeated("channels", (each.name for each in shown))
    step = Step(
        before,
        start,
        trial.actions[0],
        after.state,
        after.reward,
        after.terminated,
        after.truncated,
        after.info,
        trial.params,
    )
    for each in (*shown, *others):
        if each.group not in GROUPS:
            yield f"the channel {each.name!r} has the group {each.group!r}; choose one of {', '.join(GROUPS)}"
        try:
            value = np.asarray(each.of(step), np.float64)
        except Exception as error:
            yield error_text(f"the channel {each.name!r}", error)
            continue
        if value.shape != () or not np.isfinite(value):
            yield f"the channel {each.name!r} is {value}; give a finite scalar"
    if len(known) == len(shown) and all(each.group in GROUPS for each in (*shown, *others)):
        costs = after.info.get("costs")
        data_columns(trial.env, costs if isinstance(costs, dict) else ())


def baselines(trial: Trial) -> Iterator[str]:
    """Every baseline makes controllers whose actions its environment takes, also where it is tuned on other weather."""
    _ = trial.kinds
    other = _other_weather(trial.env)
    for name in trial.env.baselines:
        try:
            if other is not None:
                make_baseline(name, other, trial.env)
            made = make_baseline(name, trial.env, trial.env)
            env = made.environment
            observation, state = env.reset(trial.key)
            for controller in made.controllers:
                memory = controller.start(trial.key)
                given = (trial.key, memory, observation, state, env.default_params)
                action, _ = checked_choice(env, controller, *given)
                if not env.action_space.contains(action):
                    yield f"the baseline {name!r} acts {action}; give an action of the action space"
        except Exception as error:
            if not _is_refused(trial.env, name):
                yield error_text(f"the baseline {name!r}", error)


def _is_refused(env: Environment[Any, Any], name: str) -> bool:
    """Whether a baseline refuses the options of the task in words; those that pages compare by default may not."""
    try:
        env.baselines[name](env)
    except PhytotronError:
        return name not in env.presentation.compare
    except Exception:  # of code of the task as well
        return False
    return False


def _other_weather(env: Environment[Any, Any]) -> Environment[Any, Any] | None:
    """The task on one part of its weather that it is not on; None where there is no such part at hand."""
    for part in env.parts:
        with contextlib.suppress(Exception):  # which the check of parts reports
            other = env.on(part)
            if other.weather_name != env.weather_name:
                return other
    return None


def scheduling(trial: Trial) -> Iterator[str]:
    """A schedule that says nothing, or the lowest of every quantity, gives actions that the environment takes."""
    _, state = trial.start
    space = trial.space("action_space")
    env, scheduling = trial.env, trial.env.scheduling
    yield from repeated("scheduling", (each.name for each in scheduling.quantities))
    lowest = {q.name: jnp.asarray(q.low, env.precision) for q in scheduling.quantities if np.isfinite(q.low)}
    for wanted in ({}, lowest):
        action = scheduling.act(wanted, state, trial.params)
        if not space.contains(np.asarray(action)):
            yield f"scheduling acts {action} where {wanted or 'nothing'} is wanted; give an action of the action space"


def tunable_rules(trial: Trial) -> Iterator[str]:
    """Rules that can be tuned have bounded settings, which are leaves of a controller of arrays alone."""
    env, rules = trial.env, trial.env.tunable_rules
    if rules is None:
        return
    (observation, state), space = trial.start, trial.space("action_space")
    yield from repeated("tunable_rules", (each.name for each in rules.settings))
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
    given = (trial.key, controller.start(trial.key), observation, state, trial.params)
    action, _ = checked_choice(env, controller, *given)
    if not space.contains(action):
        yield f"tunable_rules act {action}; give an action of the action space"


def terminal_value(trial: Trial) -> Iterator[str]:
    """`terminal_value` is one finite number."""
    states = {"a first state": trial.start[1], "the state after a step": trial.step.state}
    value_of = jax.jit(lambda state, params: trial.env.terminal_value(state, params))
    for which, state in states.items():
        try:
            value = np.asarray(value_of(state, trial.params), np.float64)
        except Exception as error:
            yield error_text("terminal_value", error)
            return
        if value.shape != () or not np.isfinite(value):
            yield f"the terminal_value of {which} is {value}; give a finite scalar"
            return


def presentation(trial: Trial) -> Iterator[str]:
    """The presentation names baselines, measures, costs and channels that exist."""
    env, shown = trial.env, trial.env.presentation
    measured = ("return", *(each.quantity.name for each in env.measures))
    drawn = tuple(each.name for each in env.channels)
    costs = trial.kinds.info.get("costs")
    named: dict[str, tuple[Iterable[str], Iterable[str]]] = {
        "compare": (shown.compare, (*env.baselines, *CONTROLLERS)),
        "headline": (shown.headline, measured),
        "decisive": ((shown.decisive,), measured),
        "learning": (shown.learning, measured),
        "resources": (shown.resources, measured),
        "product": ((shown.product,) if shown.product else (), measured),
        "costs": (shown.costs, costs if isinstance(costs, dict) else shown.costs),
        "day": (shown.day, drawn),
        "bounds": (shown.bounds, drawn),
        "curves": ((name for name, _, _ in shown.curves), (*drawn, *(f"sum of {name}" for name in measured))),
        "zoomed": (shown.zoomed, drawn),
    }
    if shown.timeline is None and isinstance(getattr(env, "timeline", None), Timeline):
        yield "presentation has no timeline, without which steps have no dates; give it timeline=self.timeline"
    for what, (names, known) in named.items():
        if what in TUPLES and not isinstance(names, tuple | list):
            example = f", such as ({names!r},)" if isinstance(names, str) else ""
            yield f"presentation.{what} is {names!r}; give a tuple of names{example}"
            continue
        for name in names:
            if name not in known:
                yield f"presentation.{what} names {name!r}; known: {', '.join(known) or 'none'}"
    if shown.compare in ((), []):
        yield "presentation.compare is empty; name at least one controller, such as 'random', which is run by default"


CHECKS = (
    starts,
    parts,
    measures,
    channels,
    baselines,
    scheduling,
    tunable_rules,
    terminal_value,
    presentation,
)
