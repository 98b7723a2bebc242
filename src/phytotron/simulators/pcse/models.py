"""The models of PCSE that can stand behind the wheat task, with their names of variables and their needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.field.observations import CM
from phytotron.models.lintul3 import load_parameters
from phytotron.models.lintul3.parameter_sets import PLAIN_SET
from phytotron.simulators.pcse.parameters import lintul3_parameters, wofost_field
from phytotron.simulators.pcse.weather import pcse_module

RECOVERY = 0.7  # of the fertiliser, as in CropGym
MM, G_M2 = 10.0, 1.0 / KG_HA  # mm per cm, g m-2 per kg ha-1
APPLICATION_DEPTH = 10.0  # cm


class Variable(NamedTuple):
    """A quantity of ours: PCSE's variables, added up, times a factor."""

    symbols: tuple[str, ...]
    factor: float = 1.0


@dataclass(frozen=True)
class Treatment:
    """The signal of an application, and the variables whose sum rises where it arrives."""

    signal: str
    arguments: Callable[[float], dict[str, float]]  # of the amount, in kg ha-1 or mm
    arrives: tuple[str, ...]
    per_amount: float  # what their sum rises by, without losses, per kg ha-1 or mm


@dataclass(frozen=True)
class PcseModel:
    """A model of PCSE in the terms of the wheat task; make one of your own for a model that is not in MODELS."""

    engine: str  # class in pcse.models
    grain: Variable  # g m-2
    observables: Mapping[str, Variable]  # by the names of environments.wheat.OBSERVABLES
    nitrogen: Treatment | None = None
    irrigation: Treatment | None = None
    # Parameters by PCSE's names; where there are none, the user has to give them.
    crop: Mapping[str, Any] = field(default_factory=dict)
    soil: Mapping[str, Any] = field(default_factory=dict)
    site: Mapping[str, Any] = field(default_factory=dict)


# Signals. The same word means g m-2 in one model and kg ha-1 in another, with other names for its arguments.


def _lintul3_nitrogen(amount: float) -> dict[str, float]:
    return {"amount": amount / KG_HA, "recovery": RECOVERY}


def _classic_nitrogen(amount: float) -> dict[str, float]:
    return {"N_amount": amount, "N_recovery": RECOVERY}


def _snomin_nitrogen(amount: float) -> dict[str, float]:
    """Ammonium nitrate, as pure nitrogen; its losses are simulated."""
    mineral = {"f_NH4N": 0.5, "f_NO3N": 0.5, "f_orgmat": 0.0, "cnratio": 0.0, "initial_age": 0.0}
    return {"amount": amount, "application_depth": APPLICATION_DEPTH, **mineral}


def _water(amount: float) -> dict[str, float]:
    return {"amount": CM * amount, "efficiency": 1.0}


# Models

GRAIN = Variable(("TWSO",), G_M2)
WOFOST = {
    "stage": Variable(("DVS",)),
    "total_growth": Variable(("TAGP", "TWRT"), G_M2),
    "leaf_area_index": Variable(("LAI",)),
    "transpiration": Variable(("TRA",), MM),
    "grain_mass": GRAIN,
}
WATER = {"rain_sum": Variable(("RAINT",), MM), "transpiration_reduction": Variable(("RFTRA",))}
NITROGEN = {"nitrogen_uptake": Variable(("NuptakeTotal",), G_M2), "soil_nitrogen": Variable(("NAVAIL",), G_M2)}
LINTUL3 = {
    "stage": "DVS",
    "total_growth": "TGROWTH",
    "leaf_area_index": "LAI",
    "nitrogen_uptake": "NUPTT",
    "transpiration": "TRAN",
    "soil_nitrogen": "TNSOIL",
    "rain_sum": "TRAIN",
    "transpiration_reduction": "TRANRF",
    "grain_mass": "WSO",
}
POOLS = ("NAVAIL", "NuptakeTotal")
IRRIGATION = Treatment("irrigate", _water, ("TOTIRR",), CM)


def _models() -> dict[str, PcseModel]:
    classic = Treatment("apply_n", _classic_nitrogen, POOLS, RECOVERY)
    snomin = Treatment("apply_n_snomin", _snomin_nitrogen, POOLS, 1.0)
    wheat, ground = lintul3_parameters(load_parameters(PLAIN_SET)), wofost_field()
    lintul3 = PcseModel(
        "Lintul10_NWLP_CWB_CNB",
        Variable(("WSO",)),
        {name: Variable((symbol,)) for name, symbol in LINTUL3.items()},
        nitrogen=Treatment("apply_n", _lintul3_nitrogen, ("TNSOIL", "NUPTT"), RECOVERY / KG_HA),
        crop=wheat["crop"],
        soil=wheat["soil"],
        site=wheat["site"],
    )
    models = {"lintul3": lintul3}
    for name, engine, nitrogen in (
        ("wofost72_potential", "Wofost72_PP", None),
        ("wofost72_water", "Wofost72_WLP_CWB", None),
        ("wofost73_potential", "Wofost73_PP", None),
        ("wofost73_water", "Wofost73_WLP_CWB", None),
        ("wofost73_layers", "Wofost73_WLP_MLWB", None),
        ("wofost81_potential", "Wofost81_PP", None),
        ("wofost81_water", "Wofost81_WLP_CWB", None),
        ("wofost81_layers", "Wofost81_WLP_MLWB", None),
        ("wofost81_nitrogen", "Wofost81_NWLP_CWB_CNB", classic),
        ("wofost81_layers_nitrogen", "Wofost81_NWLP_MLWB_CNB", classic),
        ("wofost81_snomin", "Wofost81_NWLP_MLWB_SNOMIN", snomin),
    ):
        limited = "_PP" not in engine
        models[name] = PcseModel(
            engine,
            GRAIN,
            WOFOST | (WATER if limited else {}) | ({} if nitrogen is None else NITROGEN),
            nitrogen=nitrogen,
            irrigation=IRRIGATION if limited else None,
            soil={} if "_MLWB" in engine else ground["soil"],
            site=ground["site"],
        )
    return models


MODELS = MappingProxyType(_models())


def choose_model(choice: str | PcseModel) -> tuple[str, PcseModel]:
    """Return the name of a model, and what it stands for."""
    if isinstance(choice, PcseModel):
        return choice.engine, choice
    if not isinstance(choice, str):
        raise PhytotronError(f"model is {choice!r}; expected one of {', '.join(MODELS)}, or a PcseModel")
    if choice not in MODELS:
        raise UnknownNameError("PCSE model", choice, MODELS)
    return choice, MODELS[choice]


def engine_class(name: str, model: PcseModel) -> Any:
    """Return PCSE's class for a model."""
    models = pcse_module("models")
    if not hasattr(models, model.engine):
        offered = [each for each in dir(models) if "_" in each and not each.startswith("_")]
        raise UnknownNameError(f"class in pcse.models (of {name})", model.engine, offered)
    return getattr(models, model.engine)
