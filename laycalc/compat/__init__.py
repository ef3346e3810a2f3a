"""Modules with the names and conventions of other packages over the algebra of this one."""
