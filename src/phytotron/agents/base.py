"""What an agent is: pure functions from one training state to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from jax import Array

from phytotron.core.environment import Environment
from phytotron.episodes.fleet import Tally

if TYPE_CHECKING:
    from phytotron.agents.policy import Policy

TrainingState = Any  # a pytree of arrays: all that training goes on from


class Progress(NamedTuple):
    """What an update came to."""

    tally: Tally  # episodes that ended, and the sums of what they came to
    losses: dict[str, Array]


class Agent(Protocol):
    """Learns by repeated updates, each of a fixed number of environment steps.

    `init` and `update` are pure: `vmap` over keys trains many seeds at once, `scan` makes many updates in one call. The
    same key and the same number of updates give the same policy.
    """

    Settings: ClassVar[type[Any]]  # of which `settings` is one

    @property
    def environment(self) -> Environment[Any, Any]: ...

    @property
    def settings(self) -> Any:
        """A frozen dataclass of numbers, names and tuples, which can be written as JSON."""

    @property
    def steps_per_update(self) -> int: ...

    def init(self, key: Array, params: Any) -> TrainingState: ...

    def update(self, state: TrainingState, params: Any) -> tuple[TrainingState, Progress]: ...

    def policy(self, state: TrainingState) -> Policy: ...
