"""What all searches share."""
