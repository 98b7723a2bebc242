"""The episode engine: one loop over steps for agents, evaluation and reports, and the records and files made
from it.
"""
