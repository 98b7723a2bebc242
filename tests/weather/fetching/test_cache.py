"""Raw replies on disk: whole, described, and checked before they are used."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import threading
import warnings
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from phytotron import __version__
from phytotron.core.errors import DataFileError
from phytotron.core.files import write_bytes
from phytotron.weather.fetching.cache import RawCache
from phytotron.weather.fetching.replies import Reply

NAME = "nasa_power_52.00N_5.50E_daily_1990.json"
ASKED = {"start": "19900101", "end": "19901231"}


def reply(body: bytes = b"{}", **headers: str) -> Reply:
    return Reply("http://127.0.0.1/power?start=19900101&end=19901231", 200, headers, body)


@pytest.fixture
def cache(tmp_path: Path) -> RawCache:
    return RawCache(tmp_path / "weather" / "raw")


def test_a_reply_is_described_beside_it(cache: RawCache) -> None:
    headers = {"x-app-version": "v2.9.2", "date": "Tue, 02 Jun 2026 04:07:44 GMT", "set-cookie": "secret"}
    path = cache.store(NAME, ASKED, "GET", reply(b"some data", **headers))
    assert path.read_bytes() == b"some data"
    described = json.loads(cache.sidecar(NAME).read_text())
    fetched = datetime.fromisoformat(described.pop("fetched"))
    assert timedelta(0) <= datetime.now(UTC) - fetched < timedelta(minutes=1)
    assert described == {
        "url": "http://127.0.0.1/power?start=19900101&end=19901231",
        "method": "GET",
        "parameters": ASKED,
        "sha256": hashlib.sha256(b"some data").hexdigest(),
        "bytes": 9,
        "headers": {"x-app-version": "v2.9.2", "date": "Tue, 02 Jun 2026 04:07:44 GMT"},
        "phytotron": __version__,
    }
    assert cache.sidecar(NAME).name == "nasa_power_52.00N_5.50E_daily_1990.request.json"


def test_a_reply_is_found_for_the_same_request_only(cache: RawCache) -> None:
    assert cache.find(NAME, ASKED) is None
    path = cache.store(NAME, ASKED, "GET", reply())
    assert cache.find(NAME, ASKED) == path
    assert cache.find(NAME, ASKED | {"end": "19900630"}) is None
    assert cache.find("other.json", ASKED) is None
    cache.remove(NAME)
    assert cache.find(NAME, ASKED) is None
    cache.remove(NAME)


@pytest.mark.parametrize("damage", ["cut", "changed", "description cut", "description odd"])
def test_a_damaged_reply_is_not_used(damage: str, cache: RawCache) -> None:
    path = cache.store(NAME, ASKED, "GET", reply(b"some data"))
    if damage == "cut":
        path.write_bytes(b"some")
    elif damage == "changed":
        path.write_bytes(b"same data")
    elif damage == "description cut":
        cache.sidecar(NAME).write_bytes(cache.sidecar(NAME).read_bytes()[:40])
    else:
        cache.sidecar(NAME).write_text("[]")
    with pytest.warns(UserWarning, match="damaged and is fetched anew"):
        assert cache.find(NAME, ASKED) is None


def test_a_reply_without_description_is_not_used(cache: RawCache) -> None:
    cache.store(NAME, ASKED, "GET", reply())
    cache.sidecar(NAME).unlink()
    assert cache.find(NAME, ASKED) is None


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data"
    write_bytes(path, b"old", durable=True)

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataFileError, match="No space left"):
        write_bytes(path, b"new", durable=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DataFileError, match=r"\(No space left on device\); free some space, or write elsewhere"):
        RawCache(tmp_path).store(NAME, ASKED, "GET", reply())


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "raw").write_text("not a folder")
    cache = RawCache(tmp_path / "raw")
    assert cache.find(NAME, ASKED) is None
    with pytest.raises(DataFileError, match=r"raw.*PHYTOTRON_WEATHER"):
        cache.store(NAME, ASKED, "GET", reply())


def store_often(folder: Path, seed: int) -> None:
    for number in range(20):
        RawCache(folder).store(NAME, ASKED, "GET", reply(f"{seed} {number} ".encode() * 5000))


def find_often(folder: Path) -> None:
    for _ in range(60):
        RawCache(folder).find(NAME, ASKED)


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_writers_and_readers_at_once_see_whole_replies(kind: str, cache: RawCache) -> None:
    cache.store(NAME, ASKED, "GET", reply())
    if kind == "threads":
        workers: list[threading.Thread | multiprocessing.process.BaseProcess] = [
            threading.Thread(target=store_often, args=(cache.folder, seed)) for seed in range(3)
        ]
    else:
        context = multiprocessing.get_context("spawn")
        workers = [context.Process(target=store_often, args=(cache.folder, seed)) for seed in range(2)]
    for worker in workers:
        worker.start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a damaged reply would warn
        find_often(cache.folder)
        for worker in workers:
            worker.join()
        path = cache.find(NAME, ASKED)
    assert path is not None and len(set(path.read_bytes().split(b" "))) <= 23
    assert sorted(each.name for each in cache.folder.iterdir()) == sorted([".lock", NAME, cache.sidecar(NAME).name])
