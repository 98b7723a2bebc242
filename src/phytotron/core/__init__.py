"""The contract of environments and controllers, and helpers that every other package uses."""
