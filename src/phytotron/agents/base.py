"""The contract of agents: pure functions from one training state to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from jax import Array

from phytotron.core.environment import Environment
from phytotron.episodes.vector_environment import EpisodeSums

if TYPE_CHECKING:
    from phytotron.agents.policy import Policy

TrainingState = Any  # a pytree of arrays: all that training goes on from


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
