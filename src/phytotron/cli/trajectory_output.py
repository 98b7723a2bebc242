"""The options --csv and --parquet, which write everything that happens in episodes to files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.core.errors import PhytotronError

if TYPE_CHECKING:
    from phytotron.core.environment import Environment
    from phytotron.episodes.trajectories import Collector

Csv = Annotated[
    Path | None,
    typer.Option("--csv", help="CSV file to which all states, controls, weather and costs are written, step by step."),
]
Parquet = Annotated[Path | None, typer.Option("--parquet", help="Parquet file to which the same is written.")]


@dataclass(frozen=True)
class TrajectoryOutput:
    """The data files that are asked for; files that cannot be written are refused before anything is computed."""

    csv: Path | None
    parquet: Path | None

    def __post_init__(self) -> None:
        from phytotron.core.extras import imported
        from phytotron.core.files import check_writable

        _check_suffix("--csv", self.csv, "episode.csv", (".parquet", ".gz", ".zip"))
        _check_suffix("--parquet", self.parquet, "episode.parquet", (".csv", ".gz", ".zip"))
        if self.parquet is not None:
            imported("pyarrow.parquet", "data", "--parquet")
        for path in (self.csv, self.parquet):
            if path is not None:
                check_writable(path)

    def collector(self, env: Environment[Any, Any], labels: tuple[str, ...], **about: Any) -> Collector | None:
        """Return the collector for the data of a run; None where no file is asked for."""
        from phytotron.episodes.trajectories import Collector

        if self.csv is None and self.parquet is None:
            return None
        return Collector(env, labels, **about)

    def write(self, collector: Collector | None) -> dict[str, str]:
        """Write the files and return their paths by kind."""
        if collector is None:
            return {}
        found = collector.trajectories()
        written = {}
        if self.csv is not None:
            found.write_csv(self.csv)
            written["csv"] = str(self.csv.resolve())
        if self.parquet is not None:
            found.write_parquet(self.parquet)
            written["parquet"] = str(self.parquet.resolve())
        return written


def _check_suffix(option: str, path: Path | None, right: str, wrong: tuple[str, ...]) -> None:
    """Refuse a file whose name says that it is of another kind than the option writes."""
    if path is not None and path.suffix.lower() in wrong:
        raise PhytotronError(f"{option} does not write files of the kind {path.suffix}; name a file such as {right}")
