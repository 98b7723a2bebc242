"""The words of the glossary, which the package holds: its report pages explain the same words in the same way."""

from __future__ import annotations

import re
from collections.abc import Mapping

from phytotron.report.glossary import TERMS
from phytotron.report.terms import GROWING, LEARNING

WORDS: Mapping[str, Mapping[str, str]] = {"growing": GROWING, "learning": {**LEARNING, **TERMS}}


def with_words(text: str) -> str:
    """The text of the page, in which a line such as `<!-- words: growing -->` becomes the list of these words."""
    return re.sub(r"^<!-- words: (\w+) -->$", lambda found: _listed(WORDS[found[1]]), text, flags=re.MULTILINE)


def _listed(words: Mapping[str, str]) -> str:
    ordered = sorted(words.items(), key=lambda each: each[0].casefold())
    entries = "\n\n".join(f"{word}\n  {meaning[0].upper()}{meaning[1:]}." for word, meaning in ordered)
    return f"```{{glossary}}\n{entries}\n```"
