"""Damaged files are read, or refused by an error that a user can read; nothing else ever comes of them."""

from __future__ import annotations

import gzip
import io
import warnings
from pathlib import Path

import fuzz_mutations
import fuzz_weather
import numpy as np
import pytest
from fuzz_readers import READERS, Reader
from robustness_records import record

from phytotron.core.array_files import read_arrays
from phytotron.core.errors import PhytotronError
from phytotron.logs import csv_columns
from phytotron.weather.sources import epw
from phytotron.weather.sources import text as weather_text

QUICK, THOROUGH = 300, 10_000  # damaged files per reader
KEPT = Path(__file__).parent / "found"  # files that were once neither read nor refused: READER/NAME


@pytest.fixture(autouse=True)
def short_years(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epw, "ROWS", (fuzz_weather.EPW_ROWS,))


def check(reader: Reader, path: Path, content: bytes) -> str:
    """What is wrong with how a damaged file is read; empty where nothing is."""
    path.write_bytes(content)
    reader.sealed(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader.read(path)
    except PhytotronError as error:
        if reader.names_file and str(path.parent) not in str(error):
            return f"the error does not name the file: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def fuzz(name: str, folder: Path, cases: int) -> None:
    reader = READERS[name]
    reader.make(folder)
    path = folder / reader.name
    whole = path.read_bytes()
    reader.read(path)
    found = {}
    for number in range(cases):
        content = fuzz_mutations.damaged(whole, reader.mutation, f"{name} {number}")
        if problem := check(reader, path, content):
            found.setdefault(problem.partition(":")[0], (number, problem[:300]))
    assert not found, found
    record("fuzzing", name, cases, 0)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused(name: str, tmp_path: Path) -> None:
    fuzz(name, tmp_path, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_ten_thousand_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    fuzz(name, tmp_path, THOROUGH)


@pytest.mark.parametrize("kept", sorted(KEPT.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_not_found_again(kept: Path, tmp_path: Path) -> None:
    reader = READERS[kept.parent.name]
    reader.make(tmp_path)
    assert check(reader, tmp_path / reader.name, kept.read_bytes()) == ""


DEEP = {
    "json list": b"[" * 100_000,
    "json object": b'{"a":' * 100_000,
    "toml list": b"name = " + b"[" * 100_000,
    "toml table": b"name" + b".a" * 2_000 + b" = 1\n",
    "yaml": b"CropParameters:\n  Varieties: " + b"[" * 100_000,
    "yaml lines": b"CropParameters: " + b"- " * 20_000,
    "python": b"X = " + b"(" * 100_000 + b"1\nTSUM1 = " + b"-" * 100_000 + b"1\n",
    "digits": b"1" * 1_000_000,
    "one line": b"a," * 500_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in READERS if not name.startswith("weather_") or "json" in name])
def test_a_file_that_is_nested_without_end_is_refused(name: str, tmp_path: Path) -> None:
    reader = READERS[name]
    reader.make(tmp_path)
    found = {kind: check(reader, tmp_path / reader.name, content) for kind, content in DEEP.items()}
    assert not any(found.values()), {kind: problem[:300] for kind, problem in found.items() if problem}
    record("fuzzing", f"{name}, nested without end", len(DEEP), 0)


def packed_zeros(megabytes: int) -> bytes:
    """A .gz file of zeros, a thousandth of what it unpacks to."""
    return gzip.compress(bytes(megabytes * 1024**2), mtime=0)


def test_what_unpacks_to_more_than_can_be_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_columns, "LARGEST", 1024**2)
    monkeypatch.setattr(weather_text, "LARGEST", 1024**2)
    for name in ("log_gz", "weather_csv_gz"):
        (tmp_path / name).mkdir()
        READERS[name].make(tmp_path / name)
        path = tmp_path / name / READERS[name].name
        path.write_bytes(packed_zeros(3))
        with pytest.raises(PhytotronError, match="more than 1 MB"):
            READERS[name].read(path)
    with pytest.raises(ValueError, match="unpacks to more than 1 MB"):
        read_arrays(fuzz_mutations.zipped({"a.npy": bytes(3 * 1024**2)}), largest=1024**2)


def test_an_array_that_claims_to_be_larger_than_its_file_gets_no_room() -> None:
    made = io.BytesIO()
    np.savez(made, a=np.zeros(4), b=np.array("text"), c=np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    held = read_arrays(made.getvalue())
    assert held["c"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and str(held["b"]) == "text"
    one = io.BytesIO()
    np.lib.format.write_array(one, np.zeros(4))
    with pytest.raises(ValueError, match=r"shape \(9999999999999,\) and type float64 has"):
        read_arrays(
            fuzz_mutations.zipped({"a.npy": one.getvalue().replace(b"(4,), }         ", b"(9999999999999,),}")})
        )
