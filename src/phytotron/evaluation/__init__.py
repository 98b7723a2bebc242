"""Evaluation of controllers: scores, detailed examinations, statistics, attainable shares and speed."""
