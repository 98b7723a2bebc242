"""Two crops beside each other: what each does to the other."""
