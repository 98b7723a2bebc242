"""`phytotron speed`: measures the steps per second on this machine."""

import dataclasses
from typing import Annotated

import typer

from phytotron.cli.console import errors, line, print_json
from phytotron.cli.options import Json


def speed(
    id: Annotated[str, typer.Argument(help="The model `greenlight`, or the id of an environment.")],
    num_envs: Annotated[int, typer.Option(help="Number of environments in the batch.", min=1)] = 1,
    precision: Annotated[str, typer.Option(help="Precision: float32 or float64.")] = "float32",
    solver: Annotated[
        str | None, typer.Option(help="Solver of the greenhouse: rosenbrock (default), rkc2, rk4 or euler.")
    ] = None,
    interface: Annotated[
        str, typer.Option(help="Interface: functional, or gymnasium (make for one environment, make_vec for more).")
    ] = "functional",
    steps_per_call: Annotated[int, typer.Option(help="Number of steps inside one compiled call.", min=1)] = 1,
    seconds: Annotated[float, typer.Option(help="Seconds to measure.", min=0.1, max=600)] = 2.0,
    json: Json = False,
) -> None:
    """Measure environment steps per second, compile time and memory."""
    from phytotron.core.compilation import enable_compilation_cache
    from phytotron.core.memory import enough_memory
    from phytotron.evaluation.speed import measure

    enable_compilation_cache()
    with errors.status("measuring"), enough_memory(num_envs, "environments at once", "--num-envs "):
        result = measure(id, num_envs, precision, solver, steps_per_call, seconds, interface)
    if json:
        print_json(dataclasses.asdict(result))
        return
    line(f"{result.env_steps_per_second:,.0f} environment steps/s")
    for key, value in dataclasses.asdict(result).items():
        shown = f"{value:,.3g}" if isinstance(value, float) else value
        line(f"  {key:<24}{shown}")
