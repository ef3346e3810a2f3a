"""A layout of shared memory for a tile and several accesses: what is searched, what it costs, what is the best."""
