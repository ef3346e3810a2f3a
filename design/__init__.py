"""Finding layouts: what answers a task, and the searches behind it. Stands on atoms and algebra, and reads no text."""
