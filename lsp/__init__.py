"""The editor's server: what is told about a place in a text, and the protocol that asks for it."""
