"""The plan of a matrix multiplication: copies, shared memory, operands, instructions and epilogue, put together."""
