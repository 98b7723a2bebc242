"""The oracle: for every start the best plan that hindsight finds, a bound on what any controller can be expected to do.

`hindsight` finds the plans, `plans` keeps them, and the controller here follows them.
"""

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
from phytotron.planning.plans import Plans, load_plans, own_places, plans_path


@jax.tree_util.register_dataclass
@dataclass(frozen=True, eq=False)
class Planned(Controller):
    """Follows the plan of the start that its episode began from; after its end the last action holds.

    A start is told by the parameters in which it differs from the others.
    """

    actions: Any  # (starts, steps, ...)
    own: tuple[Any, ...]  # leaves of the parameters, (starts, ...)
    places: tuple[int, ...] = field(metadata={"static": True})  # of these leaves among all

    def start(self, key: Array) -> Memory:
        """The number of the first step."""
        return jnp.zeros((), jnp.int32)

    def act(self, key: Array, memory: Memory, observation: Array, state: Any, params: Any) -> tuple[Array, Memory]:
        """The action of this step, and the number of the next."""
        leaves = jax.tree.leaves(params)
        same = [
            jnp.all(every == leaves[place], axis=tuple(range(1, jnp.ndim(every))))
            for every, place in zip(self.own, self.places, strict=True)
        ]
        found = jnp.argmax(jnp.all(jnp.stack(same), axis=0))
        return self.actions[found, jnp.minimum(memory, self.actions.shape[1] - 1)], memory + 1


def oracle(environment: Environment[Any, Any]) -> Controller:
    """The best plan that hindsight found for each start; `phytotron oracle` makes them."""
    path = plans_path(environment, terminal=False)
    if not path.exists():
        raise PhytotronError(
            f"no plans of {environment.id} with these options are stored; make them with `phytotron oracle`"
        )
    plans = load_plans(path, environment.action_space)
    missing = [label for label in countable(environment, windows(environment)).labels if label not in plans]
    if missing:
        raise PhytotronError(
            f"{len(missing)} starts of {environment.id} have no plan, the first being {missing[0]}; make all of them "
            "with `phytotron oracle` without --episodes and --start"
        )
    return following(environment, plans)


def following(environment: Environment[Any, Any], plans: Plans) -> Planned:
    """The controller that follows plans; every start that it has to act from must have one."""
    starts = countable(environment, windows(environment))
    known = [n for n, label in enumerate(starts.labels) if label in plans]
    if not known:
        raise PhytotronError(f"none of the plans is for a start of {environment.id}, such as {starts.labels[0]}")
    chosen = some(starts, np.array(known))
    places = own_places(chosen)
    leaves = jax.tree.leaves(chosen.params)
    actions = jnp.asarray(np.stack([plans[label].actions for label in chosen.labels]))
    return Planned(actions, tuple(jnp.asarray(leaves[place]) for place in places), places)


def countable(environment: Environment[Any, Any], starts: Starts) -> Starts:
    """The starts, which an oracle can tell apart."""
    if starts.axes is None:
        raise PhytotronError(f"the starts of {environment.id} cannot be counted, so that there is no plan for each")
    return starts


def one_start(starts: Starts, n: int) -> Any:
    """The parameters of one start."""
    return jax.tree.map(
        lambda axis, leaf: leaf if axis is None else jnp.take(leaf, n, axis),
        starts.axes,
        starts.params,
        is_leaf=lambda axis: axis is None,
    )
