"""Every contender of a peer library as data, so that one that can not be installed is still listed."""

from __future__ import annotations

from typing import NamedTuple


class Peer(NamedTuple):
    """A contender of another library."""

    name: str
    group: str
    """Function of `benchmarks.peers` that makes it."""
    package: str
    """What is installed for it."""
    difference: str
    """Where the comparison is not like for like."""


_BRIDGE = "bridge(use_double_dummy_result=false): the cards are played, not solved. "
_LIST = "The list of legal actions stands for the mask, its cheaper form; C++ called from Python."

PEERS = (
    Peer(
        "pettingzoo connect_four raw",
        "pettingzoo",
        "pettingzoo",
        "A far simpler game, seven actions, an observation of 84 places.",
    ),
    Peer(
        "pettingzoo connect_four",
        "pettingzoo",
        "pettingzoo",
        "The same with PettingZoo's wrappers: order, bounds and legality are checked.",
    ),
    Peer(
        "pettingzoo texas_holdem raw",
        "pettingzoo",
        "pettingzoo",
        "Two seats, four actions, 72 places; RLCard underneath.",
    ),
    Peer("pettingzoo texas_holdem", "pettingzoo", "pettingzoo", "The same with PettingZoo's wrappers."),
    Peer("rlcard bridge", "rlcard", "rlcard", "91 actions, 573 places; legal actions as a dictionary, no mask."),
    Peer(
        "rlcard doudizhu",
        "rlcard",
        "rlcard",
        "27,472 actions, three seats, up to 901 places; legal actions as a dictionary, no mask.",
    ),
    Peer("openspiel bridge", "openspiel", "open_spiel", _BRIDGE + _LIST),
    Peer("openspiel skat", "openspiel", "open_spiel", _LIST),
    Peer(
        "openspiel euchre", "openspiel", "open_spiel", "It has an information state instead of an observation. " + _LIST
    ),
    Peer("openspiel spades", "openspiel", "open_spiel", _LIST),
    Peer(
        "pgx bridge_bidding",
        "pgx",
        "pgx",
        "The auction of bridge only, no play; 4,096 tables in one compiled step, on all cores. Its downloaded table of "
        "solved deals is replaced by random deals with made-up results.",
    ),
    Peer(
        "pgx leduc_holdem",
        "pgx",
        "pgx",
        "Two seats, six cards, four actions, an observation of 34 places: hardly any work in a step.",
    ),
)

OUR_DIFFERENCES = {
    "five_hundred env()": "Order, type, bounds and legality are checked; one environment, no wrappers.",
    "five_hundred raw_env()": "Legality is checked within the compiled step; the caller is trusted with the rest.",
    "five_hundred Game": "Legality is checked; observation and mask of the seat to move at each decision.",
    "five_hundred Seat-v0, random": "Decisions of one seat; three random agents decide for the others between them.",
    "five_hundred Seat-v0, rule": "Decisions of one seat; three rule players between them.",
    "five_hundred make_vec, random": "1,024 seats; the decisions of the 1,024 learners alone are counted.",
    "five_hundred make_vec, rule": "The same with rule players at the other seats.",
    "five_hundred Tables, NumPy choice": "4,096 tables, one thread, the random choice in NumPy.",
}
