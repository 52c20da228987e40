"""Speed held by counts: compiled calls, allocations, compilations, imports. Nothing here looks at a clock."""
