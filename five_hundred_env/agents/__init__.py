"""Agents: what chooses, from observations alone.

`load_agent("rule")` finds one by name, file or `module:attribute`; `View` reads an observation as a person would.
"""

from five_hundred_env.agents.base import Agent, KernelAgent
from five_hundred_env.agents.network import NetworkAgent, load_network
from five_hundred_env.agents.registry import BUILT_IN, agent_names, load_agent
from five_hundred_env.agents.view import Trick, View

__all__ = [
    "BUILT_IN",
    "Agent",
    "KernelAgent",
    "NetworkAgent",
    "Trick",
    "View",
    "agent_names",
    "load_agent",
    "load_network",
]
