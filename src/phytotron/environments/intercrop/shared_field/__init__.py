"""Two crops that share one field: its light, its water and its nitrogen."""
