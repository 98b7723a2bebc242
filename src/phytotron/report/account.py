"""The last part of a page: a table of the training runs, with all their settings."""

import html
import json
from typing import Any

from phytotron.core.environment import Environment
from phytotron.core.registry import option_values
from phytotron.report.gathering import Run, Section
from phytotron.report.tables import grid
from phytotron.report.words import duration, weather_words

ENDS = {"finished": "finished", "early": "ended early, as nothing improved", "stopped": "stopped before its end"}


def run_account(section: Section) -> str:
    """Return a table with one column per run; all settings open with a click."""
    labels = [html.escape(run.label) for run in section.runs]
    facts = [_facts(section, run, weather) for run, weather in zip(section.runs, section.training_weather, strict=True)]
    rows = [[name, *(each[name] for each in facts)] for name in facts[0]]
    settings = ""
    for label, run in zip(labels, section.runs, strict=True):
        chosen = ", ".join(f"{name} = {json.dumps(value)}" for name, value in run.config["settings"].items())
        settings += f"<details><summary>All settings of {label}</summary><p>{_code(chosen)}</p></details>"
    return grid(["", *labels], rows, "grid words") + settings + options_list(section.environment)


def options_list(env: Environment[Any, Any]) -> str:
    """Return all options of an environment with their values, as `--option` takes them; the list opens with a click."""
    rows = [[_code(name), _code(json.dumps(value))] for name, value in option_values(env).items()]
    listed = grid(["option", "value"], rows, "grid words")
    return f"<details><summary>All options of the environment</summary>{listed}</details>"


def _facts(section: Section, run: Run, training_weather: str | None) -> dict[str, str]:
    """Return the facts about a run as HTML, by name."""
    config, windows = run.config, section.scores.labels
    env = section.environment
    trained_on, tested_on = (weather_words(each, env) for each in (training_weather, section.weather))
    shown = windows if len(windows) <= 8 else (*windows[:3], "…", *windows[-2:])
    preset = f", preset {config['preset']}" if config.get("preset") else ""
    done = max((line["step"] for line in run.lines), default=0)
    steps = f"{done:,}" if done >= config["steps"] else f"{done:,} of {config['steps']:,}"
    speeds = [line["steps_per_second"] for line in run.lines if line["kind"] == "training"]
    speed = f", {sum(speeds) / len(speeds):,.0f} steps/s" if speeds else ""
    options = json.dumps(config["environment"]["options"])
    texts = {
        "trained on": trained_on,
        "judged in training on": config["evaluation"]["weather"] or "–",
        "tested on": f"{tested_on}, {len(windows)} windows: {', '.join(shown)}".removeprefix(", "),
        "agent": f"{config['agent']} ({config['backend']}){preset}",
        "seeds": ", ".join(map(str, config["seeds"])),
        "steps": f"{steps} per seed, {ENDS.get(run.ended or '', 'not yet at its end')}",
        "training took": f"{duration(run.seconds)}{speed}, all seeds together",
        "device": config.get("device", "–"),
        "versions": ", ".join(f"{name} {version}" for name, version in config.get("versions", {}).items()),
    }
    escaped = {name: html.escape(str(text)) for name, text in texts.items() if text}
    return {"environment": _code(config["environment"]["id"]), "options": _code(options)} | escaped


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"
