"""Every figure that source 000 printed, recomputed from its own counts, labels and outcomes per query."""
