"""Whole files of C++, CUDA and Python: what they define, what their names denote, and what is wrong with it."""
