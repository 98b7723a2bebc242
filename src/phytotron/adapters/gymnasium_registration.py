"""Tell Gymnasium about the environments.

Gymnasium calls `register` when it is imported (entry point group `gymnasium.envs`), so this module must stay light: it
imports no JAX, and an environment is loaded only when it is made.
"""

from __future__ import annotations

import gymnasium

from phytotron.core.registry import registered


def register() -> None:
    """Register every environment under its own id; those that Gymnasium knows already are left alone."""
    for id in registered():
        if id not in gymnasium.registry:
            gymnasium.register(id=id, entry_point="phytotron.adapters.gymnasium_env:make", kwargs={"env_id": id})
