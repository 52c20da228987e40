"""TorchRL: the environment, the decisions of each seat out of its rollouts, and the agent of what was learned.

TorchRL's `PettingZooWrapper` tells the observations and rewards of all four seats at every step, and with `mask` which
seat is to move. So three quarters of a rollout are no decisions; but they are where most rewards arrive, since a deal
ends on some other seat's card. Dropping the idle steps drops those rewards. `own_decisions` keeps a seat's own
decisions and adds up what comes in until its next one.

::

    env = make_env(episode="deal")
    collector = Collector(env, policy, frames_per_batch=1024)
    for rollout in collector:
        batch = own_decisions(rollout)     # [N], all that GAE and ClipPPOLoss need
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from five_hundred_env import five_hundred_v0
from five_hundred_env.envs.aec import AGENTS
from five_hundred_env.integrations._require import require

with require("TorchRL", extra="torchrl"):
    import torch
    from tensordict import TensorDict, TensorDictBase
    from tensordict.nn import TensorDictModule
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
    from torchrl.modules import MaskedCategorical, ProbabilisticActor

from five_hundred_env.agents.network import NetworkAgent
from five_hundred_env.integrations._torch import torch_agent

GROUP = "seats"
"""The group of all four seats, which play by one policy."""
TOGETHER = {GROUP: list(AGENTS)}
SIDES = {"side_0": [AGENTS[0], AGENTS[2]], "side_1": [AGENTS[1], AGENTS[3]]}
"""Group map of one policy a side."""


def make_env(
    group_map: dict[str, list[str]] | None = None, seed: int | None = None, **options: Any
) -> PettingZooWrapper:
    """Return the AEC environment as TorchRL takes it.

    Args:
        group_map: Which seats share a policy: `TOGETHER`, the default, or `SIDES`.
        seed: Of the first game; the others follow from it. A collector's `set_seed` is no substitute: it deals anew
            under a policy that still looks at the old deal.
        options: Arguments of `five_hundred_v0.env`.
    """
    table = five_hundred_v0.env(**options)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested", UserWarning)  # with 1.24.3; tested here
        return PettingZooWrapper(table, use_mask=True, group_map=dict(group_map or TOGETHER), seed=seed)


def masked_actor(network: torch.nn.Module, group: str | None = GROUP) -> ProbabilisticActor:
    """Return a policy that never samples an illegal action.

    Args:
        network: `[B, O] int8` observations to `[B, A]` logits.
        group: The group that it plays, in rollouts; None for the keys that `own_decisions` writes. Both kinds may share
            a network, one to collect and one for the loss.
    """
    observation: Any = "observation" if group is None else (group, "observation", "observation")

    def key(name: str) -> Any:
        return name if group is None else (group, name)

    return ProbabilisticActor(
        TensorDictModule(network, in_keys=[observation], out_keys=[key("logits")]),
        in_keys={"logits": key("logits"), "mask": key("action_mask")},
        out_keys=[key("action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=key("action_log_prob"),
    )


def own_decisions(rollout: TensorDictBase, group: str = GROUP) -> TensorDictBase:
    """Return the decisions of a group's seats, each with the rewards up to the same seat's next decision.

    A decision whose outcome lies beyond the end of the rollout is left out, and so are rewards that belong to it. The
    last decision of a seat that is left counts as truncated, with the observation that followed.

    Args:
        rollout: `[T]` steps of a `PettingZooWrapper`, one after the other; episodes may end within.
        group: A group of its group map.

    Returns:
        `[N]` with `observation` `[N, O]`, `action_mask`, `action`, `action_log_prob` where it was noted, and under
        `next` `observation`, `reward`, `terminated`, `truncated` and `done`; the decisions of a seat stand together, in
        the order of play, so that advantages can be computed over them as they are.
    """
    seats = range(rollout[group, "mask"].shape[-1])
    return torch.cat([_decisions_of(rollout, group, seat) for seat in seats])


def _decisions_of(rollout: TensorDictBase, group: str, seat: int) -> TensorDictBase:
    """Return one seat's decisions."""
    now, after = rollout[group][:, seat], rollout["next", group][:, seat]
    first, last = _spans(now["mask"], rollout["next", "done"].squeeze(-1))
    sums = torch.cat([torch.zeros_like(after["reward"][:1]), after["reward"].double().cumsum(0)])
    kept = [name for name in ("action_mask", "action", "action_log_prob") if name in now.keys()]  # noqa: SIM118 - iterates over rows
    decisions = TensorDict({name: now[name][first] for name in kept}, [len(first)])
    decisions["observation"] = now["observation", "observation"][first]
    outcome = TensorDict({name: after[name][last] for name in ("terminated", "truncated", "done")}, [len(first)])
    outcome["observation"] = after["observation", "observation"][last]
    outcome["reward"] = (sums[last + 1] - sums[first]).to(after["reward"].dtype)
    if len(first):
        outcome["truncated"][-1] |= ~outcome["done"][-1]
        outcome["done"][-1] = True
    decisions["next"] = outcome
    return decisions


def _spans(acts: torch.Tensor, done: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return first and last step of each decision of a seat whose outcome is known.

    Args:
        acts: `[T] bool`, where the seat is to move.
        done: `[T] bool`, where an episode ends.
    """
    steps = len(done)
    first = acts.nonzero().flatten()
    beyond = first.new_tensor([steps])
    before_next = torch.cat([first[1:] - 1, beyond])
    ends = torch.cat([done.nonzero().flatten(), beyond])
    last = torch.minimum(before_next, ends[torch.searchsorted(ends, first)])
    known = last < steps
    return first[known], last[known]


def network_agent(
    network: Callable[[torch.Tensor], torch.Tensor], name: str = "torchrl", greedy: bool = True
) -> NetworkAgent:
    """Return an agent that plays by a network, for the arena and for `FiveHundred/Seat-v0`.

    Args:
        network: `[B, O] int8` observations to `[B, A]` logits, the one that `masked_actor` was given.
        name: How reports call it.
        greedy: Take the most likely action; otherwise sample with the keys.
    """
    return torch_agent(name, lambda observation, _mask: network(observation), greedy)
