"""What was run, and what came out of it in plain words."""

from __future__ import annotations

import html
import json
from typing import Any

from phytotron.report.gathering import Chapter, Entry, Run
from phytotron.report.tables import compare, grid
from phytotron.report.words import duration, name, number

ENDS = {"finished": "finished", "early": "ended early, as nothing improved", "stopped": "stopped before its end"}


def run_account(chapter: Chapter) -> str:
    """A table with one column per run, and all settings behind a click."""
    runs = chapter.runs
    rows = [
        ["environment", *(_code(run.config["environment"]["id"]) for run in runs)],
        ["options", *(_code(json.dumps(run.config["environment"]["options"])) for run in runs)],
        ["trained on", *(html.escape(chapter.training_weather or "weather of its own") for _ in runs)],
        ["judged in training on", *(html.escape(str(run.config["evaluation"]["weather"] or "–")) for run in runs)],
        ["tested on", *(_tested(chapter) for _ in runs)],
        ["agent", *(html.escape(_agent(run)) for run in runs)],
        ["seeds", *(html.escape(", ".join(map(str, run.config["seeds"]))) for run in runs)],
        ["steps", *(html.escape(_steps(run)) for run in runs)],
        ["training took", *(html.escape(_took(run)) for run in runs)],
        ["device", *(html.escape(str(run.config.get("device", "–"))) for run in runs)],
        ["versions", *(html.escape(_versions(run.config)) for run in runs)],
    ]
    settings = "".join(
        f"<details><summary>All settings of {html.escape(run.label)}</summary><p>{_settings(run.config)}</p></details>"
        for run in runs
    )
    return grid(["", *(html.escape(run.label) for run in runs)], rows, "grid words") + settings


def _tested(chapter: Chapter) -> str:
    labels = chapter.scores.labels
    shown = labels if len(labels) <= 8 else (*labels[:3], "…", *labels[-2:])
    return html.escape(f"{chapter.weather or 'weather of its own'}, {len(labels)} windows: {', '.join(shown)}")


def _agent(run: Run) -> str:
    preset = run.config.get("preset")
    return f"{run.config['agent']} ({run.config['backend']})" + (f", preset {preset}" if preset else "")


def _steps(run: Run) -> str:
    done = max((line["step"] for line in run.lines), default=0)
    asked = f"{done:,}" if done >= run.config["steps"] else f"{done:,} of {run.config['steps']:,}"
    return f"{asked} per seed, {ENDS.get(run.ended or '', 'not yet at its end')}"


def _took(run: Run) -> str:
    speeds = [line["steps_per_second"] for line in run.lines if line["kind"] == "training"]
    mean = f", {sum(speeds) / len(speeds):,.0f} steps/s" if speeds else ""
    return f"{duration(run.seconds)}{mean}, all seeds together"


def _versions(config: dict[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in config.get("versions", {}).items())


def _settings(config: dict[str, Any]) -> str:
    return _code(", ".join(f"{name} = {json.dumps(value)}" for name, value in config["settings"].items()))


def _code(text: str) -> str:
    return f"<code>{html.escape(text)}</code>"


def verdict(chapter: Chapter) -> str:
    """A box with one paragraph per trained agent, whether or not it did well."""
    weather = f" of {chapter.weather}" if chapter.weather else ""
    unseen = chapter.weather is not None and chapter.weather != chapter.training_weather
    said = [f"On {len(chapter.scores.labels)} {'unseen ' if unseen else ''}windows{weather}:"]
    said += [" ".join(_sentences(chapter, entry)) for entry in chapter.trained]
    if not chapter.same_task:
        said.append("The runs were trained with different options of the environment; their returns may not compare.")
    notes = [f"<b>{html.escape(each.label)}</b>: {html.escape(each.contender.note)}" for each in chapter.entries]
    box = "".join(f"<p>{html.escape(each)}</p>" for each in said)
    return f'<div class="verdict">{box}</div><p>{"; ".join(notes)}.</p>'


def _sentences(chapter: Chapter, entry: Entry) -> list[str]:
    said = [_against(chapter, entry)] if chapter.baselines else []
    for measure in chapter.subject.headline:
        others = ", ".join(f"{other.label} {number(other.mean(measure))}" for other in chapter.baselines)
        mine = f"{number(entry.mean(measure))} {chapter.unit(measure)}".rstrip()
        said.append(f"Its {name(measure)} was {mine}{f' ({others})' if others else ''}.")
    return said


def _against(chapter: Chapter, entry: Entry) -> str:
    """More or less than the yardstick, and whether that is more than the spread of the windows."""
    yardstick, measure = chapter.baselines[0], chapter.subject.decisive
    mine, theirs = entry.values(measure), yardstick.values(measure)
    found = compare(mine, theirs)
    base = float(abs(theirs.mean()))
    share = f" ({100.0 * abs(found.difference) / base:.0f} %)" if abs(found.difference) < 2.0 * base else ""
    way, word = ("more", "better") if found.difference > 0.0 else ("less", "worse")
    clear = found.half is None or abs(found.difference) > found.half
    sure = "" if clear else f"; with {mine.shape[1]} windows so different from each other that may be chance"
    amount = f"{number(abs(found.difference))} {chapter.unit(measure)}".rstrip()
    return f"{entry.label} did {word} than {yardstick.label}: {amount}{share} {way} {name(measure)}{sure}."
