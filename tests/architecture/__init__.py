"""Tests of the house itself: floors, names, docstrings, words, and that every rule has a test."""
