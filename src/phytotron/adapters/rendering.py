"""Pictures of those environments that define `render`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError, ShapeError, UnknownNameError

RENDER_MODES = ("rgb_array",)
RENDER_FPS = 12


def can_be_drawn(environment: Environment[Any, Any]) -> bool:
    """Whether an environment has pictures of its own."""
    return type(environment).render is not Environment.render


def check_render_mode(environment: Environment[Any, Any], render_mode: str | None) -> None:
    """Refuse a way to draw that does not exist, and any for an environment that cannot be drawn."""
    if render_mode is None:
        return
    if not can_be_drawn(environment):
        raise PhytotronError(f"{environment.id} cannot be drawn; make it without render_mode={render_mode!r}")
    if render_mode not in RENDER_MODES:
        raise UnknownNameError("render mode", render_mode, RENDER_MODES)


def render_metadata(environment: Environment[Any, Any]) -> dict[str, Any]:
    """What Gymnasium wants to know about pictures."""
    if not can_be_drawn(environment):
        return {"render_modes": []}
    return {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}


def picture(environment: Environment[Any, Any], state: Any) -> NDArray[np.uint8]:
    """One environment in one state, drawn."""
    drawn = np.array(environment.render(state, environment.default_params))
    if drawn.dtype != np.uint8 or drawn.ndim != 3 or drawn.shape[2] != 3:
        raise ShapeError(f"a picture of {environment.id} ({drawn.dtype})", "(height, width, 3) of uint8", drawn.shape)
    return drawn
