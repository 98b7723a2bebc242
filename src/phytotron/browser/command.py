"""The work of `phytotron play`: the page of a task, with the options of its settings or of the user."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jax

from phytotron.browser.content import make_content
from phytotron.browser.page import write_page
from phytotron.browser.settings import Settings, settings_of
from phytotron.core.errors import PhytotronError

PLACES = {
    "parameters",
    "parameter_overrides",
    "soil",
    "crop",
    "crops",
}  # options of one greenhouse or field; with them, no other is offered
LARGEST = 3_000_000  # bytes of a page


def write_play(id: str, options: Mapping[str, Any], starts: Sequence[str], path: Path) -> int:
    """Write the page of a task; its size in bytes. Options of the user take the place of those of the settings."""
    settings = chosen_settings(id, options)
    with jax.enable_x64(True):
        size = write_page(make_content(id, settings, starts), path)
    if size > LARGEST:
        path.unlink()
        raise PhytotronError(
            f"the page would have {size / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f}; choose fewer windows with --start"
        )
    return size


def chosen_settings(id: str, options: Mapping[str, Any]) -> Settings:
    """Return the settings of a task with options of the user.

    Other weather has other windows, and none of the variant; options that replace those of the settings leave out its
    words.
    """
    settings = settings_of(id)
    if not options:
        return settings
    if "weather" in options:
        return dataclasses.replace(settings, task=None, options=options, variant="", windows=(), places=())
    places = () if PLACES & options.keys() else settings.places
    merged = {**settings.options, **options}
    changed = any(merged[name] != value for name, value in settings.options.items())
    variant = "" if changed else settings.variant  # its words would be wrong
    return dataclasses.replace(settings, options=merged, variant=variant, places=places)
