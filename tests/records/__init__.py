"""Tests of records: what is written is read back, and what is false is refused."""
