"""Parameters of PCSE's models: our wheat for LINTUL-3, its field for WOFOST, and crops from files."""

from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.fields import quantities
from phytotron.crop_files import read_source
from phytotron.environments.field.farming import KG_HA
from phytotron.environments.field.observations import CM
from phytotron.models.lintul3 import Parameters, Table, load_parameters
from phytotron.models.lintul3.parameter_sets import DEFAULT_SET

SOIL = ("WCAD", "WCWP", "WCFC", "WCWET", "WCST", "DRATE")
SITE, FLAGS = ("WCI", "WCSUBS"), ("WMFAC", "IRRIGF")
OURS_ALONE = ("recovery", "efficiency", "crop_end_date", "WMTAB", "TNSOILI", "FRTRL", "NFIXF")
# Required by PCSE and without effect on a crop that starts at emergence, whatever the day length.
UNUSED = {"TBASEM": 0.0, "TEFFMX": 0.0, "TSUMEM": 0.0, "DLO": 0.0, "DLC": 0.0, "IDSL": 0}


def lintul3_parameters(parameters: Parameters) -> dict[str, dict[str, Any]]:
    """Return the crop, soil and site as plain PCSE takes them; it has no use for what CropGym's patch adds."""
    values: dict[str, Any] = {}
    for q in quantities(Parameters):
        value = getattr(parameters, q.name)
        values[q.symbol] = np.stack([value.x, value.y], axis=-1).ravel().tolist() if isinstance(value, Table) else value
    soil = {name: values.pop(name) for name in SOIL}
    site = {name: values.pop(name) for name in SITE} | {name: bool(values.pop(name)) for name in FLAGS}
    values["RNMIN"] = values.pop("RTMIN")
    crop = {name: value for name, value in values.items() if name not in OURS_ALONE}
    return {"crop": crop | UNUSED, "soil": soil, "site": site}


def wofost_field() -> dict[str, dict[str, Any]]:
    """Return the field of CropGym's wheat in the terms of WOFOST's classic water and nitrogen balances."""
    p = load_parameters(DEFAULT_SET)
    depth = 100.0 * float(p.maximum_root_depth)  # cm
    drainage = CM * float(p.maximum_drainage)
    soil = {
        "SMW": float(p.wilting_point),
        "SMFCF": float(p.field_capacity),
        "SM0": float(p.saturation),
        "CRAIRC": float(p.saturation - p.wet_content),
        "RDMSOL": depth,
        "SOPE": drainage,
        "KSUB": drainage,
    }
    site = {
        "IFUNRN": 0,
        "NOTINF": 0.0,
        "SSI": 0.0,
        "SSMAX": 0.0,
        "SMLIM": float(p.field_capacity),
        "WAV": depth * float(p.initial_water_content - p.wilting_point),
        "CO2": 360.0,
        "NAVAILI": KG_HA * float(p.initial_soil_nitrogen),
        "BG_N_SUPPLY": KG_HA * float(p.mineralisation),
        "NSOILBASE": 0.0,
        "NSOILBASE_FR": 0.0,
    }
    return {"soil": soil, "site": site}


def crop_parameters(file: str | Path, variety: str) -> dict[str, Any]:
    """Return the parameters of a variety in a file of the WOFOST crop parameters (YAML), read without going online."""
    return {name: given.value for name, given in read_source(Path(file), variety).values.items()}
