"""Files that are written whole or not at all."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def write_bytes(path: Path, data: bytes, durable: bool = False) -> None:
    """Write under a temporary name, then rename. `durable`: be sure that it is on disk before going on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    partial.replace(path)
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
    return hashlib.sha256(data).hexdigest()
