"""One writer of scenes a file: SVG, TeX, PNG and PDF, HTML, the terminal. No layouts."""
