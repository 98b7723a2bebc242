"""The content of a page: the compiled task, the windows, the controls, the rivals, and the texts about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from phytotron.browser.compiler.module import runtime
from phytotron.browser.episode import Episodes, Window
from phytotron.browser.numbers import Archive
from phytotron.browser.played import FORMAT
from phytotron.browser.rivals import Rival, find_rivals
from phytotron.browser.settings import Settings
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, UnknownNameError
from phytotron.core.fields import Quantity
from phytotron.core.outcomes import Starts
from phytotron.core.registry import make_environment
from phytotron.core.spaces import Box
from phytotron.episodes.engine import find_start, some, windows
from phytotron.evaluation.tuning import training_part
from phytotron.report.opening import decides

FEW = 6  # windows, where the settings name none
MOST_CONTROLS = 8
LEVELS = 65535  # of recorded actions between their bounds


@dataclass(frozen=True)
class Content:
    """A page in three parts: what it says (JSON), its arrays of numbers, and the compiled functions (JavaScript)."""

    data: Mapping[str, Any]
    numbers: str
    script: str


def make_content(id: str, settings: Settings, chosen: Sequence[str] = ()) -> Content:
    """Return all of a page. `chosen`: labels of starts, or parts of them; by default those of the settings.

    JAX has to be in double precision.
    """
    task, options = settings.task or id, dict(settings.options)
    plain = make_environment(task, options)
    if dataclasses.is_dataclass(plain) and "precision" in {each.name for each in dataclasses.fields(plain)}:
        options["precision"] = "float64"
    env = make_environment(task, options)
    training = training_part(env)
    every, starts = windows(env), windows(env, episodes=FEW)
    wanted = chosen or [each for each in settings.windows if any(label.endswith(each) for label in every.labels)]
    if wanted:
        starts = some(every, np.array(list(dict.fromkeys(find_start(env, every, label) for label in wanted))))
    places = [_merged(options, each.options) for each in settings.places]
    variants = [make_environment(task, each) for each in places[1:]]
    episodes = Episodes(env, starts, [(each, _alike(each, starts.labels)) for each in variants])
    controls = control_quantities(env, settings.controls)
    episodes.add_act(controls)
    rivals = find_rivals(episodes, settings, plain, training)
    archive = Archive()
    data = {
        "format": FORMAT,
        "id": id,
        "environment": {"id": task},
        "variant": settings.variant,
        **_about(env, settings),
        "sizes": episodes.sizes(),
        "controls": [_control(each, env) for each in controls],
        "doses": env.scheduling.doses,
        "channels": [_channel(each.quantity, each.group, env) for each in episodes.channels],
        "measures": [_quantity(each.quantity) | {"mean": each.mean} for each in env.measures],
        "prices": _prices(episodes),
        "rivals": [_rival(each, env, archive) for each in rivals],
        "tables": [archive.add(each) for each in episodes.module.tables],
        "places": [
            {"label": label, "options": held, "windows": [_window(each, archive) for each in begun]}
            for label, held, begun in zip(
                [each.label for each in settings.places] or [""],
                places or [options],
                [episodes.windows, *episodes.variants],
                strict=True,
            )
        ],
    }
    return Content(data, archive.text(), runtime() + episodes.module.text())


def _merged(options: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Put options together with others, and mappings among them, such as overrides of parameters, too."""
    both = {name: {**options[name], **others[name]} for name in others if isinstance(options.get(name), Mapping)}
    return {**options, **others, **both}


def _alike(env: Environment[Any, Any], labels: Sequence[str]) -> Starts:
    """Find the starts of an environment that have some labels."""
    every = windows(env)
    return some(every, np.array([every.labels.index(label) for label in labels]))


def _window(window: Window, archive: Archive) -> dict[str, Any]:
    return {
        "label": window.label,
        "state": archive.add(window.state),
        "observation": archive.add(window.observation),
        "given": [archive.add(array) for array in window.given],
    }


