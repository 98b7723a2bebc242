"""Measure what the baselines of every environment score, for the pages of the environments.

    python docs/_ext/measure_scores.py            # all environments
    python docs/_ext/measure_scores.py ID ...     # some of them

The result is `docs/_data/scores.json`. It is measured by hand and not by the build, as it takes minutes. Every
controller plays one episode from each start of the test weather of the environment, or of its only weather; so does
every seed of the agents of the package that were trained in the very task. Where plans of `phytotron oracle` are stored
for these starts, the attainable share is measured too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from phytotron.agents.policy_files import load_policies
from phytotron.controllers import make_competitor
from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.core.registry import make, registered
from phytotron.episodes.engine import windows
from phytotron.evaluation.attainable import attainable_at_hand
from phytotron.evaluation.scores import Scores, evaluate_many
from phytotron.papers.trained import COMMITTED
from phytotron.training.folder import RunFolder

TUNED = "tuned-rules"
SCORES = Path(__file__).resolve().parents[1] / "_data" / "scores.json"


def measured(id: str) -> dict[str, Any]:
    """Mean return of every baseline of an environment, and the share of the attainable return that it reaches."""
    env = make(id)
    training = env.on("train") if "train" in env.parts else env
    task = env.on("test") if "test" in env.parts else env
    ceiling = attainable_at_hand(task, windows(task), training)
    found: dict[str, Any] = {}

    def add(name: str, what: str, scores: Scores, **more: Any) -> None:
        mean = round(float(scores.values["return"].mean()), 4) + 0.0  # no -0.0
        found[name] = {"note": what, "return": mean, "episodes": len(scores.labels), **more}
        if ceiling is not None:
            found[name]["share"] = round(float(ceiling.share(scores).value), 4)

    for name in dict.fromkeys((*env.presentation.compare, *env.baselines, TUNED, "off", "random")):
        try:
            competitor = make_competitor(name, task, training)
        except PhytotronError:
            if name != TUNED:  # rules of these options may not be tuned
                raise
            continue
        add(name, competitor.note, evaluate_many(competitor.environment, competitor.controllers))
    for run in agents_of(env):
        policies = load_policies(run.list_policies(), task)
        name, what = run.path.relative_to(COMMITTED).as_posix(), run.config()["agent"].upper()
        scores = evaluate_many(task, policies)
        seeds = [round(float(mean), 4) for mean in scores.values["return"].mean(axis=1)]
        add(name, f"{what}, mean of {len(policies)} seeds; comes with the package", scores, seeds=seeds)
    if ceiling is not None:
        best, note = ceiling.upper.values["return"], "the best plan found by a search that knows all weather to come"
        mean = round(float(best.mean()), 4)
        found["oracle"] = {"note": note, "return": mean, "episodes": best.shape[1], "share": 1.0}
    return {"weather": task.weather_name, "scores": found}


def agents_of(env: Environment[Any, Any]) -> list[RunFolder]:
    """Trained runs of the package in this task, with the options of the task but for the weather."""
    runs = [RunFolder(path.parent) for path in sorted(COMMITTED.glob("*/*/config.json"))]
    places = [(run, run.config()["environment"]) for run in runs]
    return [run for run, place in places if place["id"] == env.id and place["options"].keys() <= {"weather"}]


def main(ids: list[str]) -> None:
    """Measure some environments, or all, and write the file anew; scores of the others stay as they are."""
    known = json.loads(SCORES.read_text(encoding="utf-8")) if SCORES.exists() else {}
    for id in ids or registered():
        known[id] = measured(id)
        SCORES.parent.mkdir(exist_ok=True)
        SCORES.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
        print(id, known[id])


if __name__ == "__main__":
    main(sys.argv[1:])
