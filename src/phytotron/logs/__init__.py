"""Logs of real greenhouses: one table form, readers, and checks of what a log says and of what it cannot say."""

from phytotron.logs.checks import Finding, check_log, shared_columns
from phytotron.logs.compartments import EMBEDDED, compartment_names, read_compartment
from phytotron.logs.csv_log import read_csv_log
from phytotron.logs.table import GreenhouseLog, LogError, greenhouse_log
from phytotron.logs.trust import trusted

__all__ = [
    "EMBEDDED",
    "Finding",
    "GreenhouseLog",
    "LogError",
    "check_log",
    "compartment_names",
    "greenhouse_log",
    "read_compartment",
    "read_csv_log",
    "shared_columns",
    "trusted",
]
