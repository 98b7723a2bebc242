"""Record seasons of PCSE's LINTUL-3 on made-up weather: reference files to verify against.

Usage, from the repository root with the interpreter that has Phytotron installed:

    python benchmarks/record_lintul3.py src/phytotron/evaluation/data/lintul3

PCSE 6.0.13 is installed into `.peers/pcse-6.0.13` on first use, or taken from `--peer-python`. Weather and doses are
formulas, so the files hold no measured data. Each season is an .npz file with a .json file beside it, in the layout
that `evaluation/lintul3_files.py` describes. Exit code 2: PCSE could not be run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import lintul3_peer as peer
import peers
from phytotron.models.lintul3 import PLAIN_SET, load_parameters

WEEKLY = {day: float(dose) for day, dose in zip(range(7, 240, 7), (2, 0, 4, 0, 2, 2, 0, 0, 4) * 4, strict=False)}


def scenarios() -> dict[str, dict[str, Any]]:
    """A usual season, and one on a soil that drains badly: runoff, and roots that lack air."""
    usual = load_parameters(PLAIN_SET)
    wet = load_parameters(PLAIN_SET, DRATE=0.4, WCI=0.45, WCSUBS=0.4, crop_end_date=150.0)
    return {
        "synthetic_unpatched_weekly": peer.season(usual, peer.weather(), WEEKLY),
        "synthetic_unpatched_waterlogged": peer.season(wet, peer.weather(wetness=2.5, shift=40.0), {30: 12.0}),
    }


def table(season: dict[str, Any], rows: list[dict[str, float]]) -> dict[str, Any]:
    """The arrays of a file."""
    days = len(rows)
    columns: dict[str, Any] = {"N_applied_g_m2": season["nitrogen"][:days], "irrig_cm_signal": [0.0] * days}
    columns |= {name: [row[name] for row in rows] for name in rows[0]}
    columns |= {f"wx.{name}": values[:days] for name, values in season["weather"].items()}
    first = np.datetime64(season["start"], "D")
    return {
        "columns": np.array(list(columns)),
        "day": first + np.arange(days),
        "data": np.array(list(columns.values())).T,
    }


def write(folder: Path, name: str, season: dict[str, Any], rows: list[dict[str, float]]) -> None:
    """Both files of a season, each under a temporary name first."""
    content = {"name": name, "variant": "unpatched", "pcse": peers.PCSE[1], "weather": "made up by formulas"}
    content |= {key: season[key] for key in ("crop", "soil", "site")}
    partial = folder / f"{name}.part"
    try:
        with partial.open("wb") as file:
            np.savez_compressed(file, **table(season, rows))
        partial.replace(folder / f"{name}.npz")
        partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        partial.replace(folder / f"{name}.json")
    finally:
        partial.unlink(missing_ok=True)


def main() -> int:
    """Parse the command line, run PCSE, write the files."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("folder", type=Path, help="where to write")
    peers.add_peer_argument(parser)
    arguments = parser.parse_args()
    seasons = scenarios()
    try:
        python = peers.ensure(*peers.PCSE, arguments.peer_python)
        result = peer.run(python, list(seasons.values()))
    except peers.PeerError as error:
        print(f"record_lintul3: {error}", file=sys.stderr)
        return 2
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for (name, season), rows in zip(seasons.items(), result["rows"], strict=True):
        write(arguments.folder, name, season, rows)
        last = rows[-1]
        print(f"wrote {name}: {len(rows)} days, grain {last['crop.st.WSO']:.0f} g m-2, DVS {last['pheno.DVS']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
