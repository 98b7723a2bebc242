"""The configuration of a training run, a record that is written to its folder before the first step."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import Any

from phytotron.core.errors import PhytotronError, UnknownNameError, ValueRangeError
from phytotron.core.seeds import LARGEST_SEED, is_seed

FORMAT = "phytotron-run-1"
BACKENDS = ("jax", "sb3", "rllib")
CHUNKS = 400  # about as many lines of metrics as a run has
EVALUATIONS = 20
PACKAGES = ("phytotron", "jax", "jaxlib", "numpy", "equinox", "optax")
PACKAGES_OF: Mapping[str, tuple[str, ...]] = {"sb3": ("stable-baselines3", "torch"), "rllib": ("ray", "torch")}


@dataclass(frozen=True)
class EvaluationPlan:
    """The evaluations during training: on which weather, how often, and when they end training early."""

    weather: str | None = None
    every: int = 0  # steps of a seed; 0: never
    episodes: int | None = None  # None: all windows
    patience: int | None = None  # evaluations without improvement after which training ends; None: it goes on
    improvement: float = 0.0  # of the mean return over seeds, to count as one

    def __post_init__(self) -> None:
        if self.every < 0 or (self.weather is not None and self.every < 1):
            raise ValueRangeError("the steps between evaluations", self.every, "a whole number, at least 1")
        if self.patience is not None and self.patience < 1:
            raise ValueRangeError("the patience", self.patience, "at least 1 evaluation")
        if self.patience is not None and not self.every:
            raise PhytotronError("training can only stop early if policies are evaluated; say how often")


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """The configuration of a run: one agent, one environment, several seeds."""

    environment: str
    options: Mapping[str, Any] = field(default_factory=dict)
    agent: str
    settings: Mapping[str, Any]
    preset: str | None = None
    seeds: tuple[int, ...]
    steps: int  # of each seed
    backend: str = "jax"
    evaluation: EvaluationPlan = field(default_factory=EvaluationPlan)
    updates_per_chunk: int = 1  # between lines of metrics, and looks at Ctrl-C

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise UnknownNameError("backend", self.backend, BACKENDS)
        if not self.seeds or len(set(self.seeds)) != len(self.seeds) or not all(map(is_seed, self.seeds)):
            raise ValueRangeError("the seeds", self.seeds, f"whole numbers from 0 to {LARGEST_SEED}, each once")
        for name in ("steps", "updates_per_chunk"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 1):
                raise ValueRangeError(name, getattr(self, name), "a whole number, at least 1")

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as it stands in config.json."""
        return {
            "format": FORMAT,
            "environment": {"id": self.environment, "options": dict(self.options)},
            "agent": self.agent,
            "preset": self.preset,
            "settings": dict(self.settings),
            "seeds": list(self.seeds),
            "backend": self.backend,
            "steps": self.steps,
            "evaluation": asdict(self.evaluation),
            "updates_per_chunk": self.updates_per_chunk,
            "versions": versions((*PACKAGES, *PACKAGES_OF.get(self.backend, ()))),
            "device": device(),
        }


def default_chunk(steps: int, steps_per_update: int, every: int = 0) -> int:
    """Return the updates between lines of metrics: a few hundred lines in all, and at least one per evaluation."""
    updates = max(1, -(-steps // steps_per_update))
    longest = max(1, every // steps_per_update) if every else updates
    return min(longest, max(1, updates // CHUNKS))


def default_every(steps: int) -> int:
    """Return the number of steps between evaluations."""
    return max(1, steps // EVALUATIONS)


def versions(packages: Sequence[str] = PACKAGES) -> dict[str, str]:
    """Return the versions of Python and of those packages that are installed."""
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def device() -> str:
    """Return the device that JAX works on, in words."""
    import jax

    first = jax.devices()[0]
    return f"{first.platform} {first.device_kind}".strip()
