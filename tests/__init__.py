"""The test suite; CONTRIBUTING.md says what lives where."""
