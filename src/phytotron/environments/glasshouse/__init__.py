"""Common parts of all greenhouse tasks: clock, windows of weather, parameters and initial states."""
