"""Crops to grow: sound parameters of LINTUL-3 for wheat and legumes, each value with its source."""

from phytotron.models.crops.crop import FIELD_PARAMETERS, PLANT_PARAMETERS, Crop, Height
from phytotron.models.crops.crop_file import (
    CROPS,
    CropFile,
    Entry,
    describe_crop,
    load_crop,
    read_crop_file,
    write_crop_file,
)

__all__ = [
    "CROPS",
    "FIELD_PARAMETERS",
    "PLANT_PARAMETERS",
    "Crop",
    "CropFile",
    "Entry",
    "Height",
    "describe_crop",
    "load_crop",
    "read_crop_file",
    "write_crop_file",
]
