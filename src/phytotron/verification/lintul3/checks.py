"""LINTUL-3 against recorded seasons: every state of every day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jax
import numpy as np

from phytotron.core.fields import names, quantities
from phytotron.models.lintul3 import Parameters, Season, State, Table, season
from phytotron.verification.archives import Floats, archives
from phytotron.verification.lintul3.files import RecordedSeason, read_season
from phytotron.verification.result import FileResult, StateError, Verification

# Largest difference over all days, in the unit of the state. The equations are the same, so what is left is rounding.
BOUND = 1e-9

Output = Callable[[Season], Any]

PHENOLOGY = ("DVS", "TSUM")
SOIL = ("WA", "WC", "TRAIN", "TIRRIG", "TEXPLO", "TTRAN", "TEVAP", "TDRAIN", "TRUNOF")
NOT_RECORDED = ("DAY", "DSLR", "NFIXTT")  # the recorded DSLR is that of the evening; wheat fixes nothing


def column_of(symbol: str) -> str:
    """The recorded column of a state."""
    prefix = "pheno." if symbol in PHENOLOGY else "soil.st." if symbol in SOIL else "crop.st."
    return prefix + symbol


def _state(name: str) -> Output:
    return lambda s: getattr(s.states, name)


def _above_ground(s: Season) -> Any:
    """TAGBM, which is zero on the first day."""
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
    """Weather or management of several seasons as one, (days, seasons); the last day of a shorter one is repeated."""

    def column(*each: Floats) -> Floats:
        return np.stack([np.pad(values, (0, days - len(values)), mode="edge") for values in each], axis=1)

    return jax.tree.map(column, *records)


def stacked_parameters(sets: Sequence[Parameters]) -> Parameters:
    """The parameters of several seasons as those of one batch."""
    fields: dict[str, Any] = {}
    for name in names(Parameters):
        values = [getattr(each, name) for each in sets]
        if isinstance(values[0], Table):
            longest = max(each.size for each in values)
            values = [each.padded(longest) for each in values]
        fields[name] = jax.tree.map(lambda *each: np.stack([np.asarray(value, float) for value in each]), *values)
    return Parameters(**fields)


def replay(recorded: Sequence[RecordedSeason]) -> Season:
    """Our seasons under the recorded weather and management, as one batch in float64."""
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
    """Over all days, of those outputs that were recorded; `file` is the row of the season in the batch."""
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
