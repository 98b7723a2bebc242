"""The contract of agents: pure functions from one training state to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from jax import Array

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import state_changes
from phytotron.episodes.vector_environment import EpisodeSums

if TYPE_CHECKING:
    from phytotron.agents.policy import Policy

TrainingState = Any  # a pytree of arrays: all that training goes on from
COUNTED = ("episodes", "return", "length")  # of the episodes that ended, besides the measures of the task


class Progress(NamedTuple):
    """The result of an update: sums of the episodes that ended, and losses."""

    episode_sums: EpisodeSums  # episodes that ended, and the sums of their returns, lengths and measures
    losses: dict[str, Array]


class Agent(Protocol):
    """An agent learns by repeated updates, each with a fixed number of environment steps.

    `init` and `update` are pure: `vmap` over keys trains many seeds at once, `scan` makes many updates in one call. The
    same key and the same number of updates give the same policy.
    """

    Settings: ClassVar[type[Any]]  # of which `settings` is one

    @property
    def environment(self) -> Environment[Any, Any]:
        """The environment that it learns in."""

    @property
    def settings(self) -> Any:
        """A frozen dataclass of numbers, names and tuples, which can be written as JSON.

        Its field `steps` is the total number of environment steps of training.
        """

    @property
    def steps_per_update(self) -> int:
        """Environment steps of an update."""

    def init(self, key: Array, params: Any) -> TrainingState:
        """Return the state before the first update; `params` are those of the environment."""

    def update(self, state: TrainingState, params: Any) -> tuple[TrainingState, Progress]:
        """Return the state after one more update, and its progress."""

    def policy(self, state: TrainingState) -> Policy:
        """Return the policy that was learned so far; if it is a `Policy`, it can be saved to a file."""


def checked_update(agent: Agent, state: TrainingState, params: Any) -> tuple[TrainingState, Progress]:
    """Return the results of `agent.update`; an error where they are not what the contract of agents says.

    The check runs only while the update is traced, so that compiled training takes no longer.
    """
    made, name = agent.update(state, params), type(agent).__name__
    if not isinstance(made, tuple) or len(made) != 2 or not isinstance(made[1], Progress):
        raise PhytotronError(f"{name}.update does not give two values; give the next state and a Progress")
    missing = [each for each in COUNTED if each not in made[1].episode_sums]
    if missing:
        remedy = "give sums of what `VectorEnvironment.step` returns"
        raise PhytotronError(f"the episode_sums of {name}.update lack {', '.join(missing)}; {remedy}")
    changed = state_changes(state, made[0])
    if changed:
        remedy = "keep structure, shapes and dtypes as `init` gives them"
        raise PhytotronError(f"{name}.update changes its state: {changed[0]}; {remedy}")
    return made
