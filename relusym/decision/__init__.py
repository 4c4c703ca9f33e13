"""Decisions: equality, similarity and alignment of networks, with certificates and their stand-alone checker."""
