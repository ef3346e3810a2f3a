"""A tiled copy between two layouts: what each side costs, and the threads and values that are best."""
