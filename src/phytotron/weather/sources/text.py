"""Files as text: plain or packed, with limits against files that unpack to more than a weather file can hold."""

import functools
import gzip
import io
import json
import os
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import DataFileError, PhytotronError
from phytotron.core.files import DAMAGED
from phytotron.weather.site import Site

LARGEST = 512 * 1024 * 1024  # bytes, unpacked: a century of five-minute values
MOST_DIGITS = 20  # of a whole number
GZIP, ZIP = b"\x1f\x8b", b"PK"
# Control characters that text may hold: tab, line ends, form feed, the end-of-file mark of old editors.
TEXT_CONTROLS = frozenset(b"\t\n\r\f\x1a")
BINARY = bytes(code for code in range(32) if code not in TEXT_CONTROLS)


@dataclass(frozen=True)
class Source:
    """A weather file: what errors call it, the name by which it is recognised, its unpacked content."""

    path: Path
    name: str
    content: bytes

    def error(self, problem: str, remedy: str) -> DataFileError:
        """Return an error that names the file, what is wrong with it and what to do."""
        return DataFileError(self.path, problem, remedy)

    def refuse(self, wrong: NDArray[np.bool_], problem: Callable[[int], str], remedy: str) -> None:
        """Refuse the file for the first row that is wrong, where there is one; `problem` names it by its index."""
        if wrong.any():
            raise self.error(problem(int(np.argmax(wrong))), remedy)

    @functools.cached_property
    def text(self) -> str:
        """The content as text: UTF-8, or Latin-1 where it is not; binary data and web pages are refused."""
        if not self.content.strip():
            raise self.error("the file is empty", "fetch it again")
        if self.content.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise self.error("the file is UTF-16 text", "save it as UTF-8")
        if len(self.content.translate(None, BINARY)) != len(self.content):
            raise self.error("the file holds binary data", "expected a text file of weather; fetch it again")
        try:
            text = self.content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = self.content.decode("latin-1")
        head = text[:2000].lstrip().lower()
        if head.startswith(("<!doctype", "<html", "<?xml", "<head", "<body")):
            raise self.error(
                "the file is a web page or XML, not weather data", "the download went wrong; fetch the data file itself"
            )
        return text

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of the text up to the last that is not blank; line n is `lines[n - 1]`."""
        return self.text.replace("\r\n", "\n").rstrip().split("\n")

    @property
    def ends_with_newline(self) -> bool:
        """Return whether the last line of the file is complete."""
        return self.text.rstrip(" \t\x1a").endswith("\n")

    @property
    def looks_like_json(self) -> bool:
        """Return whether the file begins as JSON does."""
        return self.text.lstrip()[:1] in ("{", "[")

    @functools.cached_property
    def json(self) -> Any:
        """The content as JSON, without NaN and without keys that occur twice in an object."""
        try:
            return json.loads(
                self.text, parse_int=_whole, parse_constant=self._refuse_constant, object_pairs_hook=self._object
            )
        except DataFileError:
            raise
        except RecursionError:
            raise self.error("the JSON is nested too deeply", "expected the reply of a weather service") from None
        except ValueError as reason:
            raise self.error(f"the JSON is broken or incomplete: {reason}", "fetch the file again") from None

    def _refuse_constant(self, constant: str) -> NoReturn:
        raise self.error(f"the JSON holds {constant}", "expected numbers, or null for missing values")

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(pairs)
        if len(held) != len(pairs):
            double = first_double(key for key, _ in pairs)
            raise self.error(f"the JSON has the key {double!r} twice in one object", "remove one of the two")
        return held


def _whole(digits: str) -> int | float:
    """A whole number of JSON; one that is too large for any quantity as a float, which may be infinite."""
    return int(digits) if len(digits) < MOST_DIGITS else float(digits)


def first_double(names: Iterable[str]) -> str | None:
    """Return the first name that occurs more than once."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def open_source(path: str | os.PathLike[str]) -> Source:
    """Return a file, unpacked where it is a .gz or a .zip with one file in it."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = _limited(file, stream)
    except OSError as reason:
        problem = reason.strerror or str(reason)
        raise DataFileError(file, f"the file cannot be opened: {problem}", "check the path") from None
    except ValueError as reason:  # a null character in the path
        raise DataFileError(repr(str(path)), f"the path cannot be used: {reason}", "check the path") from None
    name = file.name
    if content.startswith((GZIP, ZIP)):
        try:
            if content.startswith(GZIP):
                name = name.removesuffix(".gz")
                content = _limited(file, gzip.GzipFile(fileobj=io.BytesIO(content)))
            else:
                name, content = _member(file, content)
        except DataFileError:
            raise
        except DAMAGED as reason:
            raise DataFileError(file, f"the file cannot be unpacked: {reason}", "fetch it again") from None
    return Source(file, name, content)


def _limited(path: Path, stream: Any) -> bytes:
    content: bytes = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        size = f"{LARGEST // 1024**2} MB"
        raise DataFileError(path, f"the file holds more than {size}", "expected a weather file; split it by years")
    return content


def _member(path: Path, content: bytes) -> tuple[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [info for info in archive.infolist() if not info.is_dir()]
        if len(members) != 1:
            names = ", ".join(info.filename for info in members[:5]) or "none"
            raise DataFileError(path, f"the archive holds {len(members)} files ({names})", "unpack it and choose one")
        with archive.open(members[0]) as stream:
            return Path(members[0].filename).name, _limited(path, stream)


def named_place(
    source: Source,
    where: str,
    name: str,
    latitude: float,
    longitude: float,
    elevation: float,
    angstrom: tuple[float, float] | None = None,
) -> Site:
    """Return the site that a file names; `where` says in which part of it."""
    try:
        return Site(name, float(latitude), float(longitude), float(elevation), angstrom)
    except PhytotronError as reason:
        raise source.error(f"{where}: {reason}", "correct it, or name the place by --place (site=)") from None


def no_place(source: Source, problem: str = "the file does not say where it was measured") -> DataFileError:
    """Return an error for a file that does not say where its weather was measured."""
    remedy = "name the place: --place LATITUDE,LONGITUDE,ELEVATION, such as --place 52.32,4.79,-3 (site=Site(...))"
    return source.error(problem, remedy)
