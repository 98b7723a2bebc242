"""Checks of what every environment says about itself: id, spaces, fields, parameters, length of episodes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from phytotron.core.errors import PhytotronError
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Box, Discrete
from phytotron.testing.trial import Trial, parameter_faults

ID = re.compile(r"([\w-]+/)?[\w.-]+-v\d+")  # as Gymnasium has it


def interface(trial: Trial) -> Iterator[str]:
    """The environment is an `Environment`; its values are properties or attributes, not methods, of the right types."""
    yield from trial.misdefined


def identity(trial: Trial) -> Iterator[str]:
    """The environment has an id with a version."""
    id = getattr(trial.env, "id", None)
    if not (isinstance(id, str) and ID.fullmatch(id)):
        yield f"id is {id!r}; give the class an id such as 'owner/Name-v0'"


def spaces(trial: Trial) -> Iterator[str]:
    """Observation and action have spaces, and the bounds of actions are finite."""
    for get in (lambda: trial.space("observation_space"), lambda: trial.actions):
        try:
            get()
        except PhytotronError as error:
            yield str(error)


def fields(trial: Trial) -> Iterator[str]:
    """Every component of observation and action is described by one quantity, and a choice by one or more."""
    described = {group: tuple(each) for group, each in trial.env.fields.items()}
    for group, each in described.items():
        if all(isinstance(q, Quantity) for q in each):
            yield from repeated(f"fields[{group!r}]", (q.name for q in each))
        else:
            yield f"fields[{group!r}] holds something else than Quantity; use phytotron.core.fields.Quantity"
    for group in ("observation", "action"):
        space = trial.space(f"{group}_space")
        found = described.get(group, ())
        choice = isinstance(space, Discrete)  # which may stand for several quantities, such as water and nitrogen
        count = max(1, len(found)) if choice else int(np.prod(space.shape))
        if len(found) != count:
            yield f"fields[{group!r}] has {len(found)} quantities; describe each component, {count} in all"
        elif isinstance(space, Box) and space.names and space.names != tuple(q.name for q in found):
            yield f"fields[{group!r}] and {group}_space.names differ; use the same names in the same order"


def parameters(trial: Trial) -> Iterator[str]:
    """The default parameters are a pytree of numbers."""
    yield from parameter_faults(trial.env.default_params)


def episode_steps(trial: Trial) -> Iterator[str]:
    """`episode_steps` is a whole number of steps, 1 or more."""
    _ = trial.episode_steps
    yield from ()


def repeated(what: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that occur more than once."""
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} has {name!r} {count} times; use each name once"


CHECKS = (interface, identity, spaces, fields, parameters, episode_steps)
