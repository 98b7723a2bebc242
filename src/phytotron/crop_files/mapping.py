"""The mapping from keys of other programs to parameters of LINTUL-3, with units and plausible bounds."""

from dataclasses import dataclass
from types import MappingProxyType

from phytotron.core.fields import quantities
from phytotron.models.crops.crop import FIELD_PARAMETERS
from phytotron.models.lintul3 import Parameters


@dataclass(frozen=True)
class Rule:
    """A key that is a parameter, but for its unit."""

    parameter: str
    factor: float = 1.0  # from the unit of the key to that of the parameter
    unit: str = ""  # of the key, where it is not that of the parameter


# LINTUL-3 itself: as in files of PCSE.
OWN = {q.symbol: Rule(q.name, unit=q.unit) for q in quantities(Parameters) if q.name not in FIELD_PARAMETERS}
SITE = MappingProxyType(
    {q.symbol: q.name for q in quantities(Parameters) if q.name in FIELD_PARAMETERS} | {"RNMIN": "mineralisation"}
)

# WOFOST 7 and 8, and LINTUL-5.
OTHER = {
    "RGRLAI": Rule("juvenile_leaf_growth"),
    "RDI": Rule("initial_root_depth", 0.01, "cm"),
    "RDMCR": Rule("maximum_root_depth", 0.01, "cm"),
    "RRI": Rule("root_deepening", 0.01, "cm d-1"),
    "RDRLTB": Rule("leaf_death"),
    "IAIRDU": Rule("flooded_crop"),  # air ducts in the roots
    "RDRLV_NPK": Rule("nitrogen_leaf_death"),
    "DVS_NPK_STOP": Rule("last_uptake_stage"),
    "DVS_NPK_TRANSL": Rule("translocation_stage"),
    "NPK_TRANSLRT_FR": Rule("root_translocation"),
    "NMAXRT_FR": Rule("root_nitrogen_ratio"),
    "NMAXST_FR": Rule("stem_nitrogen_ratio"),
    "NMAXLV_TB": Rule("maximum_leaf_nitrogen"),
    "NLAI_NPK": Rule("leaf_area_nitrogen_effect"),
    "NSLA_NPK": Rule("specific_leaf_area_nitrogen_effect"),
    "NRESIDLV": Rule("residual_leaf_nitrogen"),
    "NRESIDST": Rule("residual_stem_nitrogen"),
    "NRESIDRT": Rule("residual_root_nitrogen"),
    "NFIX_FR": Rule("nitrogen_fixation"),
    "NFIX": Rule("nitrogen_fixation"),
}
RULES = MappingProxyType(OWN | OTHER)

# By stage in other programs, one number in LINTUL-3: that of stage 0 is taken.
AT_START = MappingProxyType(
    {
        "RUE": "light_use_efficiency",
        "RUETB": "light_use_efficiency",
        "KDIF": "light_extinction",
        "KDIFTB": "light_extinction",
    }
)

# Computed from by `interpreting`.
LEAF_AREA, TOTAL_MASS, AGEING_STAGE, ROOT_DEATH = "SLATB", "TDWI", "DVSDLT", "RDRRTB"
HECTARE_PER_KILOGRAM = 10.0  # m2 g-1
KILOGRAM_PER_HECTARE = 0.1  # g m-2
SHARES_OF_SHOOT = ("FRTB", "FLTB", "FSTB", "FOTB")  # of the whole, and three of the above-ground part
SHARES_OF_WHOLE = ("FRTTB", "FLVTB", "FSTTB", "FSOTB")
DERIVED_FROM = (LEAF_AREA, TOTAL_MASS, AGEING_STAGE, ROOT_DEATH, *SHARES_OF_SHOOT)

# In LINTUL-5 and WOFOST 8 these belong to formulas that LINTUL-3 does not have.
OTHER_FORMULA = MappingProxyType(
    dict.fromkeys(
        ("NLUE", "FRNX", "NLUE_NPK", "NCRIT_FR"),
        "belongs to growth reduced by 1 - NLUE (1 - NNI)^2, which is not that of LINTUL-3",
    )
)
LINTUL5_KEY = "RUETB"  # only LINTUL-5 has it

# Parameters without a counterpart, by how their names begin.
REASONS = MappingProxyType(
    {
        ("AMAX", "EFF", "CO2", "COTB", "TMPF", "TMNF", "REFCO2"): "photosynthesis and its factors",
        ("CVL", "CVO", "CVR", "CVS", "Q10", "RML", "RMO", "RMR", "RMS", "RFSE"): "respiration",
        ("PMX", "PMAX", "PMIN", "RPF", "LRP", "LSP", "FRPX", "TCPT", "PRES", "PCRIT", "RPUP"): "phosphorus",
        ("KMX", "KMAX", "KMIN", "RKF", "LRK", "LSK", "FRKX", "TCKT", "KRES", "KCRIT", "RKUP"): "potassium",
        ("TBASEM", "TEFFMX", "TSUMEM"): "the time before emergence",
        ("IDSL", "DLO", "DLC", "PHOTTB", "VERN"): "day length and vernalisation",
        ("SPA", "SSA"): "area of pods and stems, and life span of leaves",
        ("RDRST", "RDRL", "PERDL"): "death of stems, and of leaves by drought",
        ("CFET", "DEPNR", "IOX"): "water use by crop group",
    }
)


@dataclass(frozen=True)
class Bounds:
    """Values outside are taken for a mistake."""

    low: float
    high: float
    otherwise: str


BOUNDS = MappingProxyType(
    {
        "initial_root_depth": Bounds(0.01, 1.0, "looks like another unit than {unit}"),
        "maximum_root_depth": Bounds(0.1, 5.0, "looks like another unit than {unit}"),
        "root_deepening": Bounds(0.0005, 0.1, "looks like another unit than {unit}"),
        "specific_leaf_area": Bounds(0.004, 0.1, "looks like another unit than {unit}"),
        "light_use_efficiency": Bounds(0.3, 8.0, "is not a growth per MJ of photosynthetically active light"),
        "light_extinction": Bounds(0.2, 1.5, "is not an extinction by leaves"),
        "maximum_grain_nitrogen": Bounds(0.002, 0.15, "looks like another unit than {unit}"),
        "maximum_leaf_nitrogen": Bounds(0.0, 0.15, "looks like another unit than {unit}"),
        "vegetative_temperature_sum": Bounds(50.0, 6000.0, "is not a temperature sum of a crop"),
        "reproductive_temperature_sum": Bounds(50.0, 6000.0, "is not a temperature sum of a crop"),
        "juvenile_leaf_growth": Bounds(0.0005, 0.2, "is not a growth per degree-day"),
    }
)
LARGEST_MINERALISATION = 0.1  # g m-2 d-1, 1 kg N per ha and day; soils give some 0.03

# Faster juvenile leaves: plausible as a ceiling, which the rate is in WOFOST, not as growth, which it is in LINTUL-3.
FAST_LEAVES = 0.02  # (°C d)-1


def reason_unused(key: str) -> str:
    """Return the reason why a key has no meaning for LINTUL-3."""
    for beginnings, what in REASONS.items():
        if key.startswith(beginnings):
            return f"LINTUL-3 has no {what}" if not what.startswith("the") else f"LINTUL-3 starts after {what}"
    return "no parameter of LINTUL-3"
