"""Tell Gymnasium about the environments; importing this module is enough.

Gymnasium 1 has no plugins: it knows an environment once a module that registers it has been imported, by the user or by
`gymnasium.make("module:id")`. This module stays light (no JAX); an environment is loaded only when it is made.
"""

from __future__ import annotations

import gymnasium

from phytotron.core.registry import registered


def register() -> None:
    """Register every environment under its own id; those that Gymnasium knows already are left alone."""
    for id in registered():
        if id not in gymnasium.registry:
            gymnasium.register(id=id, entry_point="phytotron.adapters.gymnasium_env:make", kwargs={"env_id": id})


register()
