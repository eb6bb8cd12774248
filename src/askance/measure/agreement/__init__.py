"""How far judges agree: on labels, and on the order of systems that their labels make."""
