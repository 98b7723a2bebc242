"""The last steps of episodes, as pictures of environments show them that have no picture of their own."""

from collections import deque
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from phytotron.adapters.chart import Chart, Panel
from phytotron.adapters.compiling import Vectors, compiled
from phytotron.core.environment import Environment
from phytotron.core.presentation import Channel, Step

KEPT = 500  # steps
PANELS = 8  # of channels, besides that of the return


class Moment(NamedTuple):
    """A step of all environments, as it was carried and given; `values` are what was made of it for each, so far."""

    observation: Any  # before it
    before: Vectors
    action: Any
    after: Vectors
    outcome: Any  # observation, reward, terminated, truncated, info
    values: dict[int | None, NDArray[np.float64]]


class Trace:
    """Keeps the last steps; nothing is computed of them before a picture is wanted."""

    def __init__(self, environment: Environment[Any, Any], count: int | None) -> None:
        self.environment = environment
        self.count = count
        self._moments: deque[Moment] = deque(maxlen=KEPT)
        self._observation: Any = None
        self._steps = np.zeros(1 if count is None else count, int)  # of the episodes under way
        self._returns = np.zeros_like(self._steps, float)

    def begin(self, observation: Any, mask: Any = True) -> None:
        """Begin episodes anew where the mask is True."""
        new = np.broadcast_to(np.asarray(mask), self._steps.shape)
        self._observation = observation
        self._steps[new], self._returns[new] = 0, 0.0

    def add(self, before: Vectors, action: Any, after: Vectors, outcome: Any) -> None:
        """Record a step of all environments."""
        self._moments.append(Moment(self._observation, before, action, after, outcome, {}))
        self._observation = outcome[0]
        self._steps += 1
        self._returns += np.asarray(outcome[1], float)

    def picture(self, state: Any, index: int | None = None) -> NDArray[np.uint8]:
        """Return the channels of the episode of one environment, up to its state."""
        env, row = self.environment, index or 0
        channels = shown_channels(env)
        held = list(self._moments)[-self._steps[row] :] if self._steps[row] else []
        for moment in held:
            if index not in moment.values:
                moment.values[index] = self._values(moment, index)
        series = np.array([moment.values[index] for moment in held]).reshape(len(held), len(channels) + 1)
        series[:, -1] = self._returns[row] - series[::-1, -1].cumsum()[::-1] + series[:, -1]
        chart: Chart = env.kept("chart", lambda: _chart(env, channels))
        date, window = env.date(state), env.start_of(state)
        known = [str(each).replace("T", " ") for each in (date, window) if each is not None]
        words = [env.presentation.title, *(each for each in known if each == known[0] or not known[0].startswith(each))]
        return chart.draw(", ".join(words), f"step {self._steps[row]} of {env.episode_steps}", series)

    def _values(self, moment: Moment, index: int | None) -> NDArray[np.float64]:
        """The channels and the reward of a step of one environment."""
        env = self.environment
        carry = compiled(env, self.count).carry
        states = jax.device_get([carry.unpack(moment.before)[1], carry.unpack(moment.after)[1]])
        _, reward, terminated, truncated, info = moment.outcome
        parts: Any = (moment.observation, states[0], moment.action, states[1], reward, terminated, truncated, info)
        if index is not None:
            parts = jax.tree.map(lambda leaf: leaf[index], parts)
        return np.asarray(_channel_values(env)(Step(*(*parts, env.default_params))), np.float64)


def shown_channels(environment: Environment[Any, Any]) -> tuple[Channel, ...]:
    """Return the channels of a picture: those that the task shows first, then its controls, then others."""
    drawn = [each for each in environment.channels if each.group != "time"]
    first = environment.presentation.zoomed
    rank = {name: number for number, name in enumerate(first)}
    ordered = sorted(drawn, key=lambda each: (rank.get(each.name, len(first)), each.group != "control"))
    return tuple(ordered[:PANELS])


def _channel_values(environment: Environment[Any, Any]) -> Any:
    def make() -> Any:
        channels = shown_channels(environment)

        def values(step: Step) -> Any:
            found = [*(each.of(step) for each in channels), step.reward]
            return jnp.stack([jnp.asarray(each, float).reshape(()) for each in found])

        return jax.jit(values)

    return environment.kept("channel values", make)


def _chart(environment: Environment[Any, Any], channels: tuple[Channel, ...]) -> Chart:
    bounds = environment.presentation.bounds
    panels = [
        Panel(each.quantity.description or each.name, each.name, each.quantity.unit, bounds.get(each.name))
        for each in channels
    ]
    return Chart([*panels, Panel("return so far", "return", "")])
