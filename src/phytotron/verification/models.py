"""The models that can be verified, by name."""

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from phytotron.core.errors import UnknownNameError
from phytotron.verification.greenlight.checks import verify_greenlight
from phytotron.verification.intercrop import verify_intercrop
from phytotron.verification.lintul3 import verify_lintul3
from phytotron.verification.result import Verification

MODELS: MappingProxyType[str, Callable[[Path], Verification]] = MappingProxyType(
    {"greenlight": verify_greenlight, "lintul3": verify_lintul3, "intercrop": verify_intercrop}
)


def verify_model(model: str, folder: Path | None = None) -> Verification:
    """Check a model against all reference files of a folder, or against the sample that the package brings."""
    if model not in MODELS:
        raise UnknownNameError("model", model, MODELS)
    return MODELS[model](folder or Path(__file__).parent / "data" / model)
