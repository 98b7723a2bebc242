"""Files that are written whole or not at all."""

import contextlib
import errno
import hashlib
import lzma
import os
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from phytotron.core.errors import DataFileError, PhytotronError

REMEDIES = {
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EDQUOT: "free some space, or write elsewhere",
    errno.EMFILE: "close some files, or allow more by `ulimit -n`",
    errno.ENOENT: "its folder has disappeared; make it again, or write elsewhere",
}


# What reading a damaged archive raises; LZMA is a packing that a zip may have.
DAMAGED = (
    OSError, EOFError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
PART = ".part"  # ends the names of files that are being written


class UnwritableError(DataFileError):
    """A file that the operating system does not allow to be written."""


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of the operating system within the context into one that names the file and the remedy."""
    try:
        yield
    except OSError as error:
        remedy = REMEDIES.get(error.errno or 0, "choose another place, where you may write")
        raise UnwritableError(path, f"cannot be written ({error.strerror or error})", remedy) from error


@contextlib.contextmanager
def whole_file(path: Path, durable: bool = False) -> Iterator[BinaryIO]:
    """Open a file under a temporary name, and give it its own name when all of it is written.

    Other processes see either all of it or what was there before, even where several of them write the same file.
    `durable`: wait until it is on disk.
    """
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}{PART}")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("xb") as file:
                yield file
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            partial.replace(path)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
        if durable:
            sync_folder(path.parent)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file within the context, after waiting for other processes and threads that hold it.

    The system releases it when the process ends. Where files cannot be locked, nothing is held.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl  # not on Windows

            path.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(path.open("wb"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_bytes(path: Path, data: bytes, durable: bool = False) -> None:
    """Write a file whole or not at all; see `whole_file`."""
    with whole_file(path, durable) as file:
        file.write(data)


def check_writable(path: Path) -> None:
    """Refuse, before anything is computed, a file that could not be written where it should be."""
    if path.is_dir():
        raise PhytotronError(f"{path} is a folder; name a file in it")
    parent = next(each for each in path.resolve().parents if each.exists())
    if not parent.is_dir():
        raise PhytotronError(f"{path} cannot be written: {parent} is a file; name another folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise PhytotronError(f"{path} cannot be written: you may not write in {parent}; name another folder")


def remove_leftovers(folder: Path) -> None:
    """Remove what `write_bytes` left half-written in a folder when its process was killed."""
    for left in folder.glob(f".*{PART}"):
        left.unlink(missing_ok=True)


def write_text(path: Path, text: str, durable: bool = False) -> None:
    """Write a text in UTF-8, otherwise as `write_bytes`."""
    write_bytes(path, text.encode(), durable)


def in_file_name(text: str) -> str:
    """Return an id, or the name of weather, as a part of a file name: "_" replaces "/" and ":"."""
    return text.replace("/", "_").replace(":", "_")


def sync_folder(folder: Path) -> None:
    """Write the entries of a folder to disk, where the operating system allows it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # folders cannot be opened on Windows
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
