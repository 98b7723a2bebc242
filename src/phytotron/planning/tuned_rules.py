"""Rules with tuned settings: the controller `tuned-rules`, and the files in which settings are stored.

Settings belong to a task: an environment and those of its options that they depend on, other than its weather.
`phytotron tune` stores what it finds in the cache folder; some tasks come with settings that were found in this way.
"""

import contextlib
import hashlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import jax.numpy as jnp

from phytotron.core.compilation import cache_folder
from phytotron.core.controller import Controller
from phytotron.core.environment import Environment
from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.files import in_file_name, write_text
from phytotron.core.making import put_on
from phytotron.core.tunable import TunableRules
from phytotron.episodes.engine import is_policy
from phytotron.planning.fingerprints import changed_options

FORMAT = "phytotron-tuned-rules-1"
REMEDY = "delete it and make it again with `phytotron tune`"
OBJECTIVE = "return"  # what settings are tuned for unless something else is asked for


@dataclass(frozen=True)
class TunedSettings:
    """Settings of the rules of a task by name, and where they come from."""

    environment: str  # id
    options: Mapping[str, str]  # as text, those that differ from their defaults and that settings depend on
    objective: str  # "return" or a measure of the environment
    settings: Mapping[str, float]
    found: Mapping[str, Any] = field(default_factory=dict)  # how: scores, windows, search, command


def rules_of(env: Environment[Any, Any]) -> TunableRules:
    """Return the tunable rules of an environment; an error where it has none."""
    if env.tunable_rules is None:
        raise PhytotronError(
            f"{env.id} has no rules that can be tuned; its baselines are {', '.join(env.baselines) or 'none'}, and "
            "`Environment.tunable_rules` is where an environment says what can be tuned"
        )
    return env.tunable_rules


def check_stackable(env: Environment[Any, Any], rules: TunableRules) -> None:
    """Refuse rules of which no batch can be made, because their settings are not the leaves of a pytree."""
    if not is_policy(with_settings(env, rules, rules.untuned)):
        raise PhytotronError(
            f"tunable_rules of {env.id} make a controller that is no pytree of arrays alone, so that many cannot be "
            "tried at once; make its settings its leaves, as with jax.tree_util.register_dataclass"
        )


def tuned_rules(environment: Environment[Any, Any]) -> Controller:
    """Return rules of the task with settings that were tuned on training weather; `phytotron tune` tunes them."""
    rules, found = rules_of(environment), find_tuned(environment)
    if found is None:
        raise PhytotronError(
            f"the rules of {environment.id} have not been tuned with these options; tune them with `phytotron tune "
            f"{environment.id}` and the same options"
        )
    return with_settings(environment, rules, found.settings)


def with_settings(env: Environment[Any, Any], rules: TunableRules, settings: Mapping[str, Any]) -> Controller:
    """Return the rules as a controller, with settings given by name."""
    return rules.make({name: jnp.asarray(value, env.precision) for name, value in settings.items()})


def find_tuned(env: Environment[Any, Any], objective: str = OBJECTIVE) -> TunedSettings | None:
    """Return the settings of a task from the cache folder, or else those that come with it; None without any."""
    relevant = relevant_options(env)
    path = _path(env, objective, relevant)
    if path.exists():
        return load_tuned(path, rules_of(env))
    task = (relevant, objective)
    return next((each for each in shipped(env) if (dict(each.options), each.objective) == task), None)


def shipped(env: Environment[Any, Any]) -> list[TunedSettings]:
    """Return all settings that come with an environment, for whichever options they were tuned."""
    rules = rules_of(env)
    folder = _folder_beside(env) if rules.folder is None else rules.folder
    paths = [] if folder is None else sorted(folder.glob("*.json"))
    return [load_tuned(path, rules) for path in paths if _read(path).environment == env.id]


def _folder_beside(env: Environment[Any, Any]) -> Path | None:
    """The folder `tuned_rules` beside the module of the class that defines the rules; None for one without a file."""
    owner = next(each for each in type(env).__mro__ if "tunable_rules" in vars(each))
    file = getattr(sys.modules.get(owner.__module__), "__file__", None)
    return None if file is None else Path(file).parent / "tuned_rules"


def tuned_path(env: Environment[Any, Any], objective: str = OBJECTIVE) -> Path:
    """Return the path of the tuned settings of a task; the name depends on everything that they depend on."""
    return _path(env, objective, relevant_options(env))


def _path(env: Environment[Any, Any], objective: str, relevant: Mapping[str, str]) -> Path:
    text = json.dumps([env.id, dict(relevant), objective], sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    return cache_folder() / "tuned_rules" / f"{in_file_name(env.id)}-{objective}-{digest}.json"


def relevant_options(env: Environment[Any, Any]) -> dict[str, str]:
    """Return the options on which settings depend and which differ from their defaults, as text.

    Options that choose weather are not among them, as settings are tuned on one part of it and used on the others:
    those that `on` changes, and those that plans ignore.
    """
    own = changed_options(env)
    indifferent = {*rules_of(env).indifferent, *_changed_by_part(env, own)}
    return {name: text for name, text in own.items() if name not in indifferent}


def _changed_by_part(env: Environment[Any, Any], own: Mapping[str, str]) -> set[str]:
    """Return the names of the options that `on` changes for some part of the weather; `own` are those of `env`."""
    changed: set[str] = set()
    for part in env.parts if own else ():
        with contextlib.suppress(PhytotronError):  # weather that is not at hand
            other = changed_options(put_on(env, part))
            changed |= {name for name in own.keys() | other.keys() if own.get(name) != other.get(name)}
    return changed


def save_tuned(path: Path, tuned: TunedSettings) -> None:
    """Write settings as JSON."""
    write_text(path, json.dumps({"format": FORMAT} | asdict(tuned), indent=1, allow_nan=False) + "\n")


def load_tuned(path: Path, rules: TunableRules) -> TunedSettings:
    """Return the settings that `save_tuned` wrote, for rules that have these settings."""
    found = _read(path)
    for name in {each.name for each in rules.settings} ^ found.settings.keys():
        what = "the rules have no setting" if name in found.settings else "it lacks the setting"
        raise DataFileError(path, f"{what} {name!r}", REMEDY)
    for name, value in found.settings.items():
        if not math.isfinite(value):
            raise DataFileError(path, f"the setting {name!r} is {value}", REMEDY)
    return found


def _read(path: Path) -> TunedSettings:
    """The settings that `save_tuned` wrote, of whichever rules."""
    try:
        content = json.loads(path.read_bytes())
        if content.pop("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        found = TunedSettings(**content)
        return replace(found, settings={name: float(value) for name, value in found.settings.items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise DataFileError(path, f"no settings can be read from it ({error})", REMEDY) from None
