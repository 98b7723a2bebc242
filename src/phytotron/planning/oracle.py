"""The oracle: a controller that follows the best plan in hindsight, a bound on what other controllers can be expected
to do.

`hindsight` finds the plans, `plans` stores them, and the controller here follows them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from phytotron.core.controller import Controller, Memory
from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError
from phytotron.episodes.engine import some, windows
from phytotron.planning.fingerprints import own_places
from phytotron.planning.plans import Plans, plans_at_hand, same_length


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Planned(Controller):
    """Follows the plan of the start from which its episode began; after the end of the plan, its last action holds.

    A start is identified by the parameters in which it differs from the others.
    """

    bound = True

    actions: Any  # (starts, steps, ...)
    own: tuple[Any, ...]  # leaves of the parameters, (starts, ...)
    places: tuple[int, ...] = field(metadata={"static": True})  # of these leaves among all
    labels: tuple[str, ...] = field(metadata={"static": True})  # of the starts

    def check_starts(self, labels: Sequence[str]) -> None:
        """Refuse starts without a plan."""
        missing = [label for label in labels if label not in self.labels]
        if missing:
            raise PhytotronError(
                f"{len(missing)} of {len(labels)} starts have no plan, the first being {missing[0]}; make them with "
                "`phytotron oracle`, for the same windows"
            )

    def start(self, key: Array) -> Memory:
        """Return the number of the first step."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """Return the action of this step, and the number of the next."""
        leaves = jax.tree.leaves(params)
        same = [
            jnp.all(every == leaves[place], axis=tuple(range(1, jnp.ndim(every))))
            for every, place in zip(self.own, self.places, strict=True)
        ]
        found = jnp.argmax(jnp.all(jnp.stack(same), axis=0))
        return self.actions[found, jnp.minimum(memory, self.actions.shape[1] - 1)], memory + 1


def oracle(environment: Environment[Any, Any]) -> Controller:
    """Return the best plan that hindsight found for each start; `phytotron oracle` makes them.

    This is the controller `oracle`, which follows the stored plans.
    """
    plans = plans_at_hand(environment)
    if not plans:
        raise PhytotronError(
            f"no plans of {environment.id} with these options and windows are stored; make them with `phytotron oracle`"
        )
    return following(environment, plans)


def following(environment: Environment[Any, Any], plans: Plans) -> Planned:
    """Return the controller that follows the given plans; it refuses starts without a plan."""
    starts = countable(environment, windows(environment))
    known = [n for n, label in enumerate(starts.labels) if label in plans]
    if not known:
        raise PhytotronError(f"none of the plans is for a start of {environment.id}, such as {starts.labels[0]}")
    chosen = some(starts, np.array(known))
    places = own_places(chosen)
    leaves = jax.tree.leaves(chosen.params)
    actions = jnp.asarray(same_length([plans[label].actions for label in chosen.labels]))
    return Planned(actions, tuple(jnp.asarray(leaves[place]) for place in places), places, chosen.labels)


def countable(environment: Environment[Any, Any], starts: Starts) -> Starts:
    """Return the starts, or raise an error where they cannot be counted, so that there could be no plan for each."""
    if starts.axes is None:
        raise PhytotronError(
            f"the starts of {environment.id} cannot be counted, so that there is no plan for each; "
            "define `starts`, the member of the task that lists them"
        )
    return starts
