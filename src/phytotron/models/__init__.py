"""Models of greenhouses and crops as pure functions."""
