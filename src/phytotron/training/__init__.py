"""Training: agents learn in environments, in a folder from which training can be resumed after any interruption."""
