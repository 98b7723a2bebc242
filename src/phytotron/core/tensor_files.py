"""Named arrays in safetensors files, which can hold nothing but numbers. Other formats are refused unopened.

Beside every NAME.safetensors stands a NAME.json that says what it is and carries its SHA-256.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.errors import DataFileError
from phytotron.core.files import sha256, write_bytes, write_text

Tensors = dict[str, NDArray[Any]]

TENSORS, ABOUT = ".safetensors", ".json"
REFUSED = (".bin", ".ckpt", ".dill", ".joblib", ".npy", ".npz", ".p", ".pickle", ".pkl", ".pt", ".pth", ".zip")
PICKLES = (b"\x02", b"\x03", b"\x04", b"\x05")  # their protocols, after a byte that names a pickle
HEADER_BYTES = 8  # at the start of a safetensors file, the length of the JSON object that follows


def pair(path: Path | str) -> tuple[Path, Path]:
    """Return the paths of the two files of a name, which may be given with either suffix.

    Other suffixes are refused.
    """
    path = Path(path)
    if path.suffix.lower() in REFUSED:
        raise DataFileError(path, f"files of the kind {path.suffix} can run code when opened", _convert(path))
    name = path.name.removesuffix(TENSORS).removesuffix(ABOUT)
    return path.with_name(name + TENSORS), path.with_name(name + ABOUT)


def write_pair(path: Path | str, tensors: Tensors, about: dict[str, Any], durable: bool = False) -> None:
    """Write both files, the one with the checksum last."""
    from safetensors.numpy import save

    data_path, about_path = pair(path)
    data = save({name: np.asarray(each, order="C") for name, each in tensors.items()})
    text = json.dumps(about | {"sha256": sha256(data)}, indent=1, allow_nan=False)
    write_bytes(data_path, data, durable)
    write_text(about_path, text + "\n", durable)


def read_about(path: Path | str, format: str, kind: str, remedy: str) -> dict[str, Any]:
    """Return the content of the JSON file; `kind` names it in errors."""
    about_path = pair(path)[1]
    about = read_json(about_path, kind, remedy)
    if not isinstance(about, dict) or about.get("format") != format:
        found = about.get("format") if isinstance(about, dict) else None
        raise DataFileError(about_path, f"its format is {found!r} instead of {format!r}, so it is no {kind}", remedy)
    return about


def read_pair(path: Path | str, format: str, kind: str, remedy: str) -> tuple[Tensors, dict[str, Any]]:
    """Read both files of a name; an incomplete or altered one is refused."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    data_path, _ = pair(path)
    data = _read_bytes(data_path, kind, remedy)
    _check_kind(data_path, data)
    about = read_about(path, format, kind, remedy)
    if sha256(data) != about.get("sha256"):
        problem = f"its SHA-256 is not the one in {pair(path)[1].name}: it was altered, or not wholly written"
        raise DataFileError(data_path, problem, remedy)
    try:
        return load(data), about
    except (SafetensorError, KeyError, ValueError) as error:
        raise DataFileError(data_path, f"it cannot be read as safetensors ({error})", remedy) from None


def read_json(path: Path, kind: str, remedy: str) -> Any:
    """Return the content of a JSON file; an error names the file."""
    data = _read_bytes(path, kind, remedy)
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise DataFileError(path, f"it is no JSON, which the {kind} needs", remedy) from None


def _read_bytes(path: Path, kind: str, remedy: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = "there is no such file" if isinstance(error, FileNotFoundError) else f"{error.strerror}"
        raise DataFileError(path, f"{problem}, which the {kind} needs", remedy) from None


def _check_kind(path: Path, data: bytes) -> None:
    """Refuse a file that is no safetensors file by its first bytes, whatever its name says."""
    length = int.from_bytes(data[:HEADER_BYTES], "little")
    if data[HEADER_BYTES : HEADER_BYTES + 1] == b"{" and length <= len(data) - HEADER_BYTES:
        return
    if data[:2] == b"PK" or (data[:1] == b"\x80" and data[1:2] in PICKLES):
        raise DataFileError(path, "it is a pickle or an archive by its first bytes, and was not opened", _convert(path))
    raise DataFileError(path, "it is no safetensors file, or a part of one", "write or copy it again")


def _convert(path: Path) -> str:
    return f"convert it with the program that wrote it to {path.with_suffix(TENSORS).name} and {path.stem}{ABOUT}"
