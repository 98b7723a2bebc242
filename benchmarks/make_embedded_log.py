"""Make the month of one compartment that the package embeds, from the logs of the Autonomous Greenhouse Challenge 2022.

Usage, from the repository root:

    python benchmarks/make_embedded_log.py ../shared/greenhouse_logs/agc2022

It keeps the columns that the reader knows, as they are, with the licence notice of the source beside them.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from pathlib import Path

NAME = "DigitalCucumbers"
OUT = Path(__file__).resolve().parents[1] / "src/phytotron/logs/data/agc2022"
CLIMATE = (
    "Date", "Tair", "Rhair", "CO2air", "VentLee", "VentWind", "EnScr", "BlckScr", "Tpipe", "CO2reg", "PARin",
    "Tair_sigrow",
)  # fmt: skip
WEATHER = ("Date", "Tout", "Rhout", "Iglob", "Windsp", "PARout", "Pyrgeo")
MOST = 300_000  # bytes


def main(folder: Path) -> None:
    """Write the files."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name, kept in ((f"{NAME}_climate.csv", CLIMATE), ("weather.csv", WEATHER)):
        rows = list(
            csv.DictReader(io.StringIO(gzip.decompress((folder / f"{name}.gz").read_bytes()).decode("utf-8-sig")))
        )
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(kept)
        writer.writerows([_shorter(row[heading]) for heading in kept] for row in rows)
        (OUT / f"{name}.gz").write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))
    for name in (f"{NAME}_density.csv", f"{NAME}_weight.csv", "LICENSE"):
        (OUT / name).write_bytes((folder / name).read_bytes())
    size = sum(path.stat().st_size for path in OUT.iterdir())
    print(f"{size} bytes in {OUT}")
    if size > MOST:
        sys.exit(f"more than {MOST} bytes")


def _shorter(cell: str) -> str:
    """A number without zeros at its end, and to a tenth of a thousandth; all else as it is."""
    try:
        return f"{round(float(cell), 4):g}"
    except ValueError:
        return cell


if __name__ == "__main__":
    main(Path(sys.argv[1]))
