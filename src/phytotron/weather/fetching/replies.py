"""Replies of services, with the message of a refusal."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

LONGEST_QUOTE = 300  # characters
# What the services call their explanation: Open-Meteo, NASA POWER (two of its versions), others.
EXPLANATIONS = ("reason", "messages", "detail", "message", "error")


@dataclass(frozen=True)
class Reply:
    """The whole of an answer; `asked` is the request as one address that can be opened in a browser."""

    asked: str
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes

    @property
    def is_page(self) -> bool:
        """Return whether this is a web page: none of the services sends data that begin with `<`."""
        return self.body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")

    @property
    def words(self) -> str:
        """Return the message of the service, shortened, on one line."""
        text = self.body[:100_000].decode("utf-8", errors="replace")
        if self.is_page:
            title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.IGNORECASE | re.DOTALL)
            found = [_untagged(match[1]) for match in (title, heading) if match]
            return quoted(" - ".join(dict.fromkeys(filter(None, found))) or "a page without a title")
        try:
            return quoted(_explanation(json.loads(text)))
        except (ValueError, RecursionError):
            return quoted(text)

    @property
    def retry_after(self) -> float | None:
        """The pause that the service asks for [s]: RFC 9110, section 10.2.3."""
        value = self.headers.get("retry-after", "").strip()
        if not value:
            return None
        if value.isdecimal():
            return float(value[:9])
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def quoted(text: str) -> str:
    """Return words of others: printable characters on one line, shortened."""
    line = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    if len(line) > LONGEST_QUOTE:
        line = line[: LONGEST_QUOTE - 3] + "..."
    return line or "nothing"


def _explanation(content: Any) -> str:
    """The explanation in a JSON answer, or all of it where there is none."""
    if isinstance(content, Mapping):
        for key in EXPLANATIONS:
            if content.get(key) and content[key] is not True:
                return _explanation(content[key])
        if "msg" in content:  # a validation error: where it is, and what
            where = content.get("loc")
            place = ".".join(map(str, where)) + ": " if isinstance(where, list) else ""
            return f"{place}{content['msg']}"
    if isinstance(content, list):
        return "; ".join(_explanation(each) for each in content[:20])
    return content if isinstance(content, str) else json.dumps(content)


def _untagged(text: str) -> str:
    return re.sub(r"<[^>]*>", " ", text).strip()
