"""The data folder, and raw replies on disk: written whole or not at all, checked by their sum before reuse."""

import json
import os
import warnings
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from phytotron.core.compilation import cache_folder
from phytotron.core.errors import DataFileError
from phytotron.core.files import locked, sha256, write_bytes, write_text
from phytotron.core.version import __version__
from phytotron.weather.fetching.replies import Reply

# Headers worth keeping: which version of which service answered, and when.
KEPT_HEADERS = (
    "content-type", "date", "etag", "last-modified", "server", "x-app-name", "x-app-version", "x-data-sources",
)  # fmt: skip
FOLDER_VARIABLE = "PHYTOTRON_WEATHER"
RAW = "raw"  # folder within it for replies as they came


@dataclass(frozen=True)
class RawCache:
    """A folder of replies, each with a `.request.json` beside it that says where it came from."""

    folder: Path

    def find(self, name: str, parameters: Mapping[str, str]) -> Path | None:
        """Return the reply of that name to that very request, or None where it has to be fetched."""
        path, sidecar = self.folder / name, self.sidecar(name)
        try:
            with self._locked():
                if not (path.exists() and sidecar.exists()):
                    return None
                content, described = path.read_bytes(), sidecar.read_bytes()
        except OSError as error:
            raise unusable(path, error) from error
        request = _description(described)
        if request is not None and request.get("parameters") != dict(parameters):
            return None  # an earlier year-to-date, or other variables: to be replaced
        if request is None or request.get("sha256") != sha256(content):
            warnings.warn(f"{path}: the cached reply is damaged and is fetched anew", stacklevel=2)
            return None
        return path

    def store(self, name: str, parameters: Mapping[str, str], method: str, reply: Reply) -> Path:
        """Keep a reply; returns its path."""
        request = {
            "url": reply.asked,
            "method": method,
            "parameters": dict(parameters),
            "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
            "sha256": sha256(reply.body),
            "bytes": len(reply.body),
            "headers": {name: reply.headers[name] for name in KEPT_HEADERS if name in reply.headers},
            "phytotron": __version__,
        }
        path = self.folder / name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._locked():
                write_bytes(path, reply.body, durable=True)
                write_text(self.sidecar(name), json.dumps(request, indent=1), durable=True)
        except OSError as error:
            raise unusable(path, error) from error
        return path

    def remove(self, name: str) -> None:
        """Forget a reply that proved useless."""
        with self._locked():
            self.sidecar(name).unlink(missing_ok=True)
            (self.folder / name).unlink(missing_ok=True)

    def sidecar(self, name: str) -> Path:
        """Return the file that says where a reply came from."""
        return (self.folder / name).with_suffix(".request.json")

    def _locked(self) -> AbstractContextManager[None]:
        """Keep a reply and its description together while other processes write theirs.

        Where files cannot be locked the worst that can happen is that a reply does not fit its description and is
        fetched once more.
        """
        return locked(self.folder / ".lock")


def unusable(path: Path, error: OSError) -> DataFileError:
    """Return a folder that cannot be used, and what would be right."""
    problem = (error.strerror or str(error)).lower()
    remedy = "name a folder that can be written to: $PHYTOTRON_WEATHER, or an output folder"
    return DataFileError(path, problem, remedy)


def _description(content: bytes) -> dict[str, Any] | None:
    try:
        request = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return request if isinstance(request, dict) else None


def weather_folder() -> Path:
    """Return $PHYTOTRON_WEATHER, or `weather` in the cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else cache_folder() / "weather"
