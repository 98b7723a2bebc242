"""`phytotron train`: trains an agent in a folder from which training can be resumed."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli import options as shared
from phytotron.cli.console import errors, line, print_json, say
from phytotron.core.errors import PhytotronError
from phytotron.core.signals import exit_status

if TYPE_CHECKING:
    from phytotron.training.running import Outcome
    from phytotron.training.setup import Setup


def train(
    id: shared.Id,
    out: Annotated[
        Path, typer.Option("--output", "--out", help="Folder of the run: a new one, or with --resume that of a run.")
    ],
    agent: Annotated[
        str, typer.Option(help="Agent: ppo, dqn, sac, apg, one of an installed package, or module:Class.")
    ] = "ppo",
    preset: shared.Preset = "default",
    seeds: shared.Seeds = "1",
    steps: shared.Steps = None,
    backend: Annotated[str, typer.Option(help="Backend: jax, sb3 (Stable-Baselines3) or rllib (Ray RLlib).")] = "jax",
    settings: shared.Changes = None,
    parameters: shared.Parameters = None,
    option: shared.Option = None,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    eval_weather: shared.EvalWeather = None,
    eval_every: shared.EvalEvery = None,
    early_stop: Annotated[
        int | None, typer.Option(help="Number of evaluations without improvement after which training ends.", min=1)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume the run in the folder.")] = False,
    workers: Annotated[int, typer.Option(help="Number of processes that sample, with --backend rllib.", min=1)] = 2,
    address: shared.RayAddress = None,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Write metrics for TensorBoard as well.")] = False,
    json: shared.Json = False,
) -> None:
    """Train an agent, several seeds at once; Ctrl-C stops at a checkpoint, --resume continues exactly from there."""
    shared.check_agents_extra()
    from phytotron.training.folder import RunFolder
    from phytotron.training.listeners import TensorBoard, TrainingProgress, shown_measures
    from phytotron.training.setup import prepare

    run = RunFolder(out)
    if resume and not run.config_path.exists():
        if not run.path.is_dir():
            raise PhytotronError(f"{out} holds no run to continue; leave out --resume to begin one")
        resume = False  # killed before it had begun
    if not resume:
        run.check_new()
    setup = prepare(
        id,
        agent=agent,
        preset=preset,
        seeds=shared.seed_numbers(seeds),
        steps=steps,
        settings=shared.named_values(settings or [], "--set"),
        options=shared.environment_options(id, option, weather, weather_folder, parameters),
        backend=backend,
        evaluation_weather=None if eval_weather is None else shared.weather_choice(eval_weather),
        evaluate_every=eval_every,
        patience=early_stop,
    )
    plan = setup.config.evaluation
    if plan.every and eval_weather is None and "validation" not in setup.environment.parts:
        say(f"{id} has no validation part; evaluations are on {plan.weather or 'the task'}, as training")
    bar = TrainingProgress(errors, setup.steps_taken, shown_measures(setup.environment))
    board = TensorBoard(run.tensorboard, setup.config.seeds) if tensorboard else contextlib.nullcontext()
    began = time.monotonic()
    with bar, board as also:
        listeners = [bar] if also is None else [bar, also]
        outcome = _train(setup, out, workers, address, listeners=listeners, say=bar.say, resume=resume)
    elapsed = time.monotonic() - began
    if json:
        summary = {"folder": str(out.resolve()), **vars(outcome), "elapsed_seconds": round(elapsed, 3)}
        del summary["signal"]
        print_json(summary | {"policies": [str(path) for path in run.list_policies()]})
        if outcome.reason == "stopped":
            raise typer.Exit(exit_status(outcome.signal or signal.SIGINT))
        return
    words = {"finished": "Trained", "early": "Stopped early, as nothing improved,", "stopped": "Stopped"}
    line(f"{words[outcome.reason]} at step {outcome.step:,}; {duration_words(elapsed, outcome.seconds)}; see {out}")
    if tensorboard:
        line(f"Learning curves: tensorboard --logdir {out / 'tensorboard'}")
    if outcome.reason == "stopped":
        line("Go on with the same command and --resume")
        raise typer.Exit(exit_status(outcome.signal or signal.SIGINT))
    elif backend != "rllib":
        unseen = " --split test" if "test" in setup.environment.parts else ""
        line(f"Next: phytotron evaluate --policy {out}{unseen}")


def duration_words(elapsed: float, training: float) -> str:
    """Return the duration of a command and the part spent on updates, in words; the rest is mostly compilation."""
    if training > elapsed:  # what a resumed run did before
        return f"this command took {elapsed:,.0f} s, and training {training:,.0f} s in all"
    return f"it took {elapsed:,.0f} s, {training:,.0f} s of training and the rest for compiling and evaluating"


def _train(setup: Setup, out: Path, workers: int, address: str | None, **how: Any) -> Outcome:
    """Train by the backend that is asked for, which is imported now."""
    backend = setup.config.backend
    if backend == "jax":
        from phytotron.training.loop import train

        return train(setup.agent, out, setup.config, setup.evaluation_environment, **how)
    if backend == "rllib":
        shared.check_installed("--backend rllib needs {}: pip install 'phytotron[rllib]' torch", "ray.rllib", "torch")
        how |= {"workers": workers, "address": address}
    elif importlib.util.find_spec("stable_baselines3") is None:
        raise PhytotronError("--backend sb3 needs stable-baselines3: pip install 'phytotron[sb3]'")
    module = importlib.import_module(f"phytotron.training.backends.{backend}.train")
    outcome: Outcome = getattr(module, f"train_{backend}")(setup, out, **how)
    return outcome
