"""The common ground of all tasks in a field: seasons, doses, what the farmer has done, and who gives doses by rule."""
