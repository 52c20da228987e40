"""Tests of the command line, run in this process."""
