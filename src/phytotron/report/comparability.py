"""Refusals of competitors and scores that a report could not set side by side."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.presentation import Competitor, Timeline
from phytotron.episodes.engine import windows
from phytotron.evaluation.scores import Scores

_COMPARED: dict[str, Callable[[Environment[Any, Any]], Any]] = {
    "windows": lambda env: windows(env).labels,
    "weather": lambda env: () if env.weather_name is None else (env.weather_name,),
    "measures": lambda env: tuple(each.quantity.name for each in env.measures),
    "times of the steps": lambda env: env.presentation.timeline,
}


def check_comparable(competitors: Sequence[Competitor]) -> None:
    """Refuse competitors whose episodes cannot be set beside those of the first, before any of them is examined.

    They need the same windows, as comparisons are window by window. Agents also need the same weather, measures and
    steps of time, and may differ in the length of their episodes, in their actions and in what is recorded.
    """
    first = competitors[0]
    for each in competitors[1:]:
        remedy = f"make a report without {each.label}" + (", or one of its own for it" if each.trained else "")
        for what, of in _COMPARED.items():
            mine, other = of(first.environment), of(each.environment)
            if mine != other and (each.trained or what == "windows"):
                raise PhytotronError(
                    f"{first.label} and {each.label} cannot be compared in one report, as they differ in their {what}: "
                    f"{_difference(mine, other)}; {remedy}"
                )


def _difference(mine: Any, other: Any) -> str:
    """Return in words how a property of one competitor differs from that of another."""
    shown = _shown(mine), _shown(other)
    if shown[0] == shown[1]:  # of many names, only some in the middle differ
        place = next(n for n, pair in enumerate(zip(mine, other, strict=True)) if pair[0] != pair[1])
        shown = f"{mine[place]} as number {place + 1}", str(other[place])
    return f"{shown[0]}, and {shown[1]}"


def _shown(compared: Any) -> str:
    """Return a property that differs in words, with the first and the last of many names."""
    if isinstance(compared, Timeline):
        place = "start" if compared.at_start else "end"
        origin = "1 January" if compared.calendar else "the date of the start"
        first = f"the first {compared.first:g} days after {origin}"
        return f"{compared.interval:g} days each, {first}, with values of their {place}"
    if not compared:
        return "none"
    return ", ".join(compared) if len(compared) < 4 else f"{compared[0]} to {compared[-1]} ({len(compared)} in all)"


def check_defined(competitor: Competitor, scores: Scores) -> None:
    """Refuse scores in which a measure that a report compares is undefined in an episode."""
    id, shown = competitor.environment.id, competitor.environment.presentation
    for name in dict.fromkeys((*shown.headline, shown.decisive)):
        wrong = ~np.isfinite(scores.values[name]).all(axis=0)
        if wrong.any():
            first = scores.labels[int(wrong.argmax())]
            raise PhytotronError(
                f"{name} of {id} is undefined for {competitor.label} in {wrong.sum()} of {wrong.size} windows, the "
                f"first of them {first}; a report compares it, so name a measure in `presentation.headline` and "
                "`decisive` that every episode has"
            )
