"""Derivations: the steps of a result, and the sentences that tell them."""
