"""The way from the keys of one file to parameters of LINTUL-3: units, tables, shares, and what follows from what is
there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import check_value, find
from phytotron.crop_files import mapping
from phytotron.crop_files.mapping import BOUNDS, RULES, SHARES_OF_SHOOT, SHARES_OF_WHOLE, SITE
from phytotron.crop_files.source import Source, check_unit
from phytotron.models.crops.crop_file import plain
from phytotron.models.lintul3 import Parameters, Table
from phytotron.models.lintul3.tables import table_of

TABLES = tuple(name for name, value in vars(Parameters()).items() if isinstance(value, Table))
SHARES = ("root_share", "leaf_share", "stem_share", "grain_share")
SHARE_TOLERANCE = 2e-3  # tables of three digits


@dataclass(frozen=True)
class Taken:
    """A parameter as a file gives it: a number or rows [x, y], the key and the line, and what was done to it."""

    value: Any
    key: str
    line: int
    note: str = ""


@dataclass
class Interpretation:
    """The parameters that one crop file gives."""

    source: Source
    taken: dict[str, Taken] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)  # key to reason
    warnings: list[str] = field(default_factory=list)

    def take(self, parameter: str, key: str, value: Any, note: str = "") -> None:
        """Keep a value that has been checked."""
        q = find(Parameters, parameter)
        table = parameter in TABLES
        kept: Any = plain(self._checked_table(key, value)) if table else float(value)
        unit = "" if q.unit == "-" else f" {q.unit}"
        values = [y for _, y in kept] if table else [kept]
        bounds = BOUNDS.get(parameter)
        if bounds is not None and not (bounds.low <= min(values) and max(values) <= bounds.high):
            wrong = max(values) if max(values) > bounds.high else min(values)
            problem = f"is {wrong:g}{unit}, which {bounds.otherwise.format(unit=q.unit)}"
            hundredth = q.unit == "m" and bounds.low <= wrong / 100.0 <= bounds.high
            hint = f", {wrong / 100.0:g} if it is in cm" if hundredth else "; correct the value or its unit"
            remedy = f"expected {bounds.low:g} to {bounds.high:g}{unit}{hint}"
            raise self.source.error(key, problem, remedy)
        try:
            check_value(q, values if table else kept, "Parameters")
        except PhytotronError as error:
            raise self.source.error(key, f"cannot be: {error}", "correct the value") from None
        self.taken[parameter] = Taken(kept, key, self.source.values[key].line, note)

    def number(self, key: str) -> float:
        """Return the value of a key, which has to be a number."""
        value = self.source.values[key].value
        if not isinstance(value, float):
            shown = f"{value!r}" if isinstance(value, str) else f"a table of {len(value)} numbers"
            raise self.source.error(key, f"is {shown}", "expected a number")
        return value

    def table(self, key: str) -> Table:
        """Return the value of a key, which has to be a table x, y, x, y, ..."""
        value = self.source.values[key].value
        if not isinstance(value, list):
            shown = f"{value!r}" if isinstance(value, str) else f"the single number {value:g}"
            raise self.source.error(key, f"is {shown}", "expected a table x, y, x, y, ... of numbers")
        if len(value) % 2:
            remedy = "one is missing, or one too many; the file may have been cut off"
            raise self.source.error(key, f"has {len(value)} numbers, which are not pairs x, y", remedy)
        return self._checked_table(key, value)

    def _checked_table(self, key: str, points: Any) -> Table:
        try:
            return table_of(points, key)
        except PhytotronError as error:
            raise self.source.error(key, f"is no table: {error}", "correct its points") from None


def interpreted(source: Source, shares_of_shoot: bool = False) -> Interpretation:
    """Return parameters of a file, with what it does not mean for LINTUL-3 and why."""
    found = Interpretation(source)
    _check_field(found)
    lintul5 = mapping.LINTUL5_KEY in source.values
    for key, given in source.values.items():
        if key in mapping.OTHER_FORMULA and (lintul5 or key not in RULES):
            found.unused[key] = mapping.OTHER_FORMULA[key]
        elif key in mapping.AT_START:
            _at_start(found, key)
        elif key in SITE:
            found.unused[key] = "belongs to the field, not to the crop"
        elif key in RULES and key not in mapping.SHARES_OF_WHOLE:
            rule = RULES[key]
            check_unit(source, key, rule.unit or find(Parameters, rule.parameter).unit)
            _converted(found, key)
        elif key not in (*mapping.DERIVED_FROM, *mapping.SHARES_OF_WHOLE):
            is_text = isinstance(given.value, str)
            found.unused[key] = "text, not a number" if is_text else mapping.reason_unused(key)
    for key, derive in DERIVATIONS.items():
        if key in source.values:
            derive(found, key)
    _initial_nitrogen(found)
    for name, shares in whole_shares(found, shares_of_shoot).items():
        found.take(name, *shares)
    if mapping.TOTAL_MASS in source.values:
        _initial_masses(found, mapping.TOTAL_MASS)
    if not found.taken:
        raise DataFileError(source.path, "has no parameter of LINTUL-3", "give a crop parameter file")
    growth = found.taken.get("juvenile_leaf_growth")
    if growth is not None and growth.value > mapping.FAST_LEAVES:
        meaning = "is a ceiling in WOFOST, but in LINTUL-3 the growth itself, for which 0.01 is usual"
        found.warnings.append(f"{growth.key} = {growth.value:g} {meaning}")
    return found


def _converted(found: Interpretation, key: str) -> None:
    rule = RULES[key]
    note = f"from {rule.unit}" if rule.factor != 1.0 else ""
    if rule.parameter in TABLES:
        table = found.table(key)
        found.take(rule.parameter, key, Table(table.x, np.asarray(table.y) * rule.factor), note)
    else:
        found.take(rule.parameter, key, round(found.number(key) * rule.factor, 12), note)


def _at_start(found: Interpretation, key: str) -> None:
    if isinstance(found.source.values[key].value, float):
        found.take(mapping.AT_START[key], key, found.number(key))
        return
    values = np.asarray(found.table(key).y)
    note = "" if np.all(values == values[0]) else "at stage 0; its values by stage are left out"
    found.take(mapping.AT_START[key], key, values[0], note)


def _check_field(found: Interpretation) -> None:
    """Refuse a field on which the crop could not show anything, although it is not kept."""
    values = found.source.values
    for key in ("RNMIN", "RTMIN"):
        if key in values and found.number(key) >= mapping.LARGEST_MINERALISATION:
            rate = found.number(key)
            problem = (
                f"sets {rate:g} g m-2 of nitrogen free every day, {10 * rate:g} kg per ha: no fertiliser would matter"
            )
            raise found.source.error(key, problem, "remove the line, or write some 0.03")
    if "WCI" in values:
        wilting = found.number("WCWP") if "WCWP" in values else float(Parameters().wilting_point)
        if found.number("WCI") <= wilting:
            problem = f"starts the soil at {found.number('WCI'):g}, not above the wilting point {wilting:g}"
            raise found.source.error("WCI", problem, "remove the line, or start with a moist soil, as 0.3")


def _leaf_area(found: Interpretation, key: str) -> None:
    check_unit(found.source, key, "ha kg-1")
    table = found.table(key)
    first = float(np.asarray(table.y)[0])
    if first <= 0.0:
        raise found.source.error(key, "is not above 0 at the start", "correct the value")
    found.take("specific_leaf_area", key, round(first * mapping.HECTARE_PER_KILOGRAM, 12), "at stage 0, from ha kg-1")
    factor = Table(table.x, np.round(np.asarray(table.y) / first, 6))
    found.take("specific_leaf_area_factor", key, factor, "relative to stage 0")


def _ageing(found: Interpretation, key: str) -> None:
    sums = ("vegetative_temperature_sum", "reproductive_temperature_sum")
    if any(name not in found.taken for name in sums):
        found.unused[key] = "needs TSUM1 and TSUM2 of the same file"
        return
    first, second = (found.taken[name].value for name in sums)
    stage = found.number(key)
    value = stage * first if stage <= 1.0 else first + (stage - 1.0) * second
    found.take("ageing_temperature_sum", key, value, f"temperature sum at stage {stage:g}")


def _root_death(found: Interpretation, key: str) -> None:
    table = found.table(key)
    x, y = np.asarray(table.x), np.asarray(table.y)
    found.take("root_death", key, float(y.max()), "largest value of the table")
    if y.max() > 0.0:
        begin = float(x[max(int(np.argmax(y > 0.0)) - 1, 0)])
        given = found.taken.get("root_death_stage")
        if given is None or given.value < begin:
            found.take("root_death_stage", key, begin, "where the table leaves zero")


def _initial_masses(found: Interpretation, key: str) -> None:
    check_unit(found.source, key, "kg ha-1")
    organs = {"root": "initial_root_mass", "leaf": "initial_leaf_mass", "stem": "initial_stem_mass"}
    if "root_share" not in found.taken:
        found.unused[key] = "needs the partition tables of the same file"
        return
    total = found.number(key) * mapping.KILOGRAM_PER_HECTARE
    for organ, parameter in organs.items():
        if parameter not in found.taken:
            share = found.taken[f"{organ}_share"].value[0][1]
            found.take(parameter, key, round(total * share, 9), "shared as growth at stage 0, from kg ha-1")


def _initial_nitrogen(found: Interpretation) -> None:
    """Derive the nitrogen contents at emergence: the largest ones of stage 0."""
    largest = found.taken.get("maximum_leaf_nitrogen")
    if largest is None:
        return
    ratios = {"leaf": None, "stem": "stem_nitrogen_ratio", "root": "root_nitrogen_ratio"}
    for organ, ratio in ratios.items():
        parameter = f"initial_{organ}_nitrogen"
        if parameter not in found.taken and (ratio is None or ratio in found.taken):
            factor = 1.0 if ratio is None else found.taken[ratio].value
            found.take(parameter, largest.key, round(largest.value[0][1] * factor, 9), "largest content at stage 0")


DERIVATIONS: Mapping[str, Callable[[Interpretation, str], None]] = {
    mapping.LEAF_AREA: _leaf_area,
    mapping.AGEING_STAGE: _ageing,
    mapping.ROOT_DEATH: _root_death,
}


def whole_shares(found: Interpretation, shares_of_shoot: bool) -> dict[str, tuple[str, Table, str]]:
    """Return the four tables as shares of the whole: parameter to key, table and note; nothing where a file has none.

    The sums of published tables are off by their rounding, which is taken out. `shares_of_shoot` says that the tables
    under the names of LINTUL-3 are shares of the above-ground part, too.
    """
    source = found.source
    sets = [keys for keys in (SHARES_OF_WHOLE, SHARES_OF_SHOOT) if any(key in source.values for key in keys)]
    if not sets:
        return {}
    if len(sets) == 2:
        key = next(key for key in SHARES_OF_SHOOT if key in source.values)
        remedy = f"leave either {', '.join(SHARES_OF_SHOOT)} or {', '.join(SHARES_OF_WHOLE)} away"
        raise source.error(key, "gives partition tables a second time", remedy)
    keys = sets[0]
    lacking = [key for key in keys if key not in source.values]
    if lacking:
        key = next(key for key in keys if key in source.values)
        raise source.error(key, f"stands without {', '.join(lacking)}", "add the other partition tables")

    tables = [found.table(key) for key in keys]
    stages = np.unique(np.concatenate([np.asarray(table.x) for table in tables]))
    root, *shoot = (np.interp(stages, np.asarray(table.x), np.asarray(table.y)) for table in tables)
    above = np.sum(shoot, axis=0)
    of_shoot, of_whole = _wrong(above) is None, _wrong(root + above) is None
    convert = keys is SHARES_OF_SHOOT or shares_of_shoot
    if convert and not of_shoot:
        _refuse(found, keys, stages, above, "above-ground part", of_whole, "the whole")
    if not convert and not of_whole:
        _refuse(found, keys, stages, root + above, "whole", of_shoot, "the above-ground part")
    note = ""
    if convert:
        shoot = [each / above * (1.0 - root) for each in shoot]
        note = "share of the above-ground part times (1 - root share)"
    else:
        total = root + above
        root, shoot = root / total, [each / total for each in shoot]
    values = [root, *shoot]
    notes = ["", note, note, note]
    return {
        name: (key, Table(stages, np.round(value, 9)), each)
        for name, key, value, each in zip(SHARES, keys, values, notes, strict=True)
    }


def _wrong(total: np.ndarray) -> int | None:
    """Return the index of the first sum that is not one; None where all are."""
    wrong = np.abs(total - 1.0) > SHARE_TOLERANCE
    return int(np.argmax(wrong)) if np.any(wrong) else None


def _refuse(
    found: Interpretation,
    keys: tuple[str, ...],
    stages: np.ndarray,
    total: np.ndarray,
    meant: str,
    otherwise_right: bool,
    otherwise: str,
) -> None:
    at = _wrong(total)
    assert at is not None
    summed = keys if meant == "whole" else keys[1:]
    problem = f"with {', '.join(summed[1:])} sums to {total[at]:.4g} at stage {stages[at]:g}, not to 1"
    remedy = "correct the tables"
    if otherwise_right:
        problem += f"; these look like shares of {otherwise}"
        if meant == "whole":
            remedy = "if they are, import with --shares-of-shoot, which multiplies them by (1 - root share)"
        elif keys is SHARES_OF_SHOOT:
            remedy = f"if they are, name them {', '.join(SHARES_OF_WHOLE)}"
        else:
            remedy = "if they are, leave --shares-of-shoot away"
    raise found.source.error(summed[0], problem, remedy)
