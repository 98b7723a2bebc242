"""The episode engine: one loop over steps for agents, evaluation and reports, and what is made of its steps."""
