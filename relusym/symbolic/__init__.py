"""Polynomials in the parameters of shallow networks, and SymPy expressions in Max, Min, Abs and Piecewise."""
