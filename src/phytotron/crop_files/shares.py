"""Partition tables: shares of the above-ground part, as published for WOFOST, or of the whole, as LINTUL-3 has them."""

from __future__ import annotations

import numpy as np

from phytotron.crop_files.mapping import SHARES_OF_SHOOT, SHARES_OF_WHOLE
from phytotron.models.lintul3 import Table

SHARES = ("root_share", "leaf_share", "stem_share", "grain_share")
SHARE_TOLERANCE = 2e-3  # tables of three digits


def whole_shares(found: Interpretation, shares_of_shoot: bool) -> dict[str, tuple[str, Table, str]]:
    """The four tables as shares of the whole: parameter to key, table and note; nothing where a file has none.

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
    """Where a sum is not one."""
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
