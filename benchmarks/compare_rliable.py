"""Compare `phytotron.evaluation.statistics.comparison` with rliable 1.2.0, the library of Agarwal et al. 2021.

rliable 1.2.0 comes without a wheel, and the newest arch that it allows cannot be imported with pandas 3, so its
environment is made by hand. From the repository root with the interpreter that has Phytotron installed:

    python -m venv .peers/rliable-1.2.0
    .peers/rliable-1.2.0/bin/pip install rliable==1.2.0 "pandas<3"
    python benchmarks/compare_rliable.py --peer-python .peers/rliable-1.2.0/bin/python

The scores are made from a seed and rounded, so that some are equal. Two kinds of rows must agree to 1e-9: statistics
without chance, and bootstrap intervals for which rliable is handed our resampled runs. A third kind, intervals for
which each library draws runs of its own, is only shown: they agree within the noise of drawing. Exit code 1: a
difference; 2: rliable could not be run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RLIABLE = ("rliable", "1.2.0")
TOLERANCE = 1e-9
DATA_SEED, SEED, DRAWS = 2021, 7, 2_000
GAMMA = 0.8
THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)
OWN_DRAWS = " (own draws)"

Numbers = NDArray[np.float64]
Statistics = dict[str, list[float]]


def scores() -> tuple[Numbers, Numbers]:
    """Scores (10 runs, 12 tasks) and (7 runs, 12 tasks), two digits each."""
    random = np.random.default_rng(DATA_SEED)
    tasks = np.linspace(0.3, 0.9, 12)
    return random.normal(tasks, 0.25, (10, 12)).round(2), random.normal(tasks - 0.1, 0.3, (7, 12)).round(2)


def ours() -> Statistics:
    """What Phytotron gives; the statistic itself, then the ends of its interval."""
    from phytotron.evaluation.statistics import comparison

    x, y = scores()
    aggregates: dict[str, Callable[[Any], Any]] = {
        "interquartile mean": comparison.interquartile_mean,
        "mean": comparison.mean_score,
        "median of task means": comparison.median_of_task_means,
        "optimality gap": partial(comparison.optimality_gap, gamma=GAMMA),
    }
    found: Statistics = {}
    for name, statistic in aggregates.items():
        found[name] = [float(statistic(x))]
        found[f"{name}, interval"] = list(comparison.stratified_bootstrap(statistic, x, SEED, DRAWS)[1:])
        found[f"{name}, interval{OWN_DRAWS}"] = list(comparison.stratified_bootstrap(statistic, x, SEED + 1, DRAWS)[1:])
    improvement = comparison.probability_of_improvement(x, y, SEED, DRAWS)
    found["probability of improvement"] = [improvement.value]
    found["probability of improvement, interval"] = list(improvement[1:])
    for name, profile in (
        ("score profile", comparison.performance_profile(x, THRESHOLDS, SEED, DRAWS)),
        ("average-score profile", comparison.average_score_profile(x, THRESHOLDS, SEED, DRAWS)),
    ):
        found[name] = profile.share.tolist()
        found[f"{name}, interval"] = [*profile.low.tolist(), *profile.high.tolist()]
    return found


def theirs() -> Statistics:
    """What rliable gives, under the same names."""
    from rliable import library, metrics  # type: ignore[import-not-found]

    def resampled_runs(table: Numbers, k: int) -> Iterator[tuple[Any, ...]]:
        """The runs and tasks of every draw, as `comparison` chooses them for its table k."""
        random = np.random.default_rng((SEED, k))
        for _ in range(DRAWS):
            yield random.integers(len(table), size=table.shape), np.arange(table.shape[1])

    def interval(statistic: Callable[..., Any], *tables: Numbers) -> list[float]:
        """Both ends with our resampled runs: the low ones, then the high ones."""
        chosen = zip(*(resampled_runs(table, k) for k, table in enumerate(tables)), strict=True)
        if len(tables) == 1:
            bootstrap = library.StratifiedBootstrap(*tables)
            bootstrap.update_indices = lambda: next(chosen)[0]
        else:
            bootstrap = library.StratifiedIndependentBootstrap(*tables)
            bootstrap.update_indices = lambda: (list(next(chosen)), {})
        ends = bootstrap.conf_int(lambda *args: np.atleast_1d(statistic(*args)), reps=DRAWS, method="percentile")
        return [float(each) for each in ends.ravel()]

    def own_interval(statistic: Callable[..., Any], table: Numbers) -> list[float]:
        np.random.seed(SEED)  # rliable draws from NumPy's global state
        _, ends = library.get_interval_estimates({"": table}, lambda s: np.array([statistic(s)]), reps=DRAWS)
        return [float(each) for each in ends[""].ravel()]

    x, y = scores()
    aggregates: dict[str, Callable[[Numbers], Any]] = {
        "interquartile mean": metrics.aggregate_iqm,
        "mean": metrics.aggregate_mean,
        "median of task means": metrics.aggregate_median,
        "optimality gap": lambda table: metrics.aggregate_optimality_gap(table, GAMMA),
    }
    found: Statistics = {}
    for name, statistic in aggregates.items():
        found[name] = [float(statistic(x))]
        found[f"{name}, interval"] = interval(statistic, x)
        found[f"{name}, interval{OWN_DRAWS}"] = own_interval(statistic, x)
    found["probability of improvement"] = [float(metrics.probability_of_improvement(x, y))]
    found["probability of improvement, interval"] = interval(metrics.probability_of_improvement, x, y)
    for name, share in (
        ("score profile", library.score_distributions),
        ("average-score profile", library.average_score_distributions),
    ):
        found[name] = share(x, np.array(THRESHOLDS)).tolist()
        found[f"{name}, interval"] = interval(lambda table, share=share: share(table, np.array(THRESHOLDS)), x)
    return found


def main() -> int:
    """Print both and say whether they agree."""
    import peers

    parser = argparse.ArgumentParser(description="Compare Phytotron's statistics with those of rliable.")
    peers.add_peer_argument(parser)
    parser.add_argument("--json", action="store_true", help="print every number of rliable in full")
    arguments = parser.parse_args()
    if arguments.peer_python is None:
        parser.error("--peer-python is needed: an interpreter with rliable; the head of this file says how to make one")
    try:
        python = peers.ensure(*RLIABLE, arguments.peer_python)
        reference = peers.run_json([python, "-I", Path(__file__), "theirs"], "rliable")
    except peers.PeerError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps(reference, indent=1))
    found, differing = ours(), []
    for name, values in reference.items():
        difference = float(np.max(np.abs(np.subtract(values, found[name]))))
        if not name.endswith(OWN_DRAWS) and not difference <= TOLERANCE:
            differing.append(name)
        if not arguments.json:
            shown = ("  ".join(f"{each:.9f}" for each in row) for row in (values, found[name]))
            print(
                name, *(f"  {label:10}{row}" for label, row in zip(("rliable", "ours"), shown, strict=True)), sep="\n"
            )
            print(f"  {'largest difference':20}{difference:.1e}")
    if found.keys() != reference.keys():
        differing.append("the names of the statistics")
    if differing:
        print(f"differ by more than {TOLERANCE:g}: {', '.join(differing)}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["theirs"]:  # started by `main` with the interpreter that has rliable
        print(json.dumps(theirs()))
    else:
        sys.exit(main())
