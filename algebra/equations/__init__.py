"""Equations between layouts: A o X = C, X o B = C, and the tilers of A o X = C and A / X = C."""
