"""GreenLight-Gym: van Laatum, van Henten and Boersma, a reinforcement-learning benchmark for greenhouse control."""
