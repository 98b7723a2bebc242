"""The start of an episode: options of `reset`, and the entries of `info` about it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from phytotron.core.environment import Environment, Starts
from phytotron.core.errors import PhytotronError, ShapeError, ValueRangeError
from phytotron.episodes.engine import find_start, some

START = "start"


def check_options(environment: Environment[Any, Any], options: Mapping[str, Any], known: Sequence[str] = ()) -> None:
    """Refuse options that reset does not have; `known` are those that it has besides the start."""
    for name in options:
        if name not in (START, *known):
            labels = environment.starts().labels
            meaning = f"'start', such as {{'start': {labels[0]!r}}}" if labels else "'start'"
            others = "".join(f", {each!r}" for each in known)
            raise PhytotronError(f"reset has no option {name!r}; its options are {meaning}{others}")


def chosen_starts(environment: Environment[Any, Any], start: Any, count: int) -> Starts:
    """Return the starts of `count` episodes: all from one label, or each from one of a list of them."""
    labels = [start] * count if isinstance(start, str) else start
    if not isinstance(labels, Sequence) or not all(isinstance(each, str) for each in labels):
        raise ValueRangeError("the option 'start'", start, "a text such as '2010-05-01', or one for each environment")
    if len(labels) != count:
        raise ShapeError("the option 'start'", f"({count},)", (len(labels),), "one start per environment")
    starts = environment.kept("starts", environment.starts)
    numbers = {label: find_start(environment, starts, label) for label in set(labels)}
    return some(starts, np.array([numbers[label] for label in labels]))


def start_info(environment: Environment[Any, Any], state: Any) -> dict[str, str]:
    """Return the entries of `info` about the start of an episode: its date, its window, and the weather of the draw."""
    date, window, weather = environment.date(state), environment.start_of(state), environment.weather_name
    info = {"date": None if date is None else str(date), "window": window, "weather": weather}
    return {name: text for name, text in info.items() if text is not None}
