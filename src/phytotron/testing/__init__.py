"""Checks of environments, for tests of the package and of packages that add to it.

All checks of the contract in `core.environment` run one after the other; one error lists what they found.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.testing import declarations, dynamics, members
from phytotron.testing.failures import error_text
from phytotron.testing.trial import Trial

Check = Callable[[Trial], Iterator[str]]

# By name, in the order in which they run; the first line of the documentation of each says what it proves.
CHECKS: Mapping[str, Check] = MappingProxyType(
    {each.__name__: each for each in (*declarations.CHECKS, *dynamics.CHECKS, *members.CHECKS)}
)


class EnvironmentCheckError(PhytotronError):
    """An error that says what is wrong with an environment: `faults` has the findings of each check that has any,
    `not_reached` the names of the checks that could not run because of them.
    """

    def __init__(self, id: str, faults: Mapping[str, list[str]], not_reached: Sequence[str] = ()) -> None:
        self.faults, self.not_reached = dict(faults), tuple(not_reached)
        lines = [f"- {name}: {text}" for name, texts in faults.items() for text in texts]
        count = "1 fault" if len(lines) == 1 else f"{len(lines)} faults"
        if not_reached:
            lines.append(f"not reached because of these: {', '.join(not_reached)}")
        super().__init__("\n".join([f"{id} has {count}:", *lines]))


def check_environment(env: Environment[Any, Any], skip: Collection[str] = ()) -> None:
    """Check that an environment keeps the contract; raise one `EnvironmentCheckError` with every fault, by name, and
    the names of checks that could not run.

    `skip` names checks to leave out; `eager` and `gradients` take the longest where a model is large.
    """
    found = find_faults(env, skip)
    faults = {name: texts for name, texts in found.items() if texts}
    if faults:
        not_reached = [name for name, texts in found.items() if texts is None]
        raise EnvironmentCheckError(str(getattr(env, "id", type(env).__name__)), faults, not_reached)


def find_faults(
    env: Environment[Any, Any], skip: Collection[str] = (), say: Callable[[str], None] = lambda name: None
) -> dict[str, list[str] | None]:
    """Return the findings of every check by its name.

    A check without findings has passed. None stands for a check that was not reached, because of what an earlier check
    has found. `say` is called with each name.
    """
    for name in skip:
        if name not in CHECKS:
            raise UnknownNameError("check", name, CHECKS)
    trial, found, reported = Trial(env), dict[str, list[str] | None](), set[str]()
    for name, check in CHECKS.items():
        if name not in skip:
            say(name)
            texts = list(dict.fromkeys(_texts(check, trial)))
            new = [text for text in texts if text not in reported]
            found[name] = new if new or not texts else None
            reported.update(new)
    return found


def _texts(check: Check, trial: Trial) -> Iterator[str]:
    try:
        yield from check(trial)
    except Exception as error:
        yield from trial.misdefined or [error_text("", error)]  # a method in place of a property fails in many ways
