"""Training: agents in environments for as long as it takes, in a folder from which it can go on after any stop."""
