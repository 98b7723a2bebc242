"""The parts that all greenhouse tasks share: clock, windows of weather, parameters and starting states."""
