"""The layout algebra: nested tuples, three stride semimodules, layouts and their operations."""
