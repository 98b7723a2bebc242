"""Orders of convergence, measured on a smooth, nonlinear, nonautonomous system with a known solution."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from phytotron.solvers import RK4, RKC2, Euler, Problem, Rosenbrock2, Solver, graded, integrate, uniform

DURATION = 2.0
COUNTS = (40, 80, 160)

# The measured order tends to the true one as the error of next higher order dies out; with these step counts that error
# is below 5 % of the leading one, so that the order is known to 0.08. A method of wrong order is off by 1.
ORDER_TOLERANCE = 0.1

Y = dict[str, jax.Array]


def exact(time: Any) -> Y:
    return {"a": 2.0 + jnp.sin(time), "b": 2.0 + jnp.cos(time)}


def derivative(time: Any, y: Y) -> Y:
    """Has `exact` as its solution; the terms that vanish there make it nonlinear and coupled."""
    solution = exact(time)
    return {
        "a": jnp.cos(time) - 0.5 * (y["a"] * y["b"] - solution["a"] * solution["b"]),
        "b": -jnp.sin(time) + 0.3 * (y["a"] ** 2 - solution["a"] ** 2) - 0.4 * (y["b"] ** 2 - solution["b"] ** 2),
    }


def jacobian(y: Y) -> jax.Array:
    return jnp.array([[-0.5 * y["b"], -0.5 * y["a"]], [0.6 * y["a"], -0.8 * y["b"]]])


def linearisation(kept: np.ndarray) -> Any:
    """The Jacobian, entries being kept or left out."""

    def linearise(time: Any, y: Y) -> tuple[Y, Any]:
        matrix = kept * jacobian(y)

        def solve(step: Any, rates: Y) -> Y:
            a, b = jnp.linalg.solve(jnp.eye(2) - step * matrix, jnp.stack([rates["a"], rates["b"]]))
            return {"a": a, "b": b}

        return derivative(time, y), solve

    return linearise


EXACT, PARTIAL, ZERO = np.ones((2, 2)), np.array([[1.0, 0.0], [0.0, 0.0]]), np.zeros((2, 2))

METHODS = [
    pytest.param(Euler(), ZERO, 1, id="euler"),
    pytest.param(RK4(), ZERO, 4, id="rk4"),
    *(pytest.param(RKC2(stages), ZERO, 2, id=f"rkc2-{stages}-stages") for stages in (2, 3, 5, 10, 16)),
    pytest.param(Rosenbrock2(), EXACT, 2, id="rosenbrock2-exact"),
    pytest.param(Rosenbrock2(), PARTIAL, 2, id="rosenbrock2-partial"),
    pytest.param(Rosenbrock2(), ZERO, 2, id="rosenbrock2-zero"),
]


def error(solver: Solver, kept: np.ndarray, steps: Any) -> float:
    problem = Problem(derivative, linearisation(kept))
    end = jax.jit(lambda start: integrate(solver, problem, start, steps))(exact(0.0))
    return float(max(abs(end[name] - exact(DURATION)[name]) for name in ("a", "b")))


@pytest.mark.parametrize(("solver", "kept", "order"), METHODS)
def test_halving_the_step_divides_the_error_by_two_to_the_power_of_the_order(
    solver: Solver, kept: np.ndarray, order: int
) -> None:
    errors = [error(solver, kept, uniform(DURATION, count)) for count in COUNTS]
    measured = np.log2(np.divide(errors[:-1], errors[1:]))
    assert measured == pytest.approx(order, abs=ORDER_TOLERANCE)


def test_graded_steps_keep_the_order() -> None:
    errors = [error(Rosenbrock2(), PARTIAL, graded(DURATION, count, 0.3 * DURATION / count)) for count in COUNTS]
    measured = np.log2(np.divide(errors[:-1], errors[1:]))
    assert measured == pytest.approx(2, abs=ORDER_TOLERANCE)


def test_a_stiff_linearised_mode_does_not_limit_the_step_of_rosenbrock2() -> None:
    # Explicit methods need steps below 2 / rate; L-stability brings the mode to rest in whatever steps.
    rate = 1e6

    def relax(_: Any, y: jax.Array) -> jax.Array:
        return -rate * (y - 1.0)

    def linearise(time: Any, y: jax.Array) -> tuple[jax.Array, Any]:
        return relax(time, y), lambda step, rates: rates / (1.0 + step * rate)

    end = integrate(Rosenbrock2(), Problem(relax, linearise), jnp.asarray(3.0), uniform(DURATION, 5))
    assert float(end) == pytest.approx(1.0, abs=1e-9)


def test_rosenbrock2_says_that_it_needs_a_linearisation() -> None:
    with pytest.raises(TypeError, match=r"Problem\.linearise"):
        integrate(Rosenbrock2(), Problem(derivative), exact(0.0), uniform(DURATION, 4))


@pytest.mark.parametrize(("solver", "kept", "order"), METHODS)
def test_a_solver_calls_the_derivative_as_often_as_it_says(solver: Solver, kept: np.ndarray, order: int) -> None:
    calls = []

    def counted(time: Any, y: Y) -> Y:
        calls.append(time)
        return derivative(time, y)

    def linearise(time: Any, y: Y) -> tuple[Y, Any]:
        return counted(time, y), linearisation(kept)(time, y)[1]

    with jax.disable_jit():
        solver.increment(Problem(counted, linearise), 0.0, exact(0.0), 0.1)
    assert len(calls) == solver.evaluations
