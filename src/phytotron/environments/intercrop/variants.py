"""The task as the published code of InterCropGym has it, where that differs from the paper."""

from __future__ import annotations

from typing import Any

from phytotron.models.intercropping.published import published_crop


def published_code(crops: tuple[str, str] = ("chickpea", "winter_wheat")) -> dict[str, Any]:
    """Options of `Intercrop` for a pair of the crops that the code came with.

    The crops never affect each other; what is observed and rewarded does show the effects. Fertiliser is paid for and
    has none. See docs/intercrop.md.
    """
    one, two = crops
    return {
        "crops": (published_crop(one), published_crop(two)),
        "interaction": "published_code",
        "observation": "raw",
    }
