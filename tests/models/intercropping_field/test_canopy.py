"""Light is shared without loss, by leaf area, extinction and height, and smoothly."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phytotron.models.intercropping.canopy import Leaves, mixed_share, strip_share

ROUNDING = 1e-12

areas = st.tuples(st.floats(0.0, 12.0), st.floats(0.0, 12.0))
extinctions = st.tuples(st.floats(0.2, 1.0), st.floats(0.2, 1.0))
heights = st.tuples(st.floats(0.001, 3.0), st.floats(0.001, 3.0))


def canopies(area: Any, k: Any, height: Any) -> tuple[Leaves, Leaves]:
    return Leaves(area[0], k[0], height[0]), Leaves(area[1], k[1], height[1])


def mixed_shares(area: Any, k: Any, height: Any) -> tuple[Any, Any]:
    one, two = canopies(area, k, height)
    return mixed_share(one, two), mixed_share(two, one)


def strip_shares(area: Any, k: Any, height: Any, width: float) -> tuple[Any, Any]:
    one, two = canopies(area, k, height)
    return strip_share(one, two, width), strip_share(two, one, width)


@settings(max_examples=200, deadline=None)
@given(areas, extinctions, heights)
def test_the_shares_of_a_mixture_add_up_to_what_its_leaves_intercept(area: Any, k: Any, height: Any) -> None:
    first, second = mixed_shares(area, k, height)
    expected = -np.expm1(-k[0] * area[0] - k[1] * area[1])
    assert float(first + second) == pytest.approx(expected, abs=ROUNDING)
    assert float(first) >= 0.0 and float(second) >= 0.0


@settings(max_examples=100, deadline=None)
@given(areas, extinctions, st.floats(0.01, 2.0))
def test_crops_of_equal_height_share_by_extinction_times_leaf_area(area: Any, k: Any, height: float) -> None:
    depth = k[0] * area[0], k[1] * area[1]
    shares = mixed_shares(area, k, (height, height))
    for own, share in zip(depth, shares, strict=True):
        part = own / sum(depth) if sum(depth) else 0.0
        assert float(share) == pytest.approx(part * -np.expm1(-sum(depth)), abs=ROUNDING)


def test_a_taller_crop_takes_light_from_the_lower_one() -> None:
    rising = [mixed_shares((2.0, 2.0), (0.6, 0.6), (height, 1.0)) for height in (0.3, 0.6, 1.0, 1.5, 3.0, 1e6)]
    first, second = np.array(rising).T
    assert np.all(np.diff(first) > 0.0) and np.all(np.diff(second) < 0.0)
    assert first[-1] == pytest.approx(-np.expm1(-1.2), abs=1e-5)  # as if it stood above all leaves of the other


@settings(max_examples=100, deadline=None)
@given(areas, extinctions, heights, st.floats(0.1, 5.0))
def test_strips_close(area: Any, k: Any, height: Any, width: float) -> None:
    """What the crops intercept and what reaches the soil, formulated without their shares, make one."""
    shares = strip_shares(area, k, height, width)
    tall = 0 if height[0] >= height[1] else 1
    low = 1 - tall
    above = (height[tall] - height[low]) / height[tall]
    upper, lower = k[tall] * area[tall] * above, k[tall] * area[tall] * (1.0 - above)
    rise = height[tall] - height[low]
    view = (np.hypot(width, rise) - rise) / width
    to_tall = view * np.exp(-2.0 * upper) + (1.0 - view) * np.exp(-upper)
    to_low = view + (1.0 - view) * np.exp(-upper)
    ground = (to_tall * np.exp(-2.0 * lower) + to_low * np.exp(-2.0 * k[low] * area[low])) / 2.0
    assert float(sum(shares)) == pytest.approx(1.0 - ground, abs=ROUNDING)
    assert all(-ROUNDING <= float(share) <= 1.0 for share in shares)


def test_very_narrow_strips_are_a_mixture_with_the_taller_leaves_above_all() -> None:
    """The upper leaves then shade both crops alike; below them each crop keeps to its own ground."""
    upper = 0.6 * 2.0 * 0.5
    tall, low = strip_shares((2.0, 1.0), (0.6, 0.7), (2.0, 1.0), 1e-6)
    assert float(low) == pytest.approx(np.exp(-upper) * -np.expm1(-2.0 * 0.7) / 2.0, abs=1e-6)
    assert float(tall) == pytest.approx(1.0 - np.exp(-upper) * (1.0 - -np.expm1(-2.0 * upper) / 2.0), abs=1e-6)


def test_swapping_the_crops_swaps_the_shares() -> None:
    area, k, height = (2.0, 1.3), (0.6, 0.8), (0.9, 1.4)
    for shares in (mixed_shares, lambda *each: strip_shares(*each, 1.5)):
        forward = shares(area, k, height)
        backward = shares(area[::-1], k[::-1], height[::-1])
        assert np.array(forward) == pytest.approx(np.array(backward)[::-1], abs=ROUNDING)


@pytest.mark.parametrize("area", [(0.0, 0.0), (0.0, 2.0), (1e-5, 1e-5), (2.0, 1.0)])
@pytest.mark.parametrize("height", [(1.0, 1.0), (0.5, 1.0), (0.001, 2.0)])
def test_slopes_are_finite_and_right_also_without_leaves_and_at_equal_heights(area: Any, height: Any) -> None:
    def mixed(values: Any) -> Any:
        return jnp.stack(mixed_shares(tuple(values[:2]), (0.6, 0.8), tuple(values[2:])))

    def strips(values: Any) -> Any:
        return jnp.stack(strip_shares(tuple(values[:2]), (0.6, 0.8), tuple(values[2:]), 1.5))

    at, step = jnp.array([*area, *height]), 1e-5
    for shares in (mixed, strips):
        slopes = np.asarray(jax.jacobian(shares)(at))
        for index, unit in enumerate(np.eye(4)):
            steep = (shares(at + step * unit) - shares(at - step * unit)) / (2.0 * step)
            assert slopes[:, index] == pytest.approx(np.asarray(steep), abs=2e-3)
