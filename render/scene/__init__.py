"""A picture as plain data and its geometry: scene, roles, colours, options, places. No format, no kind of picture."""
