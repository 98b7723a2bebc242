"""The ids of all environments in Gymnasium's own registry, whichever of the two packages is imported first.

Gymnasium knows an id once it has been registered there. `import phytotron` does that for every id, and goes on doing so
for those that are registered later. It does not import Gymnasium by itself, which takes longer than all the rest.
"""

import sys
import warnings
from importlib.util import find_spec as find_module
from types import ModuleType
from typing import Any

from phytotron.core.registry import ENVIRONMENTS

ENTRY_POINTS: dict[str, Any] = {
    "entry_point": "phytotron.adapters.gymnasium_env:make",
    "vector_entry_point": "phytotron.adapters.vector_env:make",
}


def announce() -> None:
    """Register all ids, now if Gymnasium has been imported, else as soon as it is."""
    if "gymnasium.envs" in sys.modules:
        ENVIRONMENTS.listen(_register)
    elif _AfterGymnasium not in sys.meta_path:
        sys.meta_path.insert(0, _AfterGymnasium)


def _register(id: str) -> None:
    from gymnasium.envs.registration import register, registry
    from gymnasium.error import Error

    if id in registry:
        return
    try:
        register(id=id, **ENTRY_POINTS, kwargs={"env_id": id})
    except Error as error:
        warnings.warn(f"Gymnasium cannot know {id!r} by this name: {error}", stacklevel=2)


class _AfterGymnasium:
    """A finder of modules that lets the import of `gymnasium.envs` happen and registers when it is done."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name != "gymnasium.envs":
            return None
        sys.meta_path.remove(_AfterGymnasium)
        spec = find_module(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module: ModuleType) -> None:
            execute(module)
            ENVIRONMENTS.listen(_register)

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec
