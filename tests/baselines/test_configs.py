"""Every file in configs/ is read by the algorithm it is for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baselines import imitation, labels, ppo
from baselines.common.networks import Inputs

CONFIGS = Path(__file__).parents[2] / "configs"
READERS = {"imitation.yaml": imitation.read_arguments, "learned_imitation.yaml": imitation.read_arguments}


@pytest.mark.parametrize(
    "path", sorted(set(CONFIGS.glob("*.yaml")) - {CONFIGS / "labels.yaml"}), ids=lambda path: path.name
)
def test_a_config_is_read_and_its_fields_exist(path: Path) -> None:
    config = READERS.get(path.name, ppo.read_arguments)(["--config", str(path)])
    assert len(Inputs(config.drop)) > 0
    assert Path(config.run_dir).parts[0] == "runs"


@pytest.mark.parametrize(
    ("before", "after"), [("imitation.yaml", "from_imitation.yaml"), ("learned_imitation.yaml", "learned.yaml")]
)
def test_ppo_goes_on_from_imitation_with_the_same_network(before: str, after: str) -> None:
    first = imitation.read_arguments(["--config", str(CONFIGS / before)])
    then = ppo.read_arguments(["--config", str(CONFIGS / after)])
    assert then.init == f"{first.run_dir}/{imitation.POLICY}"
    assert (then.layers, then.activation, then.drop) == (first.layers, first.activation, first.drop)
    assert then.turned == first.turned


@pytest.mark.parametrize("after", ["learned_defence.yaml", "learned_games.yaml"])
def test_what_is_averaged_began_as_the_same_policy(after: str) -> None:
    first, then = (ppo.read_arguments(["--config", str(CONFIGS / name)]) for name in ("learned.yaml", after))
    assert then.init == f"{first.run_dir}/{ppo.POLICY}"
    assert (then.layers, then.activation, then.turned) == (first.layers, first.activation, first.turned)
    assert set(then.drop) <= set(first.drop)


def test_the_steps_of_make_baselines_fit_each_other() -> None:
    """Imitation reads where labels are written, and what is shipped is the mean of what the runs of PPO have made."""
    written = labels.read_arguments(["--config", str(CONFIGS / "labels.yaml")])
    read = imitation.read_arguments(["--config", str(CONFIGS / "learned_imitation.yaml")])
    assert read.labels == written.run_dir
    steps = (CONFIGS.parent / "Makefile").read_text().partition("\nbaselines:")[2].partition("\n\n")[0]
    shipped = rf"\$\(PY\) -m baselines\.ship \$\(foreach run,([^,]+),runs/\$\(run\)/{re.escape(ppo.POLICY)}\)$"
    names = re.search(shipped, steps)
    assert names
    runs = [ppo.read_arguments(["--config", str(CONFIGS / f"{name}.yaml")]).run_dir for name in names[1].split()]
    assert runs == [f"runs/{name}" for name in names[1].split()]
    assert all(f"$(PY) -m baselines.ppo --config configs/{name}.yaml\n" in steps for name in names[1].split())
