"""Numbers, units and names as text for people."""

import html
import math
import re
from typing import Any

from phytotron.core.constants import SECONDS_PER_DAY
from phytotron.core.environment import Environment
from phytotron.core.units import SUPERSCRIPT


def number(value: float, like: float | None = None) -> str:
    """Return a number as text, with three significant digits, or with as many decimals as `like` has.

    It is a dash for a value that is not a number.
    """
    if not math.isfinite(value):
        return "–"
    scale = abs(value if like is None or not math.isfinite(like) else like)
    digits = 0 if scale < 5e-4 else min(3, max(0, 2 - math.floor(math.log10(scale))))
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if not float(text.replace(",", "")) else text.replace("-", "−")


def difference(value: float, half: float | None) -> str:
    """Return a difference with its sign and the half-width of its interval, both with the decimals of the larger.

    The decimals of a difference near zero would hide its interval.
    """
    like = max(abs(value), half or 0.0)
    interval = "" if half is None else f" ± {number(half, like)}"
    return f"{'+' if value > 0.0 else ''}{number(value, like)}{interval}"


def percent(share: float) -> str:
    """Return a share between 0 and 1 as text in percent."""
    if not math.isfinite(share):
        return "–"
    shown = 100.0 * share
    return f"{shown:.0f} %" if shown in (0.0, 100.0) else f"{shown:.1f} %"


def name(text: str) -> str:
    """Return the name of a measure, in words."""
    return text.replace("_", " ").replace("co2", "CO₂").replace("CO2", "CO₂")


def sentence(text: str) -> str:
    """Return plain text in which units, as in "0 € kWh-1", are typeset."""
    return re.sub(r"(?<=[A-Za-z])-\d", lambda found: found.group().translate(SUPERSCRIPT), name(text))


def in_sentence(label: str) -> str:
    """Return the label of a controller as a noun, which "rule-based" alone is not."""
    return f"{label} control" if label == "rule-based" else label


def with_code(text: str) -> str:
    """Return HTML of a text, with words between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def weather_words(weather: str | None, env: Environment[Any, Any]) -> str:
    """Return the name of weather; empty where a task has none, neither a name nor parts nor an option for it."""
    has_weather = bool(env.parts) or getattr(env, "weather", None) is not None
    return weather or ("weather of its own" if has_weather else "")


def heading(text: str, unit: str = "") -> str:
    """Return HTML of a name in words, with its typeset unit in brackets."""
    return html.escape(name(text)) + (f" <small>[{html.escape(unit)}]</small>" if unit else "")


def every(days: float) -> str:
    """Return the interval of an event, given in days, in words, such as "Every 5 minutes"."""
    for size, word in ((1.0, "day"), (1.0 / 24.0, "hour"), (1.0 / 1440.0, "minute"), (1.0 / SECONDS_PER_DAY, "second")):
        count = days / size
        if count > 0.999:
            return f"Every {word}" if round(count, 3) == 1.0 else f"Every {round(count, 3):g} {word}s"
    return f"Every {SECONDS_PER_DAY * days:g} seconds"


def duration(seconds: float) -> str:
    """Return a number of seconds as text, such as 4 min 5 s."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
