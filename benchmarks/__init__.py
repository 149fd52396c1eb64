"""Measurements, each a package to run with ``python -m``; nothing of the product imports them."""
