"""Finding agents, and saying why one is not found."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from five_hundred_env.agents import BUILT_IN, agent_names, load_agent, registry
from five_hundred_env.agents.base import Actions, Agent, Keys
from five_hundred_env.core.observe import Bytes
from five_hundred_env.errors import AgentError, CheckpointError


class First:
    """An agent that takes the first legal action."""

    name = "first"

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        assert len(observation) == len(keys)
        return (mask != 0).argmax(axis=1).astype(np.int64)


first = First()
number = 7


def make_first() -> Agent:
    return First()


def raises() -> Agent:
    raise KeyError("no weights")


@pytest.mark.parametrize("name", ["random", "passer", "greedy", "rule", "overbidder", "misere_spammer"])
def test_built_in_agents_are_found_by_name(name: str) -> None:
    agent = load_agent(name)
    assert agent is BUILT_IN[name]
    assert agent.name == name
    assert isinstance(agent, Agent)


def test_rule_is_version_one() -> None:
    """The yardstick of all ratings: a change of its decisions is a change of this number."""
    assert getattr(load_agent("rule"), "version", None) == 1


@pytest.mark.parametrize("attribute", ["first", "First", "make_first"])
def test_an_instance_a_class_and_a_function_are_taken(attribute: str) -> None:
    assert load_agent(f"tests.agents.test_registry:{attribute}").name == "first"


def test_an_agent_is_returned_as_it_is() -> None:
    assert load_agent(first) is first


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(AgentError, match="no agent is called 'rul'; agents are random, passer, greedy, rule"):
        load_agent("rul")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tests.agents.test_registry:second", "has no attribute 'second'"),
        ("tests.agents.no_such_module:agent", "ModuleNotFoundError"),
        ("tests.agents.test_registry:raises", "KeyError: 'no weights'"),
        ("tests.agents.test_registry:number", "is a int, which lacks"),
        ("no/such/agent.py", "there is no such file"),
    ],
)
def test_what_can_not_be_loaded_says_why(spec: str, message: str) -> None:
    with pytest.raises(AgentError, match=message) as caught:
        load_agent(spec)
    assert spec in str(caught.value)


def test_an_object_without_act_is_refused() -> None:
    with pytest.raises(AgentError, match="lacks a `name` or a method"):
        load_agent(SimpleNamespace(name="mute"))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["absent.onnx", "absent.safetensors"])
def test_an_absent_network_is_no_checkpoint(name: str) -> None:
    with pytest.raises(CheckpointError, match="there is no such file"):
        load_agent(name)


def test_a_python_file_with_an_agent_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from tests.agents.test_registry import First\n\nagent = First\n")
    assert load_agent(path).name == "first"


@pytest.mark.parametrize(
    ("source", "message"), [("agents = 1", "defines no `agent`"), ("agent = 1 / 0", "ZeroDivisionError")]
)
def test_a_python_file_without_an_agent_says_so(tmp_path: Path, source: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    with pytest.raises(AgentError, match=message):
        load_agent(path)


def test_entry_points_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = SimpleNamespace(name="elsewhere", load=lambda: First)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry] if group == "five_hundred.agents" else [])
    assert "elsewhere" in agent_names()
    assert load_agent("elsewhere").name == "first"
    with pytest.raises(AgentError, match="misere_spammer, pimc, learned, elsewhere, a file"):
        load_agent("nowhere")
