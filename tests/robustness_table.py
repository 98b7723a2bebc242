"""The table of docs/robustness.md, from what the tests of robustness noted; run by `make test-all` at its end.

python tests/robustness_table.py FOLDER
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE, DATA = ROOT / "docs" / "robustness.md", ROOT / "docs" / "robustness.json"
FOUND = ROOT / "tests" / "robustness" / "found"
BEGIN, END = "<!-- made by make test-all: begin -->", "<!-- made by make test-all: end -->"
WORDS = {
    "faults": "killed, cut short or refused at an operation on files",
    "fuzzing": "damaged files",
    "options": "wrong values",
    "stress": "random steps",
    "rollouts": "numbers of a fixed episode",
}


def gathered(folder: Path) -> list[dict[str, Any]]:
    """What was noted, by kind and name; a name that ends in the name of a format counts with its like."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")):
        noted = json.loads(path.read_text(encoding="utf-8"))
        group, kept = noted["what"], 0
        if noted["kind"] == "fuzzing":
            group = re.sub(r"^(weather(?!_mapping)|crop_import|log_of_compartment)_\w+", r"\1", noted["what"])
            kept = len(list((FOUND / noted["what"]).glob("*")))
        row = found.setdefault(
            (noted["kind"], group), {"kind": noted["kind"], "what": group, "tried": 0, "failed": 0, "found": 0}
        )
        row["tried"] += noted["tried"]
        row["failed"] += noted["failed"]
        row["found"] += kept
    return list(found.values())


def table(rows: Iterable[dict[str, Any]]) -> str:
    """Markdown."""
    lines = ["| what | how | tried | kinds of failure found and mended | fail now |", "|---|---|---:|---:|---:|"]
    for row in rows:
        mended = str(row["found"]) if row["kind"] == "fuzzing" else ""
        shown = row["what"].replace("_", " ") if row["kind"] == "fuzzing" else row["what"]
        lines.append(f"| {shown} | {WORDS[row['kind']]} | {row['tried']:,} | {mended} | {row['failed']} |")
    return "\n".join(lines)


def with_table(page: str, rows: Iterable[dict[str, Any]]) -> str:
    """The page with its table made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{after}"


if __name__ == "__main__":
    rows = gathered(Path(sys.argv[1]))
    DATA.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    print(f"{sum(row['tried'] for row in rows):,} cases of {len(rows)} kinds: {PAGE}")
