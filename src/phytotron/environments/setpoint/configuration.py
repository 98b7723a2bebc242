"""Conversion of the `env_config` of GreenLightPlus's GreenhouseEnv to our options."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.fields import names, symbols
from phytotron.environments.setpoint.environment import GreenhouseSetpoint
from phytotron.environments.setpoint.reward import Targets
from phytotron.models.greenlight import Parameters, State
from phytotron.models.greenlight.rules import RuleSettings

TARGETS = symbols(Targets)
RENAMED = {
    "first_day": "first_day",
    "isMature": "mature",
    "season_length": "episode_days",
    "current_step": "first_step",
}
KEYS = (*RENAMED, "epw_path", "season_interval", *TARGETS, "init_state")
# Groups of GreenLight's dictionary; what it holds besides is computed from these.
GROUPS = ("p", "x")
PLACES = {"parameter_overrides": Parameters, "rules": RuleSettings, "initial_state": State}


def from_env_config(env_config: Mapping[str, Any] | None = None, **options: Any) -> GreenhouseSetpoint:
    """Return the task that a published configuration describes; our own `options` take precedence.

    Entries that are missing have the defaults of the published environment. The published one draws the first day from
    90 to 120 whatever `first_day` says; here a `first_day` that is given holds.
    """
    config = dict(env_config or {})
    for key in config:
        if key not in KEYS:
            raise UnknownNameError("key of env_config", key, KEYS)
    return GreenhouseSetpoint(**translated(config) | options)


def translated(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return our options from a configuration that may use published keys; our own names take precedence."""
    made: dict[str, Any] = {RENAMED[key]: value for key, value in config.items() if key in RENAMED}
    if targets := {key: config[key] for key in TARGETS if key in config}:
        made["targets"] = targets
    if config.get("epw_path"):
        made["weather"] = Path(config["epw_path"])
    if "season_interval" in config:
        made["control_interval"] = seconds_of(config["season_interval"])
        made["hold"] = min(GreenhouseSetpoint.hold, made["control_interval"])
    made |= {place: values for place, values in initial(config.get("init_state") or {}).items() if values}
    return made | {key: value for key, value in config.items() if key not in KEYS}


def seconds_of(interval: Any) -> int:
    """Return the length of a step in seconds, from days."""
    try:
        seconds = round(float(interval) * SECONDS_PER_DAY)
    except (TypeError, ValueError):
        raise ValueRangeError("season_interval", interval, "a part of a day, e.g. 1 / 24") from None
    if not 1 <= seconds <= SECONDS_PER_DAY:
        raise ValueRangeError("season_interval", interval, "a part of a day, e.g. 1 / 24")
    return seconds


def initial(init_state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return options from GreenLight's dictionary, {"p": parameters and set-points, "x": states}, or from entries of
    it.
    """
    if not isinstance(init_state, Mapping):
        raise PhytotronError(f"init_state is {init_state!r}; expected a dictionary of values by published symbol")
    entries: dict[str, Any] = {}
    for key, value in init_state.items():
        entries |= value if key in GROUPS and isinstance(value, Mapping) else {key: value}
    found: dict[str, dict[str, Any]] = {place: {} for place in PLACES}
    for key, value in entries.items():
        for place, record in PLACES.items():
            if key in (*symbols(record), *names(record)):
                found[place][key] = value
                break
        else:
            known = [symbol for record in PLACES.values() for symbol in symbols(record)]
            raise UnknownNameError("entry of init_state", key, known)
    return found
