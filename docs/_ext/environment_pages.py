"""One page for every registered environment, made of what the environment says of itself."""

from __future__ import annotations

import inspect
import json
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from phytotron.core.environment import Environment
from phytotron.core.fields import Quantity
from phytotron.core.registry import make, option_values, registered
from phytotron.core.spaces import Discrete, Space
from phytotron.core.units import typeset
from phytotron.report.words import name as in_words
from phytotron.report.words import number, percent, sentence

UNIT = re.compile(r"\b(?:m|s|d|h|ha|kg|kWh|day)-[1-3]\b|\bm[23]\b")  # with a power, in a sentence
# Pages that say more about an environment: its options one by one, its models, what was measured.
DETAILS = {
    "phytotron/Greenhouse-v0": "greenhouse",
    "phytotron/GreenLightGym-v0": "greenhouse",
    "phytotron/GreenhouseSetpoint-v0": "greenlightplus",
    "phytotron/WheatNitrogen-v0": "wheat",
    "phytotron/Intercrop-v0": "intercrop",
    "phytotron/IntercropField-v0": "intercrop_field",
    "phytotron/IntercropField-v1": "intercrop_field",
    "phytotron/Lettuce-v0": "lettuce",
}


def page_name(id: str) -> str:
    """The name of the page of an environment: `phytotron/Lettuce-v0` has the page `lettuce`, a -v1 `..._v1`."""
    words = re.sub(r"-v0$", "", id.rpartition("/")[2]).replace("-", "_")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", words).lower()


def environment_pages(scores_file: Path) -> dict[str, str]:
    """The pages of all registered environments, by the name of their file."""
    scores = json.loads(scores_file.read_text(encoding="utf-8")) if scores_file.exists() else {}
    return {f"{page_name(id)}.md": environment_page(id, scores.get(id, {})) for id in registered()}


