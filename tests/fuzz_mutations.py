"""Damages of files: of their bytes and lines, and of their structure - JSON, TOML, archives, arrays, tensors.

A case is a seed: the same seed damages the same file in the same way, whatever the machine.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

HOSTILE = (
    b"1e999", b"-1e999", b"nan", b"NaN", b"inf", b"-Infinity", b"-", b"+", b".", b"", b" ", b"null", b"true", b"None",
    b"-999", b"-99", b"-1", b"9999", b"99999999999999999999", b"1e308", b"-0.0", b"1_000", b"0x10", b"1,5", b"''",
    b"20110229", b"2011-02-29", b"2011-02-29T00:00:00Z", b"20119999", b"0000-00-00", b"9999-12-31", b"366", b"25", b"0",
    "١٢".encode(), "１".encode(), "−5".encode(), b"\xff\xfe", b"\x00", b"\xc3\x28", b"\xef\xbb\xbf", b'"', b"[", b"{}",
    b"1" * 400, b"#", b"*", b"%s", b"2012-02-29T24:00:00Z", b"1969-12-31T23:59:60Z", b"-9223372036854775808",
    b"1" * 5000, b"0001-01-01", b"24:00", b"02-29", b"13-01", b"1e-320", b"\r", b"\n\n", b";", b",,,", b"\t",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**63, 10**400, -0.0, 1e308, 1e-320, float("nan"), float("inf"), "", "x", "nan",
    "\x00", "\ud800", "../../etc/passwd", "__import__('os')", [], {}, [[]], [1], ["x"], {"x": 1}, [None], {"": {}},
    [[1, 2], [3]], "é" * 300, list(range(50)),
)  # fmt: skip
TOML_VALUES = (
    "true", "false", "0", "-1", "9223372036854775808", "1e308", "-1e308", "nan", "inf", "-inf", "''", "'x'", "[]", "{}",
    "[[1, 2], [3]]", "[1, 'x']", "{ value = 1 }", "{ value = 'x', unit = 1, source = [] }", "1979-05-27", "07:32:00",
    "1979-05-27T07:32:00Z", "'''\n'''", "0x10", "1e-320", "[[]]", "[nan]", "'nan'", "99999999999", "[" * 3000,
)  # fmt: skip
DEEP = 100_000  # levels, of which no parser that calls itself can read as many


def of_bytes(content: bytes, random: Random) -> bytes:
    """One change of bytes, words or lines."""
    if not content:
        return random.choice(HOSTILE)
    at, length = random.randrange(len(content)), random.randint(1, 20)
    kind = random.choice(("flip", "delete", "cut", "insert", "field", "field", "repeat", "swap", "drop"))
    if kind == "flip":
        return content[:at] + bytes([content[at] ^ (1 << random.randrange(8))]) + content[at + 1 :]
    if kind == "delete":
        return content[:at] + content[at + length :]
    if kind == "cut":
        return content[:at]
    if kind == "insert":
        return content[:at] + random.choice(HOSTILE) + content[at:]
    if kind == "field":  # the number, word or date around a place
        begin = end = at
        inner = b"0123456789.-+:eE_abcdfghijklmnopqrstuvwxyzTZ"
        while begin > 0 and content[begin - 1] in inner:
            begin -= 1
        while end < len(content) and content[end] in inner:
            end += 1
        return content[:begin] + random.choice(HOSTILE) + content[end:]
    lines = content.splitlines(keepends=True)
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    if kind == "repeat":
        lines.insert(one, lines[one])
    elif kind == "swap":
        lines[one], lines[two] = lines[two], lines[one]
    else:
        del lines[one]
    return b"".join(lines)


def of_json(content: bytes, random: Random) -> bytes:
    """One value of a JSON document changed, left out, added or nested; or its bytes."""
    try:
        return json.dumps(_changed(json.loads(content), random)).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        return of_bytes(content, random)


def _changed(value: Any, random: Random) -> Any:
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not keys or random.random() < 0.1:
        return random.choice(VALUES)
    key, choice = random.choice(keys), random.random()
    made = dict(value) if isinstance(value, dict) else list(value)
    if choice < 0.1:
        del made[key]
    elif choice < 0.15 and isinstance(made, dict):
        made["unknown"] = made.pop(key)
    elif choice < 0.2 and isinstance(made, list):
        made += made[: random.randint(1, 5)]
    else:
        made[key] = _changed(made[key], random)
    return made


def of_json_lines(content: bytes, random: Random) -> bytes:
    """One line of several JSON documents changed, or the order of lines."""
    lines = content.splitlines(keepends=True)
    if random.random() < 0.3 or not lines:
        return of_bytes(content, random)
    at = random.randrange(len(lines))
    lines[at] = of_json(lines[at], random).rstrip(b"\n") + b"\n"
    return b"".join(lines)


def of_toml(content: bytes, random: Random) -> bytes:
    """One value of a TOML document changed; or its lines and bytes."""
    places = list(re.finditer(rb"=[ \t]*([^\n=,}#]+)", content))
    if not places or random.random() < 0.4:
        return of_bytes(content, random)
    begin, end = random.choice(places).span(1)
    return content[:begin] + random.choice(TOML_VALUES).encode() + content[end:]


def of_gzip(content: bytes, random: Random) -> bytes:
    """A change of what is packed, or of the packing."""
    try:
        return gzip.compress(of_bytes(gzip.decompress(content), random), mtime=0)
    except (OSError, EOFError, ValueError):
        return of_bytes(content, random)


def of_zip(content: bytes, random: Random) -> bytes:
    """A change of what is packed, of the names in the archive, or of the packing."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
            packing = archive.infolist()[0].compress_type
    except Exception:  # whatever a damaged archive raises here: its bytes are changed instead
        return of_bytes(content, random)
    name, choice = random.choice(list(members)), random.random()
    if choice < 0.15:
        members["second.txt"] = members[name]
    elif choice < 0.25:
        members[f"../../{name}"] = members.pop(name)
    elif choice < 0.35:
        del members[name]
    else:
        members[name] = of_bytes(members[name], random)
    return zipped(members, packing)


