"""Which policies were the best so far, and when it is time to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from phytotron.core.environment import Environment
from phytotron.core.errors import PhytotronError
from phytotron.evaluation.scores import evaluate_stacked
from phytotron.training.config import EvaluationPlan
from phytotron.training.folder import Line


@dataclass
class Judge:
    """Evaluates the policies of all seeds now and then."""

    plan: EvaluationPlan
    environment: Environment[Any, Any]
    best: list[float | None]  # mean return of each seed
    best_mean: float | None = None  # over seeds
    waited: int = 0  # evaluations since it improved
    improved: list[int] = field(default_factory=list)  # rows, in the last evaluation

    def due(self, before: int, now: int, last: bool) -> bool:
        """Whether a multiple of the interval was passed between two steps."""
        return last or now // self.plan.every > before // self.plan.every

    @property
    def enough(self) -> bool:
        """Whether nothing has improved for as long as the plan waits."""
        return self.plan.patience is not None and self.waited >= self.plan.patience

    def evaluate(self, policies: Any, step: int) -> Line:
        """Judge stacked policies on the evaluation weather; a line for the metrics."""
        scores = evaluate_stacked(self.environment, policies, episodes=self.plan.episodes)
        means = {name: each.tolist() for name, each in scores.means().items()}
        returns: Sequence[float] = means["return"]
        if not np.all(np.isfinite(returns)):
            raise PhytotronError(f"the returns {returns} of the evaluation at step {step} are not all finite")
        self._note(returns)
        measures = {name: means[name] for name in scores.names}
        weather = self.plan.weather
        return {"kind": "evaluation", "step": step, "weather": weather, "return": returns, "measures": measures}

    def _note(self, returns: Sequence[float]) -> None:
        pairs = list(enumerate(zip(returns, self.best, strict=True)))
        self.improved = [row for row, (now, best) in pairs if best is None or now > best]
        for row in self.improved:
            self.best[row] = float(returns[row])
        mean = float(np.mean(returns))
        if self.best_mean is None or mean > self.best_mean + self.plan.improvement:
            self.best_mean, self.waited = mean, 0
        else:
            self.waited += 1

    def memory(self) -> dict[str, Any]:
        """What a checkpoint holds of it."""
        return {"best": self.best, "best_mean": self.best_mean, "waited": self.waited}

    def remember(self, memory: dict[str, Any]) -> None:
        """Go on from what a checkpoint holds."""
        self.best, self.best_mean, self.waited = list(memory["best"]), memory["best_mean"], int(memory["waited"])
