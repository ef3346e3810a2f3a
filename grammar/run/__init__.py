"""Trees to values: scopes, the evaluator, unknown numbers, statements and sweeps."""
