"""The page that needs no installation: what it asks and is told, the server on this machine, the build for a host."""
