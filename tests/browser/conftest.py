"""Pages and compiled episodes that several tests look at."""

from __future__ import annotations

import pytest

from phytotron.browser.content import Content, make_content
from phytotron.browser.settings import Settings

LETTUCE = "phytotron/Lettuce-v0"
SHORT = Settings(options={"episode_days": 1.0, "weather": [40, 90]}, rivals=("rule-based", "constant"))


@pytest.fixture(scope="session")
def lettuce_content() -> Content:
    """The content of a page of lettuce, one day from two starts."""
    return make_content(LETTUCE, SHORT)
