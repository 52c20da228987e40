"""Find an agent by name, by file, as `module:attribute`, or through an entry point of another package."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from five_hundred_env.agents.base import Agent
from five_hundred_env.agents.greedy import greedy
from five_hundred_env.agents.learned import Learned
from five_hundred_env.agents.network import SUFFIXES, load_network
from five_hundred_env.agents.pimc import Pimc
from five_hundred_env.agents.probes import overbidder
from five_hundred_env.agents.rule import rule
from five_hundred_env.agents.simple import misere_spammer, passer, random
from five_hundred_env.errors import AgentError, FiveHundredError

ENTRY_POINTS = "five_hundred.agents"

BUILT_IN: dict[str, Agent] = {agent.name: agent for agent in (random, passer, greedy, rule, overbidder, misere_spammer)}
"""The agents of this package that are one kernel, by name."""

MAKERS: dict[str, Callable[..., Agent]] = {"pimc": Pimc, "learned": Learned}
"""Those that are made anew, with options: `pimc`, `pimc:worlds=5,tie=2.5`, `learned:greedy=0`."""


def agent_names() -> list[str]:
    """Return the names that `load_agent` knows: built-in agents, then those of other packages."""
    others = {entry.name for entry in entry_points(group=ENTRY_POINTS)} - set(BUILT_IN) - set(MAKERS)
    return [*BUILT_IN, *MAKERS, *sorted(others)]


def load_agent(spec: str | Path | Agent) -> Agent:
    """Return the agent that a text names.

    Args:
        spec: A name, with options where the agent takes any (`pimc:worlds=5`); a file `*.safetensors` or `*.onnx`,
            which is a trained network; a file `*.py` that defines `agent`; `module:attribute`; or an agent, which is
            returned as it is. What an attribute, a file or an entry point holds may be an agent, or a class or
            function without arguments that makes one.

    Raises:
        AgentError: Nothing has that name, or it is no agent.
        OptionError: The agent has no such option, or the value is out of range.
        CheckpointError: The file holds no network for this environment.
        MissingExtraError: Reading the file takes a library that is not installed.
    """
    if not isinstance(spec, str | Path):
        return _checked(spec, repr(spec))
    text = str(spec)
    if text in BUILT_IN:
        return BUILT_IN[text]
    if text.endswith(SUFFIXES):
        return load_network(text)
    if text.endswith(".py"):
        return _checked(_attribute_of_file(text), text)
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == text:
            return _checked(_importing(text, entry.load), text)
    name, colon, told = text.partition(":")
    if name in MAKERS:
        return MAKERS[name](**(_read_options(text, told) if colon else {}))
    if ":" in text:
        return _checked(_attribute_of_module(text), text)
    raise AgentError(
        f"no agent is called {text!r}; agents are {', '.join(agent_names())}, a file *.safetensors, *.onnx or *.py, "
        "or module:attribute"
    )


def _read_options(spec: str, told: str) -> dict[str, float]:
    """Return the options that stand behind an agent's name.

    Raises:
        AgentError: They are not `name=number`, commas between them.
    """
    options: dict[str, float] = {}
    for entry in told.split(","):
        name, _, value = entry.partition("=")
        try:
            options[name.strip()] = float(value) if set(value) & set(".e") else int(value)
        except ValueError as error:
            raise AgentError(f"agent {spec!r}: options are name=number, commas between them, not {entry!r}") from error
    return options


def _checked(found: Any, spec: str) -> Agent:
    """Return an agent, made if what was found is a class or a function.

    Raises:
        AgentError: What was found is no agent, or can not be made.
    """
    if inspect.isclass(found) or (callable(found) and not hasattr(found, "act")):
        found = _importing(spec, found)
    name = getattr(found, "name", None)
    if not isinstance(name, str) or not name or not callable(getattr(found, "act", None)):
        raise AgentError(
            f"agent {spec!r} is a {type(found).__name__}, which lacks a `name` or a method "
            "`act(observation, mask, keys)`"
        )
    agent: Agent = found
    return agent


def _importing(spec: str, load: Callable[[], Any]) -> Any:
    """Run foreign code that finds or makes an agent.

    Raises:
        AgentError: It raised; the reason is in the message.
    """
    try:
        return load()
    except FiveHundredError:
        raise
    except Exception as error:
        raise AgentError(f"agent {spec!r} can not be loaded: {type(error).__name__}: {error}") from error


def _attribute_of_module(spec: str) -> Any:
    """Import what `module:attribute` names.

    Raises:
        AgentError: There is no such module or attribute.
    """
    module_name, _, path = spec.partition(":")
    found = _importing(spec, lambda: importlib.import_module(module_name))
    for attribute in path.split("."):
        if not hasattr(found, attribute):
            raise AgentError(f"agent {spec!r} can not be loaded: {module_name} has no attribute {path!r}")
        found = getattr(found, attribute)
    return found


def _attribute_of_file(path: str) -> Any:
    """Run a Python file and return its `agent`.

    Raises:
        AgentError: There is no such file, it fails, or it defines no `agent`.
    """
    if not Path(path).is_file():
        raise AgentError(f"agent {path!r} can not be loaded: there is no such file")
    spec = importlib.util.spec_from_file_location(f"five_hundred_agent_{Path(path).stem}", path)
    if spec is None or spec.loader is None:
        raise AgentError(f"agent {path!r} can not be loaded: it is no Python file")
    module = importlib.util.module_from_spec(spec)
    loader = spec.loader
    _importing(path, lambda: loader.exec_module(module))
    if not hasattr(module, "agent"):
        raise AgentError(f"agent {path!r} can not be loaded: the file defines no `agent`")
    return module.agent
