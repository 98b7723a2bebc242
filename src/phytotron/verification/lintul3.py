"""LINTUL-3 against recorded seasons: every state of every day.

A recorded season is an .npz file with one row per day, and a .json file of the same name beside it.
The .npz file has `day` (dates, one after the other), `columns` (names) and `data` (days x columns): the states on the
morning of each day, the rates of that day, the weather that was used (wx.*, with rain and evaporation in cm), the
nitrogen that entered the rates of that day (N_applied_g_m2) and the irrigation (irrig_cm_signal).
The .json file has the `variant` ("patched": CropGym's, "unpatched": plain PCSE) and all parameters, by published
symbol, in the groups `crop`, `soil` and `site`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jax
import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.fields import names, quantities
from phytotron.core.tensor_files import read_json
from phytotron.models.lintul3 import (
    DEFAULT_SET,
    PLAIN_SET,
    Management,
    Parameters,
    Season,
    State,
    Table,
    Weather,
    check_inputs,
    load_parameters,
    season,
)
from phytotron.verification.archives import Arrays, Floats, archives
from phytotron.verification.result import FileResult, StateError, Verification

MILLIMETRES = 10.0  # per centimetre

VARIANTS = MappingProxyType({"patched": DEFAULT_SET, "unpatched": PLAIN_SET})
GROUPS = ("crop", "soil", "site")

# Plain PCSE ignores these parameters; the other table has the symbols that it uses in place of ours.
ONLY_PATCHED = ("TNSOILI", "FRTRL", "WMTAB")
PLAIN_SYMBOLS = MappingProxyType({"RTMIN": "RNMIN"})

# A file may lack these, which belong to a season or to legumes: our defaults hold. The last day is that of the rows.
OPTIONAL = ("recovery", "efficiency", "NFIXF")
FROM_THE_ROWS = ("crop_end_date",)

WEATHER_SCALES = MappingProxyType({"RAIN": MILLIMETRES, "ES0": MILLIMETRES, "ET0": MILLIMETRES})


@dataclass(frozen=True, eq=False)
class RecordedSeason:
    """A season as it was recorded, day by day, with all that went into it."""

    name: str
    parameter_set: str
    parameters: Parameters
    weather: Weather
    management: Management
    columns: dict[str, Floats]

    @property
    def days(self) -> int:
        """Return the number of recorded days."""
        return len(self.weather.irradiation)


def read_season(path: Path, required: tuple[str, ...] = ()) -> RecordedSeason:
    """Return the season of an .npz file; `required` columns must be in it besides those of weather and management."""
    arrays = Arrays(path)
    weather = {q.name: (f"wx.{q.symbol}", WEATHER_SCALES.get(q.symbol, 1.0)) for q in quantities(Weather)}
    management = {"nitrogen": ("N_applied_g_m2", 1.0), "irrigation": ("irrig_cm_signal", MILLIMETRES)}
    wanted = [column for column, _ in (*weather.values(), *management.values())]
    columns = arrays.columns("data", "columns", (*wanted, *required))
    days = len(columns[wanted[0]])
    check_days(arrays, days)
    name, parameters = read_parameters(path.with_suffix(".json"), days - 1)
    season = RecordedSeason(
        name=path.name,
        parameter_set=name,
        parameters=parameters,
        weather=Weather(**{key: scale * columns[column] for key, (column, scale) in weather.items()}),
        management=Management(**{key: scale * columns[column] for key, (column, scale) in management.items()}),
        columns=columns,
    )
    try:
        check_inputs(season.weather, season.management, season.parameters)
    except PhytotronError as error:
        raise arrays.fail(str(error), "weather and management that can be") from error
    return season


def check_days(arrays: Arrays, rows: int) -> None:
    """Refuse a file whose days are not one after the other, one per row."""
    days = arrays.get("day", "dates, one per row of data")
    if days.shape != (rows,) or days.dtype.kind != "M":
        raise arrays.fail(f"array 'day' has shape {days.shape} and type {days.dtype}", f"{rows} dates")
    gaps = np.flatnonzero(np.diff(days.astype("datetime64[D]")) != np.timedelta64(1, "D"))
    if len(gaps):
        raise arrays.fail(f"array 'day' goes from {days[gaps[0]]} to {days[gaps[0] + 1]}", "one day after the other")


def read_parameters(path: Path, last_day: int) -> tuple[str, Parameters]:
    """Return the name of the parameter set, and the parameters that a .json file gives."""
    content = _description(path)
    variant = content["variant"]
    if variant not in VARIANTS:
        raise DataFileError(path, f"'variant' is {variant!r}", f"expected {' or '.join(map(repr, VARIANTS))}")
    given: dict[str, Any] = {}
    for group in GROUPS:
        given |= content[group]
    if given.get("IDSL", 0) != 0:
        problem = f"'IDSL' is {given['IDSL']!r}"
        raise DataFileError(
            path, problem, "expected 0: development by temperature alone, the only kind that is modelled"
        )
    overrides, missing = {}, []
    for q in quantities(Parameters):
        symbol = q.symbol
        if symbol in FROM_THE_ROWS or (variant == "unpatched" and symbol in ONLY_PATCHED):
            continue
        key = PLAIN_SYMBOLS.get(symbol, symbol) if variant == "unpatched" else symbol
        if key in given:
            overrides[symbol] = float(given[key]) if isinstance(given[key], bool) else given[key]
        elif symbol not in OPTIONAL:
            missing.append(key)
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", f"expected these in {', '.join(GROUPS)}")
    try:
        return VARIANTS[variant], load_parameters(VARIANTS[variant], crop_end_date=float(last_day), **overrides)
    except PhytotronError as error:
        raise DataFileError(path, str(error), "expected parameters that the model can run with") from error


def _description(path: Path) -> dict[str, Any]:
    """Return the content of a description, checked for its variant and its groups of parameters."""
    expected = "expected a JSON object with variant, crop, soil and site, beside the .npz file"
    content = read_json(path, "season", expected)
    if not isinstance(content, dict):
        raise DataFileError(path, f"holds a {type(content).__name__}", expected)
    missing = [key for key in ("variant", *GROUPS) if key not in content]
    if missing:
        raise DataFileError(path, f"lacks {', '.join(missing)}", expected)
    wrong = [key for key in GROUPS if not isinstance(content[key], dict)]
    if wrong or not isinstance(content["variant"], str):
        raise DataFileError(path, f"has no object for {', '.join(wrong) or 'variant'}", expected)
    return content


# Largest difference over all days, in the unit of the state. The equations are the same, so what is left is rounding.
BOUND = 1e-9

Output = Callable[[Season], Any]

PHENOLOGY = ("DVS", "TSUM")
SOIL = ("WA", "WC", "TRAIN", "TIRRIG", "TEXPLO", "TTRAN", "TEVAP", "TDRAIN", "TRUNOF")
NOT_RECORDED = ("DAY", "DSLR", "NFIXTT")  # the recorded DSLR is that of the evening; wheat fixes nothing


def column_of(symbol: str) -> str:
    """Return the recorded column of a state."""
    prefix = "pheno." if symbol in PHENOLOGY else "soil.st." if symbol in SOIL else "crop.st."
    return prefix + symbol


def _state(name: str) -> Output:
    return lambda s: getattr(s.states, name)


def _above_ground(s: Season) -> Any:
    """Return the dry weight above the ground (TAGBM), which is zero on the first day."""
    state = s.states
    total = state.leaf_mass + state.dead_leaf_mass + state.stem_mass + state.grain_mass
    return np.where(state.day == 0.0, 0.0, total)


def _nitrogen_above_ground(s: Season) -> Any:
    state = s.states
    return state.leaf_nitrogen + state.stem_nitrogen + state.grain_nitrogen - state.leaf_nitrogen_loss


# Columns that every file must have.
STATES: MappingProxyType[str, Output] = MappingProxyType(
    {column_of(q.symbol): _state(q.name) for q in quantities(State) if q.symbol not in NOT_RECORDED}
)

# Columns that count as states in the recordings, and need not be there.
DERIVED: MappingProxyType[str, Output] = MappingProxyType(
    {
        "soil.DSLR": lambda s: s.processes.water.dry_days,
        "crop.st.TAGBM": _above_ground,
        # declared and never computed; the index is a local variable
        "crop.st.NNI": lambda s: np.zeros_like(s.states.day),
        "crop.st.NUPTAGB": _nitrogen_above_ground,
        "crop.st.NRF": lambda s: s.processes.status.growth_reduction,
        "crop.st.GRF": lambda s: s.processes.growth.reduction,
        "crop.st.TGROWTHr": lambda s: s.processes.growth.dry_matter,
    }
)

RATES: MappingProxyType[str, Output] = MappingProxyType(
    {
        "pheno.DTSUM": lambda s: s.processes.development.temperature_sum,
        "pheno.DVR": lambda s: s.processes.development.stage,
        "crop.loc.NNI": lambda s: s.processes.status.index,
        "crop.loc.FRT": lambda s: s.processes.shares.root,
        "crop.loc.FLV": lambda s: s.processes.shares.leaf,
        "crop.loc.FST": lambda s: s.processes.shares.stem,
        "crop.loc.FSO": lambda s: s.processes.shares.grain,
        "crop.loc.RGROWTH": lambda s: s.processes.growth.dry_matter,
        "crop.loc.NUPTR": lambda s: s.processes.nitrogen.uptake.from_soil,
        "crop.r.PEVAP": lambda s: s.processes.transpiration.potential_evaporation,
        "crop.r.PTRAN": lambda s: s.processes.transpiration.potential,
        "crop.r.TRAN": lambda s: s.processes.transpiration.actual,
        "crop.r.TRANRF": lambda s: s.processes.transpiration.reduction,
        "crop.r.RROOTD": lambda s: s.processes.roots.deepening,
        "soil.loc.EVAP": lambda s: s.processes.water.evaporation,
        "soil.loc.DRAIN": lambda s: s.processes.water.drainage,
        "soil.loc.RUNOFF": lambda s: s.processes.water.runoff,
        "soil.loc.IRRIG": lambda s: s.processes.water.irrigation,
    }
)


def stacked(records: Sequence[Any], days: int) -> Any:
    """Return the weather or management of several seasons as one, (days, seasons).

    The last day of a shorter one is repeated.
    """

    def column(*each: Floats) -> Floats:
        return np.stack([np.pad(values, (0, days - len(values)), mode="edge") for values in each], axis=1)

    return jax.tree.map(column, *records)


def stacked_parameters(sets: Sequence[Parameters]) -> Parameters:
    """Return the parameters of several seasons as those of one batch."""
    fields: dict[str, Any] = {}
    for name in names(Parameters):
        values = [getattr(each, name) for each in sets]
        if isinstance(values[0], Table):
            longest = max(each.size for each in values)
            values = [each.padded(longest) for each in values]
        fields[name] = jax.tree.map(lambda *each: np.stack([np.asarray(value, float) for value in each]), *values)
    return Parameters(**fields)


def replay(recorded: Sequence[RecordedSeason]) -> Season:
    """Replay our seasons under the recorded weather and management, as one batch in float64."""
    longest = max(each.days for each in recorded)
    with jax.enable_x64(True):
        weather = stacked([each.weather for each in recorded], longest)
        management = stacked([each.management for each in recorded], longest)
        parameters = stacked_parameters([each.parameters for each in recorded])
        result: Season = jax.tree.map(np.asarray, season(weather, management, parameters))
    return result


def largest_differences(
    ours: Season, file: int, recorded: RecordedSeason, outputs: dict[str, Output], bound: float | None
) -> dict[str, StateError]:
    """Return the largest differences over all days of those outputs that were recorded.

    `file` is the row of the season in the batch.
    """
    found = {}
    for column, output in outputs.items():
        if column in recorded.columns:
            values = np.asarray(output(ours))[: recorded.days, file]
            error = np.max(np.abs(values - recorded.columns[column]))
            found[column.rsplit(".", 1)[1]] = StateError.of(error, bound)
    return found


def verify_lintul3(folder: Path) -> Verification:
    """Replay all seasons of a folder."""
    recorded = [read_season(path, tuple(STATES)) for path in archives(folder)]
    ours = replay(recorded)
    results = []
    for file, each in enumerate(recorded):
        states = largest_differences(ours, file, each, {**STATES, **DERIVED}, BOUND)
        rates = largest_differences(ours, file, each, dict(RATES), None)
        results.append(FileResult(each.name, "season", each.parameter_set, states, rates=rates))
    return Verification("lintul3", tuple(results))
