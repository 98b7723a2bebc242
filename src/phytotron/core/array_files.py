"""Safe reading of .npz files that may be damaged or malicious: no pickles, and no more data than fits into memory."""

import io
import math
import tokenize
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 1024 * 1024 * 1024  # bytes, unpacked
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(data: bytes, largest: int = LARGEST) -> dict[str, NDArray[Any]]:
    """Return all arrays by name; anything wrong with the file raises one of `files.DAMAGED`.

    Memory is allocated only after it is certain that the file holds as many bytes.
    """
    found = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > largest:
            raise ValueError(f"it unpacks to more than {largest // 1024**2} MB")
        for member in members:
            with archive.open(member) as stream:
                content = stream.read(member.file_size)
            found[member.filename.removesuffix(".npy")] = _array(content)
    return found


def _array(content: bytes) -> NDArray[Any]:
    stream = io.BytesIO(content)
    try:
        shape, fortran, dtype = HEADERS[np.lib.format.read_magic(stream)](stream)
    except (KeyError, TypeError, SyntaxError, OverflowError, tokenize.TokenError) as error:
        raise ValueError(f"the header of an array cannot be read ({error})") from None
    if dtype.hasobject:
        raise ValueError("it holds objects, which would be a pickle")
    body = content[stream.tell() :]
    if any(length < 0 for length in shape) or math.prod(shape) * dtype.itemsize != len(body):
        raise ValueError(f"an array of shape {shape} and type {dtype} has {len(body)} bytes")
    if not body:
        return np.zeros(shape, dtype)
    return np.array(np.frombuffer(body, dtype).reshape(shape, order="F" if fortran else "C"))
