"""Scripts that tests add to a page, to try it in a browser."""

from __future__ import annotations

import base64
import hashlib


def with_script(page: str, script: str) -> str:
    """The page with one more script at its end, which its content security policy allows."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    assert page.count("script-src ") == 1
    allowed = page.replace("script-src ", f"script-src 'sha256-{digest}' ")
    return allowed.replace("</body>", f"<script>{script}</script></body>")
