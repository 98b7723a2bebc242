"""TOML files that users write."""

import tomllib
from pathlib import Path
from typing import Any

from phytotron.core.errors import DataFileError


def read_toml(path: Path, kind: str, remedy: str) -> dict[str, Any]:
    """Return the tables of a TOML file; an error names the file. `kind` says what it should be, such as "a
    crop file".
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise DataFileError(path, f"cannot be read ({error.strerror})", remedy) from None
    except UnicodeDecodeError:
        raise DataFileError(path, "is not text in UTF-8", "save it as UTF-8") from None
    except ValueError as error:  # of TOML, or of a whole number with thousands of digits
        raise DataFileError(path, f"is not {kind} in TOML: {error}", remedy) from None
    except RecursionError:
        raise DataFileError(path, "is nested too deeply", remedy) from None
