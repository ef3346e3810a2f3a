"""What is asked of layouts: claims, laws with witnesses, analyses and tables. They make no new layout."""
