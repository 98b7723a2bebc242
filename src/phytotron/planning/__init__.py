"""Planning with the model: the oracle (the best plan in hindsight), predictive control, and tuned rules."""
