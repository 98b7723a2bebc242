"""Common parts of all tasks in a field: seasons, doses, the record of what was applied, and rule-based controllers."""
