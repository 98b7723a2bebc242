"""`phytotron run`: runs one episode of an environment, and writes its totals, a page and its data."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phytotron.cli import options as shared
from phytotron.cli.console import line, print_json, progress_bars, say
from phytotron.cli.policies import Policy, find_policies
from phytotron.cli.task_options import price_option
from phytotron.cli.trajectory_output import Csv, Parquet, TrajectoryOutput
from phytotron.core.errors import PhytotronError, ValueRangeError
from phytotron.core.files import check_writable
from phytotron.core.making import put_on
from phytotron.core.parameter_files import merged
from phytotron.core.registry import takes_option

if TYPE_CHECKING:
    from phytotron.core.environment import Environment, Starts
    from phytotron.core.presentation import Competitor

Days = Annotated[float | None, typer.Option(help="Length of the episode in days.", min=0.01, max=366)]


def run(
    id: Annotated[
        str | None, typer.Argument(help="Id of an environment, or module:Class; by default that of the policy.")
    ] = None,
    controller: Annotated[
        str | None, typer.Option(help="Name of a controller; by default the first baseline of the environment.")
    ] = None,
    policy: Policy = None,
    schedule: Annotated[
        Path | None, typer.Option(help="CSV file of dated doses, set-points or positions, to follow instead.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            help="First day of the episode, such as 2010-03-01; by default the first day on which an episode can start."
        ),
    ] = None,
    days: Days = None,
    weather: shared.Weather = None,
    weather_folder: shared.WeatherFolder = None,
    interval: Annotated[int | None, typer.Option(help="Control interval in seconds.", min=1)] = None,
    parameters: shared.Parameters = None,
    prices: Annotated[list[str] | None, typer.Option(help="Price as NAME=NUMBER, such as electricity=0.2.")] = None,
    option: shared.Option = None,
    seed: shared.Seed = 0,
    csv: Csv = None,
    parquet: Parquet = None,
    folder: Annotated[Path, typer.Option("--output", help="Folder to which the page is written.")] = Path("run"),
    figure: Annotated[bool, typer.Option(help="Write the page.")] = True,
    json: shared.Json = False,
) -> None:
    """Run one episode under a controller, a policy or a schedule; print its totals and write a page about it."""
    from phytotron.evaluation.examination import examine
    from phytotron.report.pages import summary_rows, write_episode_page

    if sum(each is not None for each in (controller, policy, schedule)) > 1:
        raise PhytotronError("--controller, --policy and --schedule each say who acts; give one of them")
    data = TrajectoryOutput(csv, parquet)
    if figure:
        check_writable(folder / "index.html")
    trained = find_policies(policy).environment if policy is not None else {}
    id = id or trained.get("id")
    if id is None:
        raise PhytotronError(
            "name an environment, as in: phytotron run phytotron/Greenhouse-v0; `phytotron envs` lists all"
        )
    given = {"episode_days": days, "control_interval": interval}
    for name, flag in {"episode_days": "--days", "control_interval": "--interval"}.items():
        if given[name] is not None and not takes_option(id, name):
            raise PhytotronError(
                f"{flag} cannot be chosen for {id}; leave it out (`phytotron describe {id}` lists its options)"
            )
    kept = trained.get("options", {}) if id == trained.get("id") else {}
    options = merged(
        shared.environment_options(id, option, None, weather_folder, parameters),
        price_option(prices or (), id),
        {name: value for name, value in given.items() if value is not None},
    )
    env, starts = _begun(id, kept, options, weather, start)
    acting = _acting(env, starts, controller, policy, schedule)
    began = time.perf_counter()
    collector = data.collector(acting.environment, starts.labels, controller=acting.label, seed=seed)
    with progress_bars() as begin:
        progress = begin(f"{acting.label}, from {starts.labels[0]}")
        found = examine(acting.environment, acting.controllers, starts, seed, progress, collector)
    seconds = time.perf_counter() - began
    path = write_episode_page(acting, found, seconds, folder / "index.html") if figure else None
    written = data.write(collector)
    if json:
        totals = {measure: float(each.mean()) for measure, each in found.scores.values.items()}
        files = ({} if path is None else {"page": str(path.resolve())}) | written
        ended = {"ended_early": list(found.endings)} if found.endings else {}
        who = controller or (acting.label if policy or schedule else env.presentation.compare[0])
        about = {"id": id, "controller": who, "start": starts.labels[0], "weather": acting.environment.weather_name}
        print_json({**about, **totals, **ended, **files})
        return
    rows = summary_rows(acting, found)
    width = 2 + max(len(words) for words, _, _ in rows)
    for words, value, unit in rows:
        line(f"{words:<{width}}{value:>10} {unit}".rstrip())
    for text in found.endings:
        line(f"\n{text}")
    for name, file in written.items():
        line(f"\nWritten: {file} ({name})")
    if path is not None:
        line(f"\nOpen {path.resolve()}")


def _acting(
    env: Environment[Any, Any], starts: Starts, controller: str | None, policy: Path | None, schedule: Path | None
) -> Competitor:
    """Return the controller of the episode: a policy, a schedule, or one by name, by default the first baseline."""
    from phytotron.controllers import make_competitor
    from phytotron.core.presentation import Competitor

    if policy is not None:
        from phytotron.agents.policy_files import load_policies

        loaded: Sequence[Any] = load_policies(find_policies(policy).paths, env)
        seeds = f"{len(loaded)} seeds" if len(loaded) > 1 else "one seed"
        return Competitor(f"policy {policy.name}", f"trained, {seeds}", env, tuple(loaded), trained=True)
    if schedule is not None:
        from phytotron.controllers.schedule_file import read_schedule

        made = read_schedule(schedule, env, starts.labels[0])
        if made.unused:
            say(f"{made.unused} lines of {schedule} lie outside the episode and are not used")
        return Competitor(f"schedule {schedule.name}", "as the file says", env, (made.controller,))
    return make_competitor(controller or env.presentation.compare[0], env)


def _begun(
    id: str, trained_with: Mapping[str, Any], given: dict[str, Any], weather: str | None, start: str | None
) -> tuple[Environment[Any, Any], Starts]:
    """Return the environment and the episode from a start.

    Where the default weather of the task lacks the start, embedded weather that has it is taken, and that is said.
    """
    from phytotron.episodes.engine import window
    from phytotron.evaluation.other_weather import environment_on
    from phytotron.weather.embedded import EMBEDDED

    chosen = None if weather is None else shared.weather_choice(weather)
    env, options = environment_on(id, trained_with, given, weather=chosen)
    try:
        return env, window(env, start)
    except ValueRangeError:
        by_name = env.weather_name is not None and env.parts
        chooses = weather is not None or "weather" in options
        for other in EMBEDDED if by_name and not chooses else ():
            try:
                elsewhere = put_on(env, other)
                starts = window(elsewhere, start)
            except PhytotronError:  # the error of its own weather says more
                continue
            say(f"the weather {env.weather_name} has no start {start}; the episode is on {elsewhere.weather_name}")
            return elsewhere, starts
        raise
