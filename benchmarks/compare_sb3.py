"""Our PPO against that of Stable-Baselines3 on the wheat task, with equal settings (preset `cropgym`).

From the repository root, with `pip install 'phytotron[sb3]' scipy`:

    python benchmarks/compare_sb3.py --seeds 5 --steps 150000 --output sb3_runs

Both train on embedded_wheat:train, ours all seeds at once, Stable-Baselines3 one after the other, on one thread of
PyTorch. The policies of the last step are evaluated without exploration on every season of the other two parts. What is
compared are the mean returns of the seeds: 95 % intervals by Student's t, and the p of Mann and Whitney. A run that was
stopped goes on; one that is finished is only evaluated. Exit code 1: the intervals of a part do not overlap.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from phytotron.core.compilation import enable_compilation_cache
from phytotron.evaluation.scores import evaluate_many
from phytotron.evaluation.statistics.comparison import confidence_interval, mann_whitney
from phytotron.training.folder import RunFolder
from phytotron.training.setup import make_environment, prepare

ID, PRESET, SPLIT = "phytotron/WheatNitrogen-v0", "cropgym", "embedded_wheat"
BACKENDS = {"jax": "ours", "sb3": "Stable-Baselines3"}
PARTS = ("test", "validation")


def trained(backend: str, folder: Path, seeds: int, steps: int) -> RunFolder:
    """A finished run."""
    run = RunFolder(folder / backend)
    options = {"weather": f"{SPLIT}:train"}
    setup = prepare(ID, preset=PRESET, seeds=range(seeds), steps=steps, options=options, backend=backend)
    resume = run.config_path.exists()
    if resume and run.lines() and run.lines()[-1].get("reason") == "finished":
        return run
    if backend == "sb3":
        import torch

        from phytotron.training.backends.sb3.train import train_sb3

        torch.set_num_threads(1)
        outcome = train_sb3(setup, run.path, listeners=[_show], say=_say, resume=resume)
    else:
        from phytotron.training.loop import train

        outcome = train(setup.agent, run.path, setup.config, listeners=[_show], say=_say, resume=resume)
    if outcome.reason != "finished":
        sys.exit(f"stopped at step {outcome.step}; run the same command to go on")
    return run


def returns(run: RunFolder, part: str) -> list[float]:
    """Of every seed, in the mean over the seasons of a part."""
    from phytotron.agents.policy_files import load_policy

    environment = make_environment(ID, {"weather": f"{SPLIT}:{part}"})
    scores = evaluate_many(environment, [load_policy(path) for path in run.list_policies()])
    return [float(each) for each in scores.means()["return"]]


def speed(run: RunFolder) -> float:
    """Steps of all seeds in a second of training, in the median over the lines of the metrics."""
    return float(np.median([line["steps_per_second"] for line in run.lines() if line["kind"] == "training"]))


def compare(runs: dict[str, RunFolder]) -> dict[str, Any]:
    found: dict[str, Any] = {"steps_per_second": {name: speed(run) for name, run in runs.items()}}
    for part in PARTS:
        each = {name: returns(run, part) for name, run in runs.items()}
        summary: dict[str, Any] = {
            name: {"returns": values, "mean": float(np.mean(values)), "half": confidence_interval(np.array(values))}
            for name, values in each.items()
        }
        one, other = summary.values()
        found[part] = {
            **summary,
            "p": mann_whitney(*each.values()).p,
            "overlap": abs(one["mean"] - other["mean"]) <= one["half"] + other["half"],
        }
    return found


def show(found: dict[str, Any], seeds: int, steps: int) -> None:
    print(f"\n{ID}, preset {PRESET}, {seeds} seeds of {steps:,} steps; mean return of the seeds ± 95 % interval")
    print(f"{'':20}{'test':>20}{'validation':>20}{'steps/s':>12}")
    for backend, name in BACKENDS.items():
        cells = [f"{found[part][backend]['mean']:.2f} ± {found[part][backend]['half']:.2f}" for part in PARTS]
        print(f"{name:20}{cells[0]:>20}{cells[1]:>20}{found['steps_per_second'][backend]:>12,.0f}")
    print(f"{'p':20}{found['test']['p']:>20.3f}{found['validation']['p']:>20.3f}")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _show(line: dict[str, Any]) -> None:
    if line["kind"] == "training" and line["step"] % 20_480 == 0:
        known = [f"{each:.1f}" for each in line["return"] if each is not None]
        _say(f"  {line['step']:>8,} steps, return {', '.join(known)}, {line['steps_per_second']:,.0f} steps/s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=150_000, help="of each seed")
    parser.add_argument("--output", type=Path, required=True, help="folder of the two runs and of comparison.json")
    chosen = parser.parse_args()
    enable_compilation_cache()
    runs = {backend: trained(backend, chosen.output, chosen.seeds, chosen.steps) for backend in BACKENDS}
    found = compare(runs)
    versions = runs["sb3"].config()["versions"]
    about = {"environment": ID, "preset": PRESET, "seeds": chosen.seeds, "steps": chosen.steps, "versions": versions}
    (chosen.output / "comparison.json").write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")
    show(found, chosen.seeds, chosen.steps)
    return 0 if all(found[part]["overlap"] for part in PARTS) else 1


if __name__ == "__main__":
    sys.exit(main())
