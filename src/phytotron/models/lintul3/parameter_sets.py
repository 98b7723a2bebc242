"""The two models that carry the name, how to change them, and the checks of what a season is given.

CropGym's paper ran PCSE with a patch: nitrogen in the soil at the start, stem mass that becomes grain, irrigation on
request. Plain PCSE reads the parameters of these from the same files and ignores them.
"""

import itertools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import jax
import numpy as np

from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError, ValueRangeError
from phytotron.core.fields import check_value, find, quantities, replace
from phytotron.models.lintul3.parameters import Parameters
from phytotron.models.lintul3.states import Management, Weather
from phytotron.models.lintul3.tables import Table, check_table, table_of

DEFAULT_SET = "cropgym_winter_wheat"
PLAIN_SET = "pcse_winter_wheat"

# What the patch adds, switched off.
WITHOUT_PATCH = MappingProxyType(
    dict.fromkeys(("initial_soil_nitrogen", "stem_remobilisation", "irrigation_by_farmer"), 0.0)
)

PARAMETER_SETS = MappingProxyType({DEFAULT_SET: MappingProxyType({}), PLAIN_SET: WITHOUT_PATCH})

SHARES = ("root_share", "leaf_share", "stem_share", "grain_share")
SHARE_TOLERANCE = 1e-4  # published tables are rounded to four digits

# Each must be smaller than the next.
WATER_CONTENTS = ("air_dry_content", "wilting_point", "field_capacity", "wet_content", "saturation")
MAY_BE_EQUAL = ("air_dry_content", "field_capacity")
RELATED = (*WATER_CONTENTS, "initial_root_depth", "maximum_root_depth")  # numbers that can contradict each other


def load_parameters(name: str = DEFAULT_SET, **overrides: Any) -> Parameters:
    """Return a named parameter set, with overrides by field name or published symbol; tables as rows (x, y).

    >>> load_parameters(WCI=0.25, DTSMTB=[(0, 0), (30, 30)]).initial_water_content
    0.25
    """
    if name not in PARAMETER_SETS:
        raise UnknownNameError("parameter set", name, PARAMETER_SETS)
    return override(replace(Parameters(), PARAMETER_SETS[name]), overrides)


def override(parameters: Parameters, overrides: Mapping[str, Any]) -> Parameters:
    """Return a copy with some parameters changed; every value and what they must have in common is checked."""
    if not isinstance(overrides, Mapping):
        raise ValueRangeError("Parameters", overrides, "numbers or tables by name or symbol, as {name: number}")
    named = {find(Parameters, key).name: value for key, value in overrides.items()}
    tables = {key: named.pop(key) for key in list(named) if isinstance(getattr(parameters, key), Table)}
    changed = replace(parameters, named)
    given = {key: table_of(points, f"Parameters.{key}") for key, points in tables.items()}
    changed = Parameters(**{q.name: given.get(q.name, getattr(changed, q.name)) for q in quantities(Parameters)})
    check_parameters(changed)
    return changed


def check_parameters(parameters: Parameters) -> None:
    """Refuse values that are not finite or out of range, and combinations that no field can have."""
    for q in quantities(Parameters):
        value = getattr(parameters, q.name)
        if isinstance(value, Table):
            check_table(value, f"Parameters.{q.name}")
        check_value(q, value.y if isinstance(value, Table) else value, "Parameters")
    check_consistency(parameters)


def check_consistency(parameters: Parameters, owner: str = "Parameters") -> None:
    """Refuse combinations that no field can have; `owner` names the parameters in the error."""
    if any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(parameters)):
        return
    for small, large in itertools.pairwise(WATER_CONTENTS):
        below, above = np.asarray(getattr(parameters, small)), np.asarray(getattr(parameters, large))
        if np.any(below > above) or (small not in MAY_BE_EQUAL and np.any(below == above)):
            raise PhytotronError(f"{owner}.{small} must be smaller than {large}; change one of the two")
    if np.any(np.asarray(parameters.initial_root_depth) > np.asarray(parameters.maximum_root_depth)):
        raise PhytotronError(f"{owner}.initial_root_depth must not exceed maximum_root_depth; change one of the two")
    check_shares(parameters)


def check_shares(parameters: Parameters) -> None:
    """Refuse partition tables that lose or create dry matter."""
    tables = [getattr(parameters, name) for name in SHARES]
    if any(np.ndim(each.x) != 1 for each in tables):  # a batch, made of tables that were checked one by one
        return
    stages = np.unique(np.concatenate([np.asarray(each.x) for each in tables]))
    total = sum(np.interp(stages, np.asarray(each.x), np.asarray(each.y)) for each in tables)
    wrong = np.abs(total - 1.0) > SHARE_TOLERANCE
    if np.any(wrong):
        stage = stages[np.argmax(wrong)]
        what = f"the sum of {', '.join(SHARES)} at stage {stage:g}"
        raise ValueRangeError(what, float(total[np.argmax(wrong)]), "1")


def check_inputs(weather: Weather, management: Management, parameters: Parameters) -> None:
    """Refuse a season whose values are not finite, out of range, or of shapes that do not go together."""
    days = np.shape(weather.irradiation)[:1]
    if not days or days[0] < 1:
        raise ShapeError("Weather.irradiation", "(days,) or (days, fields)", np.shape(weather.irradiation))
    for each in (weather, management):
        owner = type(each).__name__
        for q in quantities(each):
            value = getattr(each, q.name)
            check_value(q, value, owner)
            shape = np.shape(value)
            if shape[:1] != days and not (owner == "Management" and shape == ()):
                raise ShapeError(f"{owner}.{q.name}", f"({days[0]},) or ({days[0]}, fields)", shape)
    lowest, highest = np.asarray(weather.minimum_temperature), np.asarray(weather.maximum_temperature)
    if np.any(lowest > highest):
        day = int(np.argwhere(lowest > highest)[0][0])
        low = lowest[day].max()
        raise ValueRangeError(f"Weather.minimum_temperature of day {day}", low, "not above the maximum temperature")
    shapes = {q.name: np.shape(getattr(weather, q.name)) for q in quantities(Weather)}
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        raise PhytotronError(f"Weather has shapes that do not go together: {shapes}") from None
    check_parameters(parameters)
