"""What the hardware itself is given: the bits of matrix descriptors, the arguments of tensor maps."""
