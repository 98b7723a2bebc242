"""What controllers come to: the totals of whole episodes, one from every start that an environment has."""

from phytotron.evaluation.scores.scores import (
    Scores,
    evaluate,
    evaluate_many,
    evaluate_stacked,
    load_scores,
    save_scores,
)

__all__ = ["Scores", "evaluate", "evaluate_many", "evaluate_stacked", "load_scores", "save_scores"]
