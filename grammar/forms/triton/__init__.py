"""Triton and Gluon: distributed, shared and linear encodings."""
