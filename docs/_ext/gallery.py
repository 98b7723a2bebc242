"""The gallery: every kind of figure that the package draws, drawn by the build of the site."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import gymnasium
import matplotlib.image
from matplotlib import pyplot

import phytotron
from drawing import outdated
from environment_pages import page_name
from phytotron.controllers import make_competitor
from phytotron.core.registry import registered
from phytotron.evaluation.examination import examine
from phytotron.papers.trained import COMMITTED
from phytotron.report import figures
from phytotron.report.climate_figure import climate_figure
from phytotron.report.gathering import Entry, Section, read_runs
from phytotron.report.plotting import AMBER, GREEN, GREY, save
from phytotron.report.svg_chart import legend
from phytotron.report.weather_figure import weather_figure
from phytotron.weather.climate.statistics import generated_and_observed
from phytotron.weather.embedded import embedded_weather
from phytotron.weather.generator import WeatherGenerator

STEPS = 150  # before an environment is drawn: noon in the greenhouse
YEARS = 20  # of generated weather
WHEAT = "phytotron/WheatNitrogen-v0"
INTRODUCTION = "Every kind of figure that the package draws, drawn by the build of this page."
PICTURES = (
    'Every environment is drawn by `render_mode="rgb_array"` of Gymnasium: the greenhouse as a picture of the house '
    "and its last day, every task as a chart of its channels. Here under random actions."
)
REPORT = (
    "`phytotron report` draws curves over an episode, distributions of scores, scores by window and learning curves "
    "as SVG; here the baselines of the wheat task, and the agent of CropGym's paper that comes with the package."
)
WEATHER = "`phytotron weather plot` draws a file or a series."
GENERATED = "`phytotron weather generate --figure` holds generated days against observed ones."
ELSEWHERE = (
    "Pages of single episodes (`phytotron run`), of calibrated greenhouses (`phytotron replay --page`) and of the "
    "papers (`phytotron reproduce`) have figures of their own: [](running.md), [](twin.md), [](papers.md)."
)
COMPARED = (("standard-practice", AMBER, "dashed"), ("ceres", GREEN, "dotted"), ("none", GREY, "dashed"))


def draw_gallery(folder: Path) -> str:
    """Draw what is missing or outdated in a folder, and return the page in markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = ["# Gallery", INTRODUCTION, "## Pictures of environments", PICTURES]
    for id in registered():
        parts.append(_image(folder / f"picture_{page_name(id)}.png", f"`{id}`", lambda path, id=id: _picture(id, path)))
    parts += ["## Figures of a report", REPORT, _report(folder / "report.html")]
    parts += ["## Weather", WEATHER, _image(folder / "weather.png", "Two weeks of Schiphol in March 2010", _weather)]
    parts += [GENERATED, _image(folder / "climate.png", f"{YEARS} generated years of Wageningen", _climate), ELSEWHERE]
    return "\n\n".join(parts) + "\n"


def _image(path: Path, caption: str, draw: Callable[[Path], None]) -> str:
    if outdated(path):
        draw(path)
        pyplot.close("all")
    return f"```{{figure}} _static/gallery/{path.name}\n:alt: {caption.strip('`')}\n:figclass: wide\n\n{caption}\n```"


def _picture(id: str, path: Path) -> None:
    env = gymnasium.make(id, render_mode="rgb_array")
    env.action_space.seed(0)
    env.reset(seed=0)
    for _ in range(STEPS):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    matplotlib.image.imsave(path, env.render())
    env.close()


def _report(path: Path) -> str:
    if outdated(path):
        training = phytotron.make(WHEAT)
        env = training.on("test")
        entries = []
        for name, colour, dash in COMPARED:
            competitor = make_competitor(name, env, training)
            entries.append(Entry(competitor, examine(competitor.environment, competitor.controllers), colour, dash))
        runs = tuple(read_runs([COMMITTED / "cropgym" / "ppo"]))
        section = Section(env, training.weather_name, runs, (), tuple(entries), True)
        keys = legend([(entry.label, entry.colour, entry.dash) for entry in entries])
        drawn = (figures.curves_figure, figures.profile_figure, figures.windows_figure, figures.learning_figure)
        path.write_text(keys + "".join(draw(section) for draw in drawn), encoding="utf-8")
    return f'```{{raw}} html\n<div class="report">{path.read_text(encoding="utf-8")}</div>\n```'


def _weather(path: Path) -> None:
    save(weather_figure(embedded_weather("schiphol").window(datetime(2010, 3, 1), datetime(2010, 3, 15))), path)


def _climate(path: Path) -> None:
    generator = WeatherGenerator("wageningen")
    save(climate_figure(*generated_and_observed(generator, 0, YEARS), f"Wageningen, {YEARS} years"), path)
