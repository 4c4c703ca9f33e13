"""Points of parameter space: networks, the action of H_n on them, and the built-in examples."""
