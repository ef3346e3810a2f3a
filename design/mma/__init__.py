"""A tiled MMA: how warps, repeats and permutations share the operands' loads and the accumulators' stores."""
