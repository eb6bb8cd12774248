"""Past trajectories for an agent: what was done alike, with what, and from which step on."""
