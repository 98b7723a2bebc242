"""Presentation of a task: the channels recorded in each step, its baselines, its time axis, and texts about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.controller import Controller
from phytotron.core.fields import Quantity
from phytotron.core.spaces import Discrete, Space

if TYPE_CHECKING:
    from phytotron.core.environment import Environment


class Step(NamedTuple):
    """One step of one episode."""

    observation: Array  # before the step
    before: Any  # state
    action: Array
    after: Any  # state
    reward: Array
    terminated: Array
    truncated: Array
    info: Any
    params: Any


GROUPS = ("state", "control", "weather", "time")  # of channels


@dataclass(frozen=True)
class Channel:
    """A quantity that is recorded in every step.

    `of` computes it from a `Step`. `group` is one of `GROUPS`; channels of the group "time" are not drawn.
    """

    quantity: Quantity
    of: Callable[[Step], Any]
    group: str = "state"

    @property
    def name(self) -> str:
        """The name of its quantity."""
        return self.quantity.name


def channel(
    name: str, symbol: str, unit: str, description: str, of: Callable[[Step], Any], group: str = "state"
) -> Channel:
    """Return the channel of a quantity, described by name, symbol, unit and meaning."""
    return Channel(Quantity(name, symbol, unit, description), of, group)


def observed_channels(fields: Mapping[str, Sequence[Quantity]], action_space: Space) -> tuple[Channel, ...]:
    """Return a channel for each component of observation and action, as the `fields` of an environment
    describe them.
    """

    def component(part: str, index: int) -> Callable[[Step], Any]:
        return lambda step: jnp.ravel(getattr(step, part))[index]

    observed = [Channel(q, component("observation", n)) for n, q in enumerate(fields.get("observation", ()))]
    if isinstance(action_space, Discrete):
        number = Quantity("action", "a", "-", "number of the action")
        return (*observed, Channel(number, lambda step: step.action, "control"))
    taken = {each.name for each in observed}
    done = [Channel(q, component("action", n), "control") for n, q in enumerate(fields.get("action", ()))]
    return (*observed, *(each for each in done if each.name not in taken))


@dataclass(frozen=True)
class Competitor:
    """A controller, or the seeds of one agent, together with the environment that it acts in.

    `bound`: it knows the future, so that no other controller can be expected to do better.
    """

    label: str
    note: str
    environment: Environment[Any, Any]
    controllers: tuple[Controller, ...]
    trained: bool = False
    bound: bool = False


# A function that makes a baseline. Its argument is the environment to tune on, such as the training part of the
# weather; the `Competitor` acts in the environment whose baseline it is, `self` in `Environment.baselines`.
Baseline = Callable[["Environment[Any, Any]"], Competitor]


@dataclass(frozen=True)
class Timeline:
    """The times at which the steps of an episode end: `first` days after the origin of time, then every `interval`
    days.

    `calendar`: the origin is 1 January of the year with which the label of an episode ends; otherwise the label is a
    date, and the origin is its midnight. `at_start`: channels have the values at the start of a step, not at its end.
    """

    interval: float  # d
    first: float  # d
    calendar: bool = False
    at_start: bool = False

    @property
    def steps_per_day(self) -> int | None:
        """The number of steps in a day; None where steps are a day or longer."""
        return round(1.0 / self.interval) if self.interval < 1.0 else None

    @property
    def steps_before(self) -> int:
        """The number of steps between the origin of time and the start of an episode."""
        return round(self.first / self.interval) - 1

    def origin(self, label: str) -> np.datetime64 | None:
        """Return the origin of time of the episode with a label; None where the label has no date."""
        found = re.search(r"(\d{4})$" if self.calendar else r"^(\d{4}-\d{2}-\d{2})$", label)
        if found is None:
            return None
        return np.datetime64(f"{found.group(1)}-01-01" if self.calendar else found.group(1), "s")

    def times(self, label: str, days: Any) -> NDArray[np.datetime64]:
        """Return times (UTC) that lie some days after the origin of time; NaT where the label has no date."""
        begin = self.origin(label)
        seconds = np.rint(np.asarray(days, np.float64) * SECONDS_PER_DAY)
        if begin is None:
            return np.full(seconds.shape, np.datetime64("NaT", "s"))
        return begin + seconds.astype("timedelta64[s]")

    def starts(self, steps: int) -> NDArray[np.float64]:
        """Return the time at which each step of an episode begins, in days after the origin of time."""
        return self.first + self.interval * (np.arange(steps, dtype=np.float64) - 1.0)


@dataclass(frozen=True)
class Return:
    """The return of a task: its unit ("-": points, without a unit) and the terms that it adds up, in words."""

    unit: str = "-"
    meaning: str = "sum of the rewards of all steps of an episode"


@dataclass(frozen=True)
class Presentation:
    """The presentation of a task: what pages and tables say about it.

    Names are those of its measures, costs, channels and baselines.
    """

    title: str
    compare: tuple[str, ...] = ("random",)  # baselines, where nothing else is asked for; the first is the yardstick
    headline: tuple[str, ...] = ("return",)  # measures that sentences report and tests compare
    decisive: str = "return"  # measure that says who did better
    learning: tuple[str, ...] = ()  # measures of learning curves; none: those that training shows
    resources: tuple[str, ...] = ()  # measures of what is used up
    product: str | None = None  # measure that resources are set against
    costs: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # words and unit
    day: tuple[str, ...] = ()  # channels of the average day
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # of channels
    curves: tuple[tuple[str, str, str], ...] = (("sum of return", "return so far", ""),)  # means: name, words, unit
    zoomed: tuple[str, ...] = ()  # channels that the zoom plot shows at first; the others are a click away
    timeline: Timeline | None = None  # None: steps are counted
    decides: str = ""  # what the controller decides, after "decides", as "how much nitrogen to give"
    returns: Return = Return()
    notes: tuple[str, ...] = ()  # sentences without which a result would mislead, such as on what costs nothing