def control_quantities(env: Environment[Any, Any], wanted: Sequence[str]) -> tuple[Quantity, ...]:
    """Return the quantities that a person sets: those that are wanted, or else the first few of a schedule."""
    known = {each.name: each for each in env.scheduling.quantities}
    for name in wanted:
        if name not in known:
            raise UnknownNameError(f"control of {env.id}", name, known)
    found = tuple(known[name] for name in wanted or tuple(known)[:MOST_CONTROLS])
    for each in found:
        if each.default is None and not np.isfinite((each.low, each.high)).all():
            raise PhytotronError(f"{each.name} of {env.id} has no bounds, so that no slider can set it; give it some")
    return found


def _prices(episodes: Episodes) -> list[dict[str, Any]]:
    """Return the prices that the reward or a measure depends on, with their places among the arrays of a window."""
    step = episodes.module.texts["step"]
    known = {each.name: each for each in episodes.env.fields.get("prices", ())}
    return [
        _quantity(known[name]) | {"value": float(episodes.windows[0].given[place][0]), "place": place}
        for name, place in episodes.prices.items()
        if name in known and f"w[{place}][0]" in step
    ]


def _about(env: Environment[Any, Any], settings: Settings) -> dict[str, Any]:
    shown = env.presentation
    timeline = shown.timeline
    return {
        "title": shown.title,
        "decides": decides(env),
        "returns": {"unit": shown.returns.unit, "meaning": shown.returns.meaning},
        "decisive": shown.decisive,
        "notes": list(shown.notes),
        "steps": int(env.episode_steps),
        "timeline": None
        if timeline is None
        else {"interval": timeline.interval, "first": timeline.first, "calendar": timeline.calendar},
        "left_alone": env.scheduling.left_alone,
        "picture": settings.picture,
        "parts": {name: part._asdict() for name, part in settings.parts.items()},
        "charts": list(settings.charts or shown.zoomed[:3]),
    }


def _quantity(quantity: Quantity) -> dict[str, Any]:
    return {"name": quantity.name, "unit": quantity.unit, "description": quantity.description}


def _channel(quantity: Quantity, group: str, env: Environment[Any, Any]) -> dict[str, Any]:
    bounds = env.presentation.bounds.get(quantity.name)
    return _quantity(quantity) | {"group": group, "bounds": None if bounds is None else [_plain(b) for b in bounds]}


def _control(quantity: Quantity, env: Environment[Any, Any]) -> dict[str, Any]:
    """A slider, or choices. Where a quantity has a default it is a setting, which holds until it is changed."""
    choices = env.scheduling.choices.get(quantity.name)
    low, high = quantity.low, quantity.high
    setting = quantity.default
    if setting is not None:
        setting = float(setting)
        low, high = _range(setting, low, high)
    return _quantity(quantity) | {
        "low": low,
        "high": high,
        "setting": setting,
        "choices": None if choices is None else list(choices),
    }


def _range(setting: float, low: float, high: float) -> tuple[float, float]:
    """Return the bounds of the slider of a setting; where it has none, half and one and a half times the setting."""
    lowest = low if np.isfinite(low) else round(0.5 * setting)
    return lowest, high if np.isfinite(high) else round(1.5 * setting)


def _rival(rival: Rival, env: Environment[Any, Any], archive: Archive) -> dict[str, Any]:
    return {
        "name": rival.name,
        "label": rival.label,
        "note": rival.note,
        "bound": rival.bound,
        "function": rival.function,
        "memory": rival.memory.tolist(),
        "actions": {label: _recorded(each, env, archive) for label, each in rival.actions.items()},
        "outcomes": {label: [archive.add(each), each.shape[1]] for label, each in rival.outcomes.items()},
    }


def _recorded(actions: Any, env: Environment[Any, Any], archive: Archive) -> dict[str, Any]:
    """Return recorded actions as whole numbers, with the scale of continuous ones."""
    space = env.action_space
    if not isinstance(space, Box):
        return {"values": archive.add(actions), "low": 0.0, "span": 1.0}
    low, high = float(np.min(space.low)), float(np.max(space.high))
    return {
        "values": archive.add(np.round((actions - low) / (high - low) * LEVELS)),
        "low": low,
        "span": (high - low) / LEVELS,
    }


def _plain(bound: Any) -> float | None:
    return float(bound) if np.isfinite(float(bound)) else None
