"""Makes the environments known to Gymnasium when Gymnasium is imported, whoever imports it.

Gymnasium 1.0 dropped the plugin entry points of its predecessors: it knows an id once some module has registered it.
The package therefore installs a line that imports `phytotron` at the start of Python (`phytotron_gymnasium.pth`), which
imports nothing but this module, and this module waits for Gymnasium. Nothing here imports JAX or Gymnasium.
"""

import sys


class _AfterGymnasium:
    """A finder of modules that lets the import of `gymnasium.envs` happen and registers when it is done."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        if name != "gymnasium.envs":
            return None
        sys.meta_path.remove(_AfterGymnasium)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_register(module):  # type: ignore[no-untyped-def]
            execute(module)
            _register()

        spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def _register() -> None:
    from gymnasium.envs.registration import register, registry

    from phytotron.core.registry import registered

    for id in registered():
        if id not in registry:
            register(
                id=id,
                entry_point="phytotron.adapters.gymnasium_env:make",
                vector_entry_point="phytotron.adapters.vector_env:make",
                kwargs={"env_id": id},
            )


def install() -> None:
    """Register now if Gymnasium is there already, else as soon as it is."""
    if "gymnasium.envs" in sys.modules:
        _register()
    elif _AfterGymnasium not in sys.meta_path:
        sys.meta_path.insert(0, _AfterGymnasium)
