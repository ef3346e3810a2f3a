"""Pictures and tables: a value becomes a scene (plain data), a scene becomes SVG, PNG, PDF, TeX, HTML or text."""
