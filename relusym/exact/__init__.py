"""Exact numbers, fields, matrices and lattices: everything that a verdict rests on."""