def zipped(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packing) as archive:
        for name, each in members.items():
            archive.writestr(name, each)
    return made.getvalue()


def of_npz(content: bytes, random: Random) -> bytes:
    """An array of another kind, shape or name, one that needs a pickle, or one that claims to be larger than it is."""
    if random.random() < 0.3:
        return of_bytes(content, random)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
        name = random.choice(list(members))
        held = np.load(io.BytesIO(members[name]), allow_pickle=False)
    except Exception:  # as above
        return of_bytes(content, random)
    kind = random.randrange(8)
    if kind == 0:
        del members[name]
    elif kind == 1:
        members[name] = of_bytes(members[name], random)
    elif kind == 2 and held.dtype.kind == "U":
        members[name] = _array(np.array(of_json(str(held).encode(), random).decode("utf-8", "replace")))
    elif kind == 3:
        members[name] = re.sub(rb"\(([\d, ]*)\)", rb"(99999999999,)", members[name], count=1)
    elif kind == 4:
        members[name] = _array(np.array([{"a": 1}], object))
    elif kind == 5:
        members[name] = _array(np.asarray(random.choice((np.nan, "x", True, 1j, [[1.0]], np.datetime64("NaT", "s")))))
    elif kind == 6:
        members[name] = _array(held.ravel()[: held.size // 2])
    else:
        changed = held.astype(np.float64) * np.nan if held.dtype.kind in "fiu" else held[..., None]
        members[name] = _array(changed)
    return zipped(members)


def _array(array: Any) -> bytes:
    made = io.BytesIO()
    np.lib.format.write_array(made, np.asarray(array), allow_pickle=True)
    return made.getvalue()


def of_tensors(content: bytes, random: Random) -> bytes:
    """A change of the header of a safetensors file, of its numbers, or of its bytes."""
    try:
        (length,) = struct.unpack("<Q", content[:8])
        header = of_json(content[8 : 8 + length], random)
    except struct.error:
        return of_bytes(content, random)
    choice = random.random()
    if choice < 0.3:
        return of_bytes(content, random)
    if choice < 0.5:
        at = 8 + length + 4 * random.randrange(max(1, (len(content) - 8 - length) // 4))
        return (
            content[:at]
            + random.choice((b"\x00\x00\xc0\x7f", b"\x00\x00\x80\xff", b"\xff\xff\x7f\x7f"))
            + content[at + 4 :]
        )
    return struct.pack("<Q", len(header)) + header + content[8 + length :]


Mutation = Callable[[bytes, Random], bytes]


def damaged(content: bytes, mutation: Mutation, seed: str) -> bytes:
    """One to four damages of a file."""
    random = Random(seed)
    for _ in range(random.randint(1, 4)):
        content = mutation(content, random)
    return content
