"""What commands read and write: arguments, standard streams, files."""
