"""Laws that hold in every deal of every table: what is kept, what comes back, what stays hidden."""
