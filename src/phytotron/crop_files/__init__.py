"""Crop parameter files of other programs, made into crops of LINTUL-3.

Reads files of CABO, PCSE and WOFOST and the INI sets of Rlintul, converts names, units and partition shares, merges
several of them, says where they disagree and what is missing, and refuses what cannot be.
"""

from phytotron.crop_files.importing import Conflict, Import, Unused, import_crop, read_source
from phytotron.crop_files.source import Source

__all__ = ["Conflict", "Import", "Source", "Unused", "import_crop", "read_source"]
