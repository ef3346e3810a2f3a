"""What the command check does: configuration, the places of layouts in files, one file's statements, the pool."""
