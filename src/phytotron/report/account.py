"""What was run, and what came out of it in plain words."""

import html
import json

from phytotron.report.gathering import Chapter, Entry, Run
from phytotron.report.shares import share_sentence
from phytotron.report.tables import compare, grid
from phytotron.report.words import duration, name, number

ENDS = {"finished": "finished", "early": "ended early, as nothing improved", "stopped": "stopped before its end"}


def run_account(chapter: Chapter) -> str:
    """A table with one column per run, and all settings behind a click."""
    labels, facts = [html.escape(run.label) for run in chapter.runs], [_facts(chapter, run) for run in chapter.runs]
    rows = [[name, *(each[name] for each in facts)] for name in facts[0]]
    settings = ""
    for label, run in zip(labels, chapter.runs, strict=True):
        chosen = ", ".join(f"{name} = {json.dumps(value)}" for name, value in run.config["settings"].items())
        settings += f"<details><summary>All settings of {label}</summary><p>{_code(chosen)}</p></details>"
    return grid(["", *labels], rows, "grid words") + settings


def _facts(chapter: Chapter, run: Run) -> dict[str, str]:
    """What there is to say about a run, as HTML."""
    config, own, windows = run.config, "weather of its own", chapter.scores.labels
    shown = windows if len(windows) <= 8 else (*windows[:3], "…", *windows[-2:])
    preset = f", preset {config['preset']}" if config.get("preset") else ""
    done = max((line["step"] for line in run.lines), default=0)
    steps = f"{done:,}" if done >= config["steps"] else f"{done:,} of {config['steps']:,}"
    speeds = [line["steps_per_second"] for line in run.lines if line["kind"] == "training"]
    speed = f", {sum(speeds) / len(speeds):,.0f} steps/s" if speeds else ""
    options = json.dumps(config["environment"]["options"])
    texts = {
        "trained on": chapter.training_weather or own,
        "judged in training on": config["evaluation"]["weather"] or "–",
        "tested on": f"{chapter.weather or own}, {len(windows)} windows: {', '.join(shown)}",
        "agent": f"{config['agent']} ({config['backend']}){preset}",
        "seeds": ", ".join(map(str, config["seeds"])),
        "steps": f"{steps} per seed, {ENDS.get(run.ended or '', 'not yet at its end')}",
        "training took": f"{duration(run.seconds)}{speed}, all seeds together",
        "device": config.get("device", "–"),
        "versions": ", ".join(f"{name} {version}" for name, version in config.get("versions", {}).items()),
    }
    escaped = {name: html.escape(str(text)) for name, text in texts.items()}
    return {"environment": _code(config["environment"]["id"]), "options": _code(options)} | escaped


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
    return [*said, share_sentence(chapter, entry)]


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
