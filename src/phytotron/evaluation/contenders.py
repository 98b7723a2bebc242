"""Who is compared with trained agents, and in which environment: the usual practice of a task, and what bounds it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from phytotron.controllers import CONTROLLERS, Controller, make_controller
from phytotron.controllers.wheat import SingleDose
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.environments.greenhouse import Greenhouse
from phytotron.environments.wheat import WheatNitrogen
from phytotron.environments.wheat.actions import Continuous
from phytotron.evaluation import wheat_baselines

NAMES = ("ceres", "none", *CONTROLLERS)


@dataclass(frozen=True)
class Contender:
    """One controller, or the seeds of one agent. `bound`: what nobody can beat, as it knows the weather to come."""

    label: str
    note: str
    environment: Environment[Any, Any]
    controllers: tuple[Controller, ...]
    trained: bool = False
    bound: bool = False


def usual_baselines(env: Environment[Any, Any]) -> tuple[str, ...]:
    """Those that an environment is compared with where nothing else is asked for; the first is the yardstick."""
    if isinstance(env, Greenhouse):
        return ("rule-based",)
    if isinstance(env, WheatNitrogen):
        return ("standard-practice", "ceres", "none") if _has_single_doses(env) else ("off",)
    return ("random",)


def make_baseline(name: str, env: Environment[Any, Any], training: Environment[Any, Any]) -> Contender:
    """A baseline by name on the weather of `env`; what has to be tuned is tuned on that of `training`."""
    if name not in NAMES:
        raise UnknownNameError("baseline", name, NAMES)
    if name in ("ceres", "standard-practice"):
        return _single_dose(name, env, training)
    if name == "rule-based":
        note = "the grower's set-points and rules of GreenLight, which see the whole state of the greenhouse"
        return Contender("rule-based grower", note, env, (make_controller(name, env),))
    if name in ("none", "off"):
        label = "no nitrogen" if isinstance(env, WheatNitrogen) else "off"
        return Contender(label, "the lowest action always", env, (make_controller("off", env),))
    notes = {
        "random": "actions drawn at random",
        "three-dates": "170.7 kg/ha of nitrogen in three parts on fixed dates",
    }
    return Contender(name.replace("-", " "), notes.get(name, name), env, (make_controller(name, env),))


def make_baselines(
    names: Sequence[str], env: Environment[Any, Any], training: Environment[Any, Any]
) -> tuple[Contender, ...]:
    return tuple(make_baseline(name, env, training) for name in dict.fromkeys(names))


def _has_single_doses(env: WheatNitrogen) -> bool:
    plain = env.irrigation is None and env.measurement is None and not env.randomise
    return plain and env.reward == "cropgym" and isinstance(env.parameters, str) and not env.parameter_overrides


def _single_dose(name: str, env: Environment[Any, Any], training: Environment[Any, Any]) -> Contender:
    if not isinstance(env, WheatNitrogen) or not isinstance(training, WheatNitrogen):
        raise PhytotronError(f"{env.id} is no field of wheat; compare it with other controllers")
    if not _has_single_doses(env):
        raise PhytotronError(f"{name} needs the wheat task with its own reward and parameters, and without irrigation")
    beta = float(env.default_params.reward.nitrogen_penalty)
    free = dataclasses.replace(env, doses=Continuous(wheat_baselines.LARGEST))
    if name == "ceres":
        dose: Any = wheat_baselines.ceres(env.seasons, beta=beta, interval=env.interval).dose
        note = "the best single dose of each season, found in hindsight: what an agent can reach at most"
        return Contender("Ceres", note, free, (SingleDose(free, dose),), bound=True)
    dose = float(wheat_baselines.standard_practice(training.seasons, beta=beta, interval=training.interval).dose[0])
    note = f"one dose of {dose:.0f} kg/ha in January, the best on average over the training seasons"
    return Contender("standard practice", note, free, (SingleDose(free, dose),))
