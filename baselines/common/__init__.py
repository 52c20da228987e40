"""What the algorithms share, once and tested: sources of transitions, advantages, networks, checkpoints, options."""
