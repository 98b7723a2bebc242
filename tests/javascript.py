"""Compiled functions in node, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phytotron.browser.compiler.module import Module, runtime

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed, so that no JavaScript can be run")

CALLS = """
import fs from "fs";
const given = JSON.parse(fs.readFileSync(process.argv[2]), (_, value) => (value in NAMED ? NAMED[value] : value));
const made = compiled(given.tables.map((each) => Float64Array.from(each)));
const results = given.calls.map(([name, input, size, arrays]) => {
  const output = new Float64Array(size);
  made[name](Float64Array.from(input), output, arrays.map((each) => Float64Array.from(each)));
  return Array.from(output, String);
});
console.log(JSON.stringify(results));
"""
EPISODE = """
import fs from "fs";
const given = JSON.parse(fs.readFileSync(process.argv[2]), (_, value) => (value in NAMED ? NAMED[value] : value));
const made = compiled(given.tables.map((each) => Float64Array.from(each)));
const arrays = given.given.map((each) => Float64Array.from(each));
let head = given.head, began = performance.now();
const results = given.actions.map((action) => {
  const output = new Float64Array(given.size);
  made.step(Float64Array.from([...head, ...action]), output, arrays);
  head = output.subarray(0, given.head.length);
  return Array.from(output);
});
console.log(JSON.stringify({ seconds: (performance.now() - began) / 1000, results }));
"""
NAMED = 'const NAMED = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };\n'


def in_node(folder: Path, module: Module, script: str, given: Mapping[str, Any]) -> Any:
    """What a script prints that is given the functions of a module, its tables and other data."""
    (folder / "module.mjs").write_text(runtime() + module.text() + NAMED + script, encoding="utf-8")
    said = {"tables": [plain(each) for each in module.tables], **given}
    (folder / "given.json").write_text(json.dumps(said, allow_nan=False), encoding="utf-8")
    command = [str(NODE), str(folder / "module.mjs"), str(folder / "given.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def call(folder: Path, module: Module, calls: Sequence[tuple[str, Any, Sequence[Any]]]) -> list[np.ndarray]:
    """The outputs of compiled functions: name, input numbers, and arrays that are given besides."""
    sizes = {name: sum(each.size for each in slots) for name, slots in module.outputs.items()}
    said = [[name, plain(values), sizes[name], [plain(each) for each in given]] for name, values, given in calls]
    return [np.array([float(each) for each in row]) for row in in_node(folder, module, CALLS, {"calls": said})]


def plain(values: Any) -> list[Any]:
    """Numbers as JSON has them, and names for those that it has not."""
    named = {np.inf: "Infinity", -np.inf: "-Infinity"}
    flat = np.ravel(np.asarray(values, np.float64)).tolist()
    return [each if np.isfinite(each) else named.get(each, "NaN") for each in flat]
