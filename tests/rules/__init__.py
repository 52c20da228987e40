"""One test or more for each rule of RULES.md: a position in text, an action, a claim worked out by hand."""
