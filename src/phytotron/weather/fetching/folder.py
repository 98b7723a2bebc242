"""The data folder: where weather lies that was fetched, or that the user brings."""

from __future__ import annotations

import os
from pathlib import Path

from phytotron.core.compilation import cache_folder

FOLDER_VARIABLE = "PHYTOTRON_WEATHER"
RAW = "raw"  # folder within it for replies as they came


def weather_folder() -> Path:
    """$PHYTOTRON_WEATHER, or `weather` in the cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else cache_folder() / "weather"
