"""The metrics of a run for TensorBoard; needs the extra `tensorboard`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from phytotron.core.errors import PhytotronError
from phytotron.training.folder import Line


class TensorBoard:
    """A listener of training, to be used in a `with` statement: one folder per seed, the same names for all."""

    def __init__(self, folder: Path, seeds: Sequence[int]) -> None:
        try:
            from tensorboardX import SummaryWriter
        except ImportError:
            raise PhytotronError("--tensorboard needs tensorboardX: pip install 'phytotron[tensorboard]'") from None
        self.folder, self.seeds = folder, seeds
        self._kind: Any = SummaryWriter
        self._writers: dict[int, Any] = {}

    def __enter__(self) -> TensorBoard:
        return self

    def __exit__(self, *error: object) -> None:
        for writer in self._writers.values():
            writer.close()

    def __call__(self, line: Line) -> None:
        if line["kind"] == "end":
            return
        values: dict[str, Any] = {"return": line["return"], "length": line.get("length", [])}
        values |= line["measures"] | {f"losses/{name}": each for name, each in line.get("losses", {}).items()}
        for name, per_seed in values.items():
            for seed, value in zip(self.seeds, per_seed, strict=False):
                if value is not None:
                    self._writer(seed, line["step"]).add_scalar(f"{line['kind']}/{name}", value, line["step"])
        if line["kind"] == "training":
            first = self._writer(self.seeds[0], line["step"])
            first.add_scalar("training/steps_per_second", line["steps_per_second"], line["step"])

    def _writer(self, seed: int, step: int) -> Any:
        """That of a seed; after a resumption, what was written beyond its checkpoint is not drawn."""
        if seed not in self._writers:
            self._writers[seed] = self._kind(str(self.folder / f"seed_{seed}"), purge_step=step)
        return self._writers[seed]
