"""The core against its second writing, a table against its batch, compiled code against plain Python."""
