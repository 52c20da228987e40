"""Every file in configs/ is read by the algorithm it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from baselines import imitation, ppo
from baselines.common.networks import Inputs

CONFIGS = Path(__file__).parents[2] / "configs"
READERS = {"imitation.yaml": imitation.read_arguments}


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_config_is_read_and_its_fields_exist(path: Path) -> None:
    config = READERS.get(path.name, ppo.read_arguments)(["--config", str(path)])
    assert len(Inputs(config.drop)) > 0
    assert Path(config.run_dir).parts[0] == "runs"


def test_ppo_goes_on_from_imitation_with_the_same_network() -> None:
    first = imitation.read_arguments(["--config", str(CONFIGS / "imitation.yaml")])
    then = ppo.read_arguments(["--config", str(CONFIGS / "from_imitation.yaml")])
    assert then.init == f"{first.run_dir}/{imitation.POLICY}"
    assert (then.layers, then.activation, then.drop) == (first.layers, first.activation, first.drop)
