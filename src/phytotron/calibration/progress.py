"""The progress of a calibration on disk: written whole after every step, so that a stop loses one step at most."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.files import write_text
from phytotron.core.tensor_files import read_json

FILE_NAME = "progress.json"
REMEDY = "leave out --resume to begin anew"


class Progress:
    """The results of the searches of a calibration so far, with the settings that they belong to."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self.path, self.settings = folder / FILE_NAME, json.loads(json.dumps(settings))

    def keep(self, searches: list[dict[str, Any]]) -> None:
        """Write what searches have found."""
        write_text(self.path, json.dumps({"settings": self.settings, "searches": searches}) + "\n", durable=True)

    def kept(self) -> list[dict[str, Any]]:
        """Return the searches that an earlier process kept; an error names settings that have changed since."""
        if not self.path.is_file():
            raise PhytotronError(
                f"{self.path.parent} holds no calibration to go on with; leave out --resume to begin one"
            )
        raw = read_json(self.path, "calibration", REMEDY)
        try:
            searches, before = list(raw["searches"]), dict(raw["settings"])
            complete = all(map(_is_search, searches))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise self._damaged(str(error)) from None
        if not complete:
            raise self._damaged("a search in it is not complete")
        for name, value in self.settings.items():
            if before.get(name) != value:
                raise PhytotronError(
                    f"{self.path} was made with {name} {before.get(name)}, not {value}; give the same options as "
                    "before, or leave out --resume to begin anew"
                )
        return searches

    def end(self) -> None:
        """Remove the file: the calibration is finished."""
        self.path.unlink(missing_ok=True)

    def _damaged(self, what: str) -> DataFileError:
        return DataFileError(self.path, f"cannot be read ({what})", REMEDY)


def _is_search(kept: Any) -> bool:
    """Return whether an entry of a file has the form that `search.Found.as_json` gives."""
    coordinates, damping = np.asarray(kept["coordinates"], float), np.asarray(kept["damping"], float)
    numbers = coordinates.ndim == 1 and coordinates.size > 0 and bool(np.isfinite(coordinates).all())
    damped = damping.ndim == 0 and bool(np.isfinite(damping) and damping > 0.0)
    counted = isinstance(kept["steps"], int) and kept["steps"] >= 0
    return numbers and damped and counted and isinstance(kept["ended"], bool)
