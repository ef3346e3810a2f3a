"""Every function of the language by name and alias, loaded, for tests that call them as Python does."""

from laycalc.grammar.language.functions import functions

VOCABULARY = {name: row.load() for row in functions() for name in (row.name, *row.aliases)}
