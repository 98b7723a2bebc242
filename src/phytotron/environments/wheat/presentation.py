"""Presentation of the wheat task: measures, recorded channels, figures, texts, and the baselines of its agents."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phytotron.core.errors import PhytotronError
from phytotron.core.outcomes import total
from phytotron.core.presentation import Baseline, Competitor, Presentation, Step, channel
from phytotron.core.tunable import TunableRules
from phytotron.environments.field.controllers import PAPER_STANDARD_PRACTICE, DatedDoses, SingleDose
from phytotron.environments.field.doses import Continuous
from phytotron.environments.field.farming import KG_HA, TONNES
from phytotron.environments.field.task import DAY, UNFERTILISED, field_presentation, no_nitrogen
from phytotron.environments.field.tuning import dosing_rules
from phytotron.environments.rewarding import uncharged
from phytotron.environments.wheat import single_dose
from phytotron.models.crops import Crop

if TYPE_CHECKING:
    from phytotron.environments.wheat.environment import WheatNitrogen


MEASURES = (
    total("nitrogen", "N", "kg ha-1", "nitrogen applied", lambda info: info["dose"]),
    total("yield", "WSO", "t ha-1", "grain at the harvest", lambda info: TONNES * info["growth"]),
    total("zero_yield", "WSO0", "t ha-1", f"grain {UNFERTILISED}", lambda info: TONNES * info["zero_growth"]),
    total("applications", "nN", "-", "applications of nitrogen", lambda info: info["dose"] > 0.0),
    total("irrigation", "IRR", "mm", "water given by irrigation"),
)


def _state(name: str, factor: float = 1.0) -> Callable[[Step], Any]:
    return lambda step: factor * getattr(step.after.model, name)


CHANNELS = (
    DAY,
    channel("grain", "WSO", "t ha-1", "grain", _state("grain_mass", TONNES)),
    channel("leaf_area", "LAI", "m2 m-2", "leaf area per ground area", _state("leaf_area_index")),
    channel("growth", "TGROWTH", "t ha-1", "dry matter grown", _state("total_growth", TONNES)),
    channel("uptake", "NUPTT", "kg ha-1", "nitrogen taken up", _state("nitrogen_uptake", KG_HA)),
    channel("soil_nitrogen", "TNSOIL", "kg ha-1", "mineral nitrogen in the soil", _state("soil_nitrogen", KG_HA)),
    channel("dose", "N", "kg ha-1", "nitrogen given, per decision", lambda s: s.info["dose"], "control"),
    channel("total_dose", "ΣN", "kg ha-1", "nitrogen given so far", lambda s: s.info["total_dose"], "control"),
    channel("rain", "TRAIN", "mm", "rain so far", _state("rain_sum"), "weather"),
)


def baselines(env: WheatNitrogen) -> Mapping[str, Baseline]:
    """Return the baselines: standard practice and Ceres, which know their dose in January; fixed dates; and nothing at
    all.
    """
    return {
        "standard-practice": lambda training: _standard_practice(env, training),
        "ceres": lambda _: _ceres(env),
        "none": lambda _: no_nitrogen(env),
        "paper-practice": lambda _: _paper_practice(env),
        "three-dates": lambda _: Competitor(
            "three dates",
            f"{PAPER_STANDARD_PRACTICE:g} kg/ha of nitrogen in three parts on fixed dates",
            env,
            (DatedDoses(env),),
        ),
    }


def _has_single_doses(env: WheatNitrogen) -> bool:
    """Whether the best single dose of a season can be found for it."""
    plain = env.irrigation is None and env.measurement is None and not env.randomise and env.crop is None
    return plain and env.reward == "cropgym" and isinstance(env.parameters, str) and not env.parameter_overrides


def _with_any_dose(env: WheatNitrogen, name: str) -> tuple[WheatNitrogen, float]:
    """The task with any single dose on offer, and what nitrogen is charged there."""
    if not _has_single_doses(env):
        raise PhytotronError(f"{name} needs the wheat task with its own reward and parameters, and without irrigation")
    any_dose = Continuous(single_dose.LARGEST)
    free = env if env.doses == any_dose else dataclasses.replace(env, doses=any_dose)
    return free, float(env.default_params.reward.nitrogen_penalty)


def _ceres(env: WheatNitrogen) -> Competitor:
    free, beta = _with_any_dose(env, "ceres")
    dose = single_dose.ceres(env.seasons, env.default_params.model, beta, env.interval).dose
    note = "the best single dose of each season, found in hindsight; a schedule can be slightly better"
    return Competitor("Ceres", note, free, (SingleDose(free, dose),), bound=True)


def _standard_practice(env: WheatNitrogen, training: Any) -> Competitor:
    free, beta = _with_any_dose(env, "standard-practice")
    found = single_dose.standard_practice(training.seasons, env.default_params.model, beta, training.interval)
    dose = float(found.dose[0])
    note = f"one dose of {dose:.0f} kg/ha in January, the best on average over the training seasons"
    return Competitor("standard practice", note, free, (SingleDose(free, dose),))


def _paper_practice(env: WheatNitrogen) -> Competitor:
    free, _ = _with_any_dose(env, "paper-practice")
    note = f"one dose of {PAPER_STANDARD_PRACTICE:g} kg/ha in January, the best of the paper's authors on their years"
    return Competitor("practice of the paper", note, free, (SingleDose(free, PAPER_STANDARD_PRACTICE),))


def tunable_rules(env: WheatNitrogen) -> TunableRules:
    """Return the practice of equal doses up to a total as tunable rules; untuned, the total is that of the paper's
    authors.
    """
    return dosing_rules(env, PAPER_STANDARD_PRACTICE)


def crop_words(env: WheatNitrogen) -> str:
    """Return the name of another crop, where it has one."""
    return "another crop" if isinstance(env.crop, Crop) else Path(str(env.crop)).stem.replace("_", " ")


def presentation(env: WheatNitrogen) -> Presentation:
    """Return the presentation of the task: title, texts, measures and figures."""
    given = "nitrogen fertiliser" if env.irrigation is None else "nitrogen fertiliser and water"
    return field_presentation(
        env,
        "Wheat field" if env.crop is None else f"Field of {crop_words(env)}",
        decides=f"how much {given} the field is given, if any",
        notes=uncharged(env.default_params.prices, product="grain") if env.reward == "economic" else (),
        compare=("standard-practice", "ceres", "none") if _has_single_doses(env) else ("none",),
        resources=("nitrogen", "applications", "irrigation"),
        zoomed=("grain", "total_dose", "uptake", "leaf_area", "soil_nitrogen"),
    )
