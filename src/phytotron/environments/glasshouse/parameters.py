"""The parameters of a greenhouse and of its rules, from the options of a task; contradictions are refused."""

import itertools
from collections.abc import Mapping
from typing import Any

from phytotron.core.errors import DataFileError, PhytotronError, ValueRangeError
from phytotron.core.fields import replace
from phytotron.core.parameter_files import BASE, parameter_file
from phytotron.environments.distributions import Distribution, check_randomisation, corners
from phytotron.models.greenlight import Parameters, altered, load_parameters
from phytotron.models.greenlight.greenhouse_file import options_beside, read_greenhouse, read_greenhouse_tables
from phytotron.models.greenlight.parameter_sets import SHARES, SMALLER, WHOLE_HOUSE, check_consistency
from phytotron.models.greenlight.rules import RuleSettings, load_rule_settings

RulesChoice = str | RuleSettings | Mapping[str, Any] | None


def choose_parameters(choice: str | Parameters, overrides: Mapping[str, Any]) -> Parameters:
    """Return the parameters of a greenhouse, given as a parameter set, a file (.toml) or an object, with overrides by
    name or symbol.
    """
    named: Any = choice
    path = parameter_file(choice)
    if path is not None:
        if others := options_beside(path):
            has = f"has options of an environment ({', '.join(others)}), which the class does not take from a file"
            raise DataFileError(path, has, "make the environment by phytotron.make, which does")
        named = read_greenhouse(path)
    elif isinstance(choice, str):
        named = load_parameters(choice)
    if not isinstance(named, Parameters):
        raise ValueRangeError("parameters", choice, "a parameter set, a greenhouse file (.toml), or Parameters")
    return altered(named, overrides)


def choose_rules(choice: RulesChoice, parameters: str | Parameters, otherwise: str) -> RuleSettings:
    """Return rule settings, given by name or as an object; None or a mapping of changes stands for those of the
    parameter set.

    For a parameter file, they are those of the set that it is based on; for parameters given as an object, which have
    no rules, they are those of the set `otherwise`.
    """
    if isinstance(choice, RuleSettings):
        return choice
    if isinstance(choice, str):
        return load_rule_settings(choice)
    path = parameter_file(parameters)
    named = parameters if path is None else read_greenhouse_tables(path)[BASE]
    return replace(load_rule_settings(named if isinstance(named, str) else otherwise), {} if choice is None else choice)


def choose_randomisation(chosen: Mapping[str, Any], nominal: Parameters) -> dict[str, Distribution]:
    """Return distributions by the name of their parameters; no combination of their extremes may be contradictory."""
    checked = check_randomisation(chosen, nominal)
    if "floor_area" in checked:
        raise PhytotronError(
            "floor_area cannot vary from episode to episode: the climate depends on what there is per floor area; "
            f"vary {', '.join(WHOLE_HOUSE)}"
        )
    related = itertools.chain(*SMALLER, *SHARES)
    check_consistency(corners(checked, nominal, related), "randomised Parameters")
    return checked
