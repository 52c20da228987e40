"""Recorded games, and what people worked out about them."""
