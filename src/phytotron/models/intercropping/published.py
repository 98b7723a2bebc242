"""The crops and the soil that InterCropGym's code came with, by published symbol, as its crop files give them.

They serve to reproduce its runs, and nothing else; crops to grow are in `models.crops`. They are not checked, because
some of them cannot be: chickpea has a root depth of 120 m (centimetres where metres are read), and RNMIN, meant as a
nitrogen content of roots, is read as a mineralisation of 3 to 5 kg ha-1 d-1, so that no fertiliser has an effect. All
start on soil at wilting point, without mineral nitrogen. Two more files, of faba bean and cowpea, have shares of growth
that add up to more than one; the published program stops on them with an error, and they are not here.
"""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from phytotron.core.errors import UnknownNameError
from phytotron.core.fields import find
from phytotron.models.crops.crop import Crop, Height
from phytotron.models.lintul3 import PLAIN_SET, Parameters, Table, load_parameters
from phytotron.models.lintul3.tables import table_of

# What the code sets for every crop, where it differs from our wheat field: initial and subsoil water content.
SOIL = MappingProxyType({"WCI": 0.20, "WCSUBS": 0.15})

_CHICKPEA = {
    "DTSMTB": (0.0, 0.0, 7.0, 0.0, 20.0, 13.0, 28.0, 13.0, 45.0, 13.0),
    "TSUM1": 480.0, "TSUM2": 620.0, "TSUMAG": 480.0, "TBASE": 7.0,
    "FRTTB": (0.0, 0.3, 0.8, 0.25, 1.0, 0.2, 1.2, 0.15, 1.4, 0.1, 1.6, 0.05, 1.8, 0.0, 2.0, 0.0),
    "FLVTB": (0.0, 0.4, 0.8, 0.35, 1.0, 0.3, 1.2, 0.2, 1.4, 0.1, 1.6, 0.05, 1.8, 0.0, 2.0, 0.0),
    "FSTTB": (0.0, 0.3, 0.8, 0.3, 1.0, 0.25, 1.2, 0.2, 1.4, 0.15, 1.6, 0.1, 1.8, 0.0, 2.0, 0.0),
    "FSOTB": (0.0, 0.0, 0.8, 0.1, 1.0, 0.25, 1.2, 0.45, 1.4, 0.65, 1.6, 0.8, 1.8, 1.0, 2.0, 1.0),
    "NMXLV": (0.0, 0.06, 0.4, 0.04, 0.7, 0.035, 1.0, 0.03, 2.0, 0.0247, 2.1, 0.0247),
    "LUE": 1.65, "K": 0.75, "LAICR": 3.5, "RGRL": 0.007, "TRANCO": 6.5,
    "NLUE": 1.1, "NSLA": 0.5, "RDRNS": 0.018, "RDRRT": 0.009, "RDRSHM": 0.014, "DVSDR": 0.8,
    "ROOTDI": 2.0, "ROOTDM": 120.0, "RRDMAX": 0.008,
    "WLVGI": 0.1, "WRTLI": 0.15, "WSTI": 0.03, "NFRLVI": 0.035, "NFRRTI": 0.014, "NFRSTI": 0.01,
    "NMAXSO": 0.0288, "FRNX": 1.0, "RNFLV": 0.0127, "RNFST": 0.0063, "RNFRT": 0.0063,
    "DVSNLT": 1.2, "DVSNT": 0.75, "TCNT": 16.0, "RNMIN": 0.3,
}  # fmt: skip

_SOYBEAN = {
    "DTSMTB": (0.0, 0.0, 30.0, 30.0),
    "TSUM1": 750.0, "TSUM2": 850.0, "TSUMAG": 750.0, "TBASE": 8.0,
    "FRTTB": (0.0, 0.35, 0.25, 0.25, 0.5, 0.2, 0.75, 0.15, 1.0, 0.1, 1.5, 0.05, 2.0, 0.0),
    "FLVTB": (0.0, 0.45, 0.25, 0.4, 0.5, 0.35, 0.75, 0.25, 1.0, 0.15, 1.5, 0.1, 2.0, 0.0),
    "FSTTB": (0.0, 0.2, 0.25, 0.2, 0.5, 0.2, 0.75, 0.15, 1.0, 0.15, 1.5, 0.05, 2.0, 0.0),
    "FSOTB": (0.0, 0.0, 0.25, 0.15, 0.5, 0.25, 0.75, 0.45, 1.0, 0.6, 1.5, 0.8, 2.0, 1.0),
    "NMXLV": (0.0, 0.065, 0.5, 0.06, 1.0, 0.055, 1.5, 0.05, 2.0, 0.045),
    "RDRT": (-10.0, 0.0, 10.0, 0.02, 25.0, 0.03, 35.0, 0.06, 45.0, 0.09),
    "LUE": 2.5, "K": 0.65, "LAICR": 5.0, "RGRL": 0.012, "SLAC": 0.025,
    "ROOTDM": 1.5, "RRDMAX": 0.015, "LRNR": 0.6, "FNTRT": 0.2,
    "WLVGI": 0.05, "WRTLI": 0.05, "WSTI": 0.02, "NFRLVI": 0.065, "NFRRTI": 0.04,
    "NMAXSO": 0.065, "RNFLV": 0.01, "RNFST": 0.003, "RNFRT": 0.003, "RNMIN": 0.5,
}  # fmt: skip

# As they differ from the winter wheat of CropGym, which the code has unchanged but for RNMIN.
PUBLISHED_CROPS: MappingProxyType[str, Mapping[str, Any]] = MappingProxyType(
    {"chickpea": _CHICKPEA, "soybean": _SOYBEAN, "winter_wheat": {"RNMIN": 0.5}}
)

MINERALISATION = "RNMIN"  # of plain PCSE, our RTMIN


def published_crop(name: str) -> Crop:
    """Return a crop as InterCropGym's code has it, on its soil."""
    if name not in PUBLISHED_CROPS:
        raise UnknownNameError("published crop", name, PUBLISHED_CROPS)
    values = {**SOIL, **PUBLISHED_CROPS[name]}
    values["RTMIN"] = values.pop(MINERALISATION)
    plain = load_parameters(PLAIN_SET)
    given = {find(Parameters, symbol).name: value for symbol, value in values.items()}
    for field, value in given.items():
        given[field] = table_of(value, field) if isinstance(getattr(plain, field), Table) else value
    return Crop(plant=dataclasses.replace(plain, **given), height=Height())
