"""Van Henten's lettuce greenhouse."""
