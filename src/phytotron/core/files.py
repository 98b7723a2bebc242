"""Files that are written whole or not at all."""

import hashlib
import os
import uuid
from pathlib import Path


def write_bytes(path: Path, data: bytes, durable: bool = False) -> None:
    """Write under a temporary name of its own, then rename. `durable`: be sure that it is on disk before going on.

    Others see all of it or what was there before, also where several processes write the same file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        with partial.open("xb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    if durable:
        sync_folder(path.parent)


def write_text(path: Path, text: str, durable: bool = False) -> None:
    """As `write_bytes`, in UTF-8."""
    write_bytes(path, text.encode(), durable)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk, where the system lets one."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # folders cannot be opened on Windows
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