def environment_page(id: str, measured: Mapping[str, Any]) -> str:
    """The page of one environment in markdown; `measured` is its entry in `scores.json`."""
    env = make(id)
    shown = env.presentation
    parts = [f"# {shown.title}", f"`{id}`"]
    if shown.decides:
        parts.append(f"The controller decides {sentence(shown.decides)}.")
    if id in DETAILS:
        parts.append(f"Options, models and measurements in detail: [](../{DETAILS[id]}.md).")
    figure = f"{page_name(id)}.svg"
    parts += [
        f"```python\nimport gymnasium, phytotron\n\nenv = gymnasium.make({id!r})  # for agents of other packages\n"
        f"env = phytotron.make({id!r})  # pure functions, for JAX\n```",
        f"![One episode of {id} under the baseline {shown.compare[0]}](../_static/environments/{figure})",
        f"One episode under the baseline `{shown.compare[0]}`.",
        "## The task",
        specification(env),
        "## Spaces",
        _space("Observation", env.observation_space, env.fields["observation"]),
        _space("Action", env.action_space, env.fields["action"]),
        "## Return, measures and costs",
        f"The return is the {sentence(shown.returns.meaning)}{_in_unit(shown.returns.unit)}. "
        f"An episode has at most {env.episode_steps:,} steps.",
        _measures(env),
        *_costs(env),
        *(sentence(note) for note in shown.notes),
        "## Baselines",
        _baselines(env, measured),
        "## Options",
        "Options are given by name: `phytotron.make(id, option=value)`, or `--option option=value` in commands.",
        _options(env),
        *_parameters(env),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def specification(env: Environment[Any, Any]) -> str:
    """The docstring of an environment, a list of terms and what they mean, as markdown."""
    text = inspect.getdoc(type(env)) or ""
    example = re.search(r"^>>>.*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    if example:
        text = text.replace(example[0], "")
    blocks = []
    for block in re.split(r"\n(?=\S)", text):
        head, _, body = block.partition("\n")
        words = _written(" ".join(textwrap.dedent(body).split()))
        blocks.append(f"**{head}.** {words}" if body.startswith("    ") else f"{head} {words}".strip())
    if example:
        blocks.append(f"```pycon\n{example[0]}\n```")
    return "\n\n".join(block for block in blocks if block)


def _written(text: str) -> str:
    """A text with its units as they are printed, but for what stands between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else UNIT.sub(_typeset, part).replace("CO2", "CO₂") for part in parts)


def _typeset(found: re.Match[str]) -> str:
    return typeset(found.group())


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _in_unit(text: str) -> str:
    return f", in {typeset(text)}" if typeset(text) else ""


def _range(q: Quantity) -> str:
    if math.isinf(q.low) and math.isinf(q.high):
        return ""
    return f"{q.low:g} to {q.high:g}".replace("-inf to", "up to").replace(" to inf", " or more").replace("-", "−")


def _quantities(group: Sequence[Quantity], value: bool = False) -> str:
    headings = ["name", "symbol", "unit", "value" if value else "range", "meaning"]
    rows = []
    for q in group:
        middle = ("" if q.default is None else f"{float(q.default):.6g}") if value else _range(q)
        rows.append((f"`{q.name}`", q.symbol and f"`{q.symbol}`", typeset(q.unit), middle, sentence(q.description)))
    return table(headings, rows)


def _space(title: str, space: Space, group: Sequence[Quantity]) -> str:
    if isinstance(space, Discrete):
        head = f"### {title}\n\nOne of {space.n} choices, an integer from 0 to {space.n - 1}."
        names = table(("choice", "meaning"), ((str(n), each) for n, each in enumerate(space.names)))
        return "\n\n".join((head, names if space.names else "", _quantities(group)))
    return f"### {title}\n\nAn array of shape {space.shape} and type `{space.dtype}`.\n\n{_quantities(group)}"


def _measures(env: Environment[Any, Any]) -> str:
    rows = [
        (f"`{each.quantity.name}`", typeset(each.quantity.unit), sentence(each.quantity.description))
        for each in env.measures
    ]
    return table(("measure of an episode", "unit", "meaning"), rows) if rows else ""


def _costs(env: Environment[Any, Any]) -> list[str]:
    rows = [(f"`{name}`", typeset(its), sentence(words)) for name, (words, its) in env.presentation.costs.items()]
    if not rows:
        return []
    says = '`info["costs"]` has one value per constraint: 0 where it holds, larger the more it is violated.'
    return [says, table(("cost", "unit", "meaning"), rows)]


def _baselines(env: Environment[Any, Any], measured: Mapping[str, Any]) -> str:
    scores = measured.get("scores", {})
    agents = (name for name, each in scores.items() if "seeds" in each)
    names = [*env.baselines, *(name for name in ("tuned-rules", "off", "random") if name in scores), *agents]
    names += ["oracle"] * ("oracle" in scores)
    known = [scores.get(name, {}) for name in names]
    headings = ["name", "what it is", f"mean return{_in_unit(env.presentation.returns.unit)}"]
    shares = any("share" in each for each in known)
    rows = []
    for name, each in zip(names, known, strict=True):
        row = [f"`{name}`", sentence(each.get("note", "")), number(each["return"]) if each else ""]
        rows.append([*row, _share(each)] if shares else row)
    text = table([*headings, "attainable share"] if shares else headings, rows)
    if not scores:
        return text
    episodes, weather = next(iter(scores.values()))["episodes"], measured.get("weather")
    one = "one episode" if episodes == 1 else f"{episodes} episodes"
    on = f" on the weather `{weather}`" if weather else ""
    text += f"\n\nMeans over {one}{on}, measured by `python docs/_ext/measure_scores.py {env.id}`."
    if shares:
        text += (
            f" The attainable share is the gain over `{env.presentation.compare[0]}`, as a share of what the best plan "
            "gains that knows all weather to come ([](../control.md))."
        )
    return text


def _share(measured: Mapping[str, Any]) -> str:
    if "share" not in measured:
        return ""
    return percent(measured["share"]) if measured["share"] >= 0.0 else "below 0 %"


def _options(env: Environment[Any, Any]) -> str:
    signature = inspect.signature(type(env)).parameters
    rows = []
    for name, value in option_values(env).items():
        kind = str(signature[name].annotation).replace("typing.", "")
        kind = re.sub(r"<class '(?:\w+\.)*(\w+)'>", r"\1", re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", kind))
        rows.append((f"`{name}`", f"`{value!r}`", f"`{kind}`"))
    return table(("option", "default", "type"), rows)


def _parameters(env: Environment[Any, Any]) -> list[str]:
    """Every further group of quantities, closed until somebody opens it."""
    groups = {name: group for name, group in env.fields.items() if name not in ("observation", "action")}
    if not groups:
        return []
    parts = ["## Parameters", "Numbers that the options above change by name or symbol."]
    for name, group in groups.items():
        parts.append(f"<details>\n<summary>{in_words(name)} ({len(group)})</summary>\n")
        parts += [_quantities(group, value=True), "</details>"]
    return parts
