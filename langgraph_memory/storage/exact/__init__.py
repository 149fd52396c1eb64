"""Exact search by meaning: every vector of a scope, compared in memory."""
