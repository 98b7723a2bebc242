"""A closer look at controllers than their scores: violations, average day, mean course, whole series."""

from phytotron.evaluation.examination.average_day import AverageDay, average_day
from phytotron.evaluation.examination.examination import Examination, Violation, examine

__all__ = ["AverageDay", "Examination", "Violation", "average_day", "examine"]
