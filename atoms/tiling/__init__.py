"""One instruction repeated over threads and values: tiled MMA and copy, a thread's part, who owns what."""
