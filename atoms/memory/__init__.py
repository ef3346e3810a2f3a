"""What an access costs: bank conflicts, sectors, vectors, and the swizzles that help."""
