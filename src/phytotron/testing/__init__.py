"""Checks of environments, for tests of the package and of packages that add to it."""

from phytotron.testing.check import CHECKS, EnvironmentCheckError, check_environment, find_faults

__all__ = ["CHECKS", "EnvironmentCheckError", "check_environment", "find_faults"]
