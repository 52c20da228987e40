"""Adapters for reinforcement-learning libraries, one module a library, none of them imported before it is asked for.

| module | library | extra |
|---|---|---|
| `sb3` | Stable-Baselines3 and sb3-contrib | `sb3` |
| `tianshou` | Tianshou 2 | `tianshou` |
| `rllib` | RLlib, the new API stack | `rllib` |
| `torchrl` | TorchRL | `torchrl` |
| `openspiel` | OpenSpiel | `openspiel` |
| `benchmarl` | BenchMARL | `benchmarl` |

PettingZoo and Gymnasium need no adapter (`five_hundred_env.envs`); AgileRL has none, since it can not learn under
masks. Importing a module whose library is absent raises `MissingExtraError`, which names the extra.
`docs/integrations.md` says what works with which version, and how fast.
"""
