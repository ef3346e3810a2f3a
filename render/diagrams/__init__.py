"""Diagrams of morphisms: their places, scenes and formats."""
