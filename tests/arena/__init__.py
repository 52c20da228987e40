"""Tests of the arena: matches, intervals, ratings, logs, reports."""
