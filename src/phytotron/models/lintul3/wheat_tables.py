"""Tables of winter wheat as rows (x, y): those of the crop file that CropGym uses with LINTUL-3.

Shares of growth by development stage; at every stage they add up to one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# fmt: off
_STAGES = (
    0.0, 0.1, 0.2, 0.3, 0.4, 0.4429491668132632, 0.5, 0.6, 0.6802941167754797, 0.7, 0.8, 0.9, 1.0, 1.0186446374059763,
    1.0408603614619218, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0,
)
_ROOT = (
    0.5672, 0.435463933, 0.334324466, 0.256675329, 0.197060734, 0.1774034591182297, 0.151292035, 0.116153428,
    0.09449214286748255, 0.089176003, 0.068464268, 0.052562975, 0.040354866, 0.038607361374974676,
    0.03652514976148376, 0.030982173, 0.023786352, 0.01826181, 0.01402038, 0.010764051, 0.008264027, 0.00634465,
    0.004871062, 0.003739725, 0.002871148,
)
_LEAF = (
    0.2587606797740589, 0.33752249642766563, 0.39799134400831726, 0.4444158899278852, 0.4800580182242235,
    0.49181062869306, 0.38545250200897574, 0.17876876621198895,
)
_STEM = (
    0.174039320225941, 0.22701357057233432, 0.26768418999168275, 0.29890878107211477, 0.3228812477757765,
    0.33078591218871034, 0.4632554629910243, 0.7050778057880109, 0.9055078571325175, 0.910823997, 0.931535732,
    0.947437025, 0.959645134, 0.9613926386250253,
)
_GRAIN = (
    0.9634748502385162, 0.969017827, 0.976213648, 0.98173819, 0.98597962, 0.989235949, 0.991735973, 0.99365535,
    0.995128938, 0.996260275, 0.997128852,
)
# fmt: on


def _shares(first: int, values: tuple[float, ...]) -> NDArray[np.float64]:
    """A table over all stages that is zero but for the values given, from one point on."""
    rows = np.zeros((len(_STAGES), 2))
    rows[:, 0] = _STAGES
    rows[first : first + len(values), 1] = values
    return rows


ROOT_SHARE = _shares(0, _ROOT)  # FRTTB
LEAF_SHARE = _shares(0, _LEAF)  # FLVTB
STEM_SHARE = _shares(0, _STEM)  # FSTTB
GRAIN_SHARE = _shares(14, _GRAIN)  # FSOTB

# The published NMXLV has 25 points; they lie on one straight line.
LEAF_NITROGEN = np.array([(0.0, 0.06632361239320932), (2.0, 0.02812532488127767)])
