"""Algorithms that learn Five Hundred, one file each, read top to bottom; the only home of torch."""

import os

# Threads that wait for each other sleep instead of spinning: where other programs run, too, this is several times
# faster. It has to be said before torch is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
