"""Rules of a task whose settings can be tuned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jax import Array

from phytotron.core.controller import Controller
from phytotron.core.fields import Quantity


@dataclass(frozen=True)
class TunableRules:
    """A rule-based controller, and those of its settings that `phytotron tune` searches for.

    Every setting has the bounds of the search and, as its default, its untuned value. `make` returns the controller for
    values by name. The values are scalar arrays and become leaves of the controller, a pytree of arrays only, so that
    many candidates can be stacked and run as one batch. Tuned settings are files of `phytotron tune --output`.
    """

    settings: tuple[Quantity, ...]
    make: Callable[[Mapping[str, Array]], Controller]
    indifferent: tuple[str, ...] = ()  # options for which settings need not be tuned anew, besides `plans_ignore`
    folder: Path | None = None  # of tuned settings that come with the task; None: `tuned_rules` beside its module

    @property
    def untuned(self) -> dict[str, float]:
        """The values of the settings before they are tuned."""
        return {each.name: float(each.default or 0.0) for each in self.settings}
