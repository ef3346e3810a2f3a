"""The commands, one a file: arguments in, exit code out. What two commands share lives below."""
