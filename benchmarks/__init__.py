"""Speed, measured side by side: `make bench` writes docs/benchmarks.md from one run.

Figures are ratios within a run: contenders play in turn, in slices of a fraction of a second, several rounds long.

=============  ======================================================================
harness.py     contenders, the processes they live in, rounds, medians (no dependencies)
catalogue.py   every contender as data: its name, its process, where it is not like for like
peers.py       other libraries, in an environment of their own
ours.py        this package
probes.py      what needs a fresh process: start-up, memory, scale, a training run
report.py      results.json to docs/benchmarks.md and its pictures
run.py         the command
=============  ======================================================================
"""
