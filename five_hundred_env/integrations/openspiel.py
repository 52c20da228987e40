"""OpenSpiel: Five Hundred as the Python game ``python_five_hundred``.

Importing this module registers the game; `load` makes one from rules as this package knows them::

    game = load("australian,pack=9,auction=one_round", deals=8)
    game = pyspiel.load_game("python_five_hundred", {"pack": 9, "deals": 8})

Actions are the ids of `five_hundred_env.actions`, players are the seats, returns are in the units of the environments'
rewards. Cards are dealt one by one, in the order of their ids: a chance node draws the place that a card goes to, a
seat or the kitty, so that every deal is one sequence of outcomes. With ``deals=N`` there is one chance node instead,
which draws one of N seeded deals: exact methods then have a tree of a size that can be chosen.

Information states are text: what the seat was dealt, picked up and put away, and every public action in order. Tensors
are the observation of this package, which has perfect recall of the current deal.
`FiveHundredState.resample_from_infostate` looks at nothing but the seat's observation.

Source: Lanctot et al., "OpenSpiel: a framework for reinforcement learning in games", arXiv:1908.09453, 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from five_hundred_env import notation
from five_hundred_env.agents.base import Actions, Agent, Keys
from five_hundred_env.core import engine
from five_hundred_env.core.actions import ACTION_NAMES
from five_hundred_env.core.cards import CARD_IDS, CARD_NAMES, Row
from five_hundred_env.core.constants import (
    AUCTION,
    CARDS,
    DISCARD,
    FIRST_CARD,
    N_ACTIONS,
    NOMINATE,
    NOOP,
    OVER,
    PHASES,
    SEATS,
)
from five_hundred_env.core.deal import clear_deal
from five_hundred_env.core.drive import EPISODES
from five_hundred_env.core.observe import (
    OBSERVATION_SIZE,
    OBSERVATION_WORDS,
    Bytes,
    read_observation,
    write_observation,
)
from five_hundred_env.core.philox import table_seed
from five_hundred_env.core.play import exposed_seat
from five_hundred_env.core.rules import Rules, as_rules
from five_hundred_env.core.state import (
    BIDDER,
    CALLS_MADE,
    DEAL_NUMBER,
    DEALER,
    DISCARDS,
    HAND,
    KITTY,
    N_COLUMNS,
    N_RULES,
    OPENING,
    PHASE,
    PLAYED,
    POINTS,
    RULE_CARDS,
    RULE_HAND,
    RULE_KITTY,
    RULE_PLACES,
    SEAT,
    WINNER,
)
from five_hundred_env.errors import OptionError, OrderError
from five_hundred_env.game import Game
from five_hundred_env.integrations._require import require
from five_hundred_env.search.exact import GameTree, Policy
from five_hundred_env.search.sampling import draw_world, make_sampler, prepare_worlds

with require("OpenSpiel", extra="openspiel"):
    import pyspiel

__all__ = [
    "NAME",
    "AgentBot",
    "FiveHundredGame",
    "FiveHundredState",
    "SpielAgent",
    "load",
    "state_at",
    "state_of",
    "tree_reader",
]

NAME = "python_five_hundred"
PLACES = SEATS + 1
"""Where a card is dealt to: a seat, or 4, the kitty."""
KITTY_PLACE = SEATS
DEFAULTS: dict[str, Any] = {
    "profile": "australian",
    "pack": 43,
    "options": "",
    "episode": "deal",
    "reward": "points",
    "max_deals": 100,
    "dealer": -1,
    "deals": 0,
    "seed": 0,
}
"""Parameters of the game and what they are unless given.

`profile`, `pack` and `options` are the rules: a named profile, the number of cards of another pack, and further
options such as ``misere_rank:by_value/auction:one_round`` (OpenSpiel keeps ``,`` and ``=`` to itself). `dealer` is a
seat, or -1 for one that is drawn; `deals` bounds chance to that many deals, those of ``Tables(n=deals, seed=seed)``, 0
for no bound.
"""
MOST_DEAL_REWARD = {"points": 6.2, "win": 1.0}
"""The most that a deal can bring: 10NT made, or failed without a trick."""
Deal = tuple[int, tuple[int, ...]]
"""A dealer, then the hands of seats 0 to 3 and the kitty, as masks."""


def load(rules: Rules | str | Mapping[str, Any] = "australian", **parameters: Any) -> Any:
    """Return the game for some rules.

    Args:
        rules: A `Rules`, the name of a profile (or ``australian,pack=9``), or a mapping of options.
        parameters: `episode`, `reward`, `max_deals`, `dealer`, `deals`, `seed` of `DEFAULTS`.

    Raises:
        OptionError: A parameter is unknown or out of range.
        RulesError: The rules are unknown or contradictory.
    """
    known = [name for name in DEFAULTS if name not in ("profile", "pack", "options")]
    for name in parameters:
        if name not in known:
            raise OptionError(f"{NAME} has no parameter {name!r}; parameters are {', '.join(known)}")
    rules = as_rules(rules)
    pack = DEFAULTS["pack"]
    if rules.pack.isdigit():  # the others have no number of their own, and stay among the options
        pack, rules = int(rules.pack), rules.replace(pack=str(pack))
    profile, *options = rules.to_text().replace("=", ":").split(",")
    return pyspiel.load_game(NAME, {"profile": profile, "pack": pack, "options": "/".join(options), **parameters})


@dataclass(frozen=True, eq=False)
class Setup:
    """What all states of a game share."""

    rules: Rules
    episode: str
    reward: str
    max_deals: int
    dealer: int
    deals: tuple[Deal, ...]
    """The outcomes of a bounded chance, none where cards are dealt one by one."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Setup:
        return self


def _read_setup(parameters: Mapping[str, Any]) -> Setup:
    """Return what the parameters of a game say.

    Raises:
        OptionError: A parameter is out of range.
        RulesError: The rules are unknown or contradictory.
    """
    text = [word.replace(":", "=") for word in str(parameters["options"]).split("/") if word]
    rules = Rules.from_text(",".join([str(parameters["profile"]), *text]))
    if int(parameters["pack"]) != DEFAULTS["pack"]:
        rules = rules.replace(pack=parameters["pack"])
    for name, values in (("episode", EPISODES), ("reward", tuple(MOST_DEAL_REWARD))):
        if parameters[name] not in values:
            raise OptionError(f"{name} of {NAME} is one of {', '.join(values)}, not {parameters[name]!r}")
    for name, low, high in (("max_deals", 1, 10_000), ("dealer", -1, SEATS - 1), ("deals", 0, 1_000_000)):
        if not low <= int(parameters[name]) <= high:
            raise OptionError(f"{name} of {NAME} is a number from {low} to {high}, not {parameters[name]!r}")
    seed = notation.signed(notation.check_seed(int(parameters["seed"])))
    dealer = int(parameters["dealer"])
    deals = tuple(_seeded_deal(rules, int(table_seed(seed, n)), dealer) for n in range(int(parameters["deals"])))
    return Setup(rules, parameters["episode"], parameters["reward"], int(parameters["max_deals"]), dealer, deals)


def _seeded_deal(rules: Rules, seed: int, dealer: int) -> Deal:
    """Return the first deal of the game of a seed."""
    game = Game(rules, seed=seed % notation.SEED_LIMIT)
    return game.dealer if dealer < 0 else dealer, tuple(notation.dealt_masks(game.row))


class Table:
    """All that a state knows on this side of the border to C++: it copies itself, and shares what never changes."""

    __slots__ = ("away", "free", "heads", "past", "pending", "places", "public", "row", "setup", "total")

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.row: Row = np.zeros(N_COLUMNS, np.int64)
        self.row[:N_RULES] = setup.rules.row
        self.row[DEALER] = setup.dealer
        self.pending = "deal" if setup.deals else "cards" if setup.dealer >= 0 else "dealer"
        """What chance decides next: ``dealer``, ``deal``, ``cards``, or nothing."""
        self.places: tuple[int, ...] = ()
        """Where the cards of the pack went so far, in the order of their ids."""
        self.free = self._sizes()
        self.heads: tuple[str, ...] = ()
        self.public = ""
        self.away: tuple[int, ...] = ()
        self.total = 0.0
        self.past: tuple[tuple[tuple[str, bytes], ...], ...] = ()
        """What each seat knew at the end of each deal before this one: as text, and as it was observed."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        other = object.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        other.row = self.row.copy()
        return other

    def _sizes(self) -> tuple[int, ...]:
        """Return how many cards each place gets."""
        return (*[int(self.row[RULE_HAND])] * SEATS, int(self.row[RULE_KITTY]))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be done."""
        return not self.pending and int(self.row[PHASE]) == OVER

    @property
    def card(self) -> int:
        """The card that is dealt next."""
        pack = int(self.row[RULE_CARDS])
        return [card for card in range(CARDS) if pack >> card & 1][len(self.places)]

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, and how likely it is.

        Rules: R2.2, R2.3.
        """
        if self.pending == "cards":
            left = sum(self.free)
            return [(place, count / left) for place, count in enumerate(self.free) if count]
        count = len(self.setup.deals) if self.pending == "deal" else SEATS
        return [(outcome, 1.0 / count) for outcome in range(count)]

    def apply_outcome(self, outcome: int) -> None:
        """Do what chance has drawn."""
        if self.pending == "dealer":
            self.row[DEALER] = outcome
            self.pending = "cards"
        elif self.pending == "deal":
            dealer, masks = self.setup.deals[outcome]
            self._begin_deal(dealer, masks)
        else:
            self._place(outcome)
            while sum(1 for count in self.free if count) == 1:  # the rest is no longer a matter of chance
                self._place(next(place for place, count in enumerate(self.free) if count))
            if not any(self.free):
                pack = [card for card in range(CARDS) if int(self.row[RULE_CARDS]) >> card & 1]
                dealt = [0] * PLACES
                for card, place in zip(pack, self.places, strict=True):
                    dealt[place] |= 1 << card
                self._begin_deal(int(self.row[DEALER]), tuple(dealt))

    def _place(self, place: int) -> None:
        """Deal the next card to a place."""
        self.places = (*self.places, place)
        self.free = (*self.free[:place], self.free[place] - 1, *self.free[place + 1 :])

    def _begin_deal(self, dealer: int, masks: tuple[int, ...]) -> None:
        """Begin the first deal, or the next one, with given cards."""
        row = self.row
        if int(row[DEAL_NUMBER]):
            engine.next_deal(row)
        else:
            row[DEALER] = dealer
            row[DEAL_NUMBER] = 1
            clear_deal(row)
        row[HAND : HAND + SEATS] = masks[:SEATS]
        row[KITTY] = masks[KITTY_PLACE]
        self.heads = self._write_heads(masks)
        self.pending, self.places, self.free, self.public, self.away = "", (), self._sizes(), "", ()

    def _write_heads(self, masks: Sequence[int]) -> tuple[str, ...]:
        """Return what each seat knows before the first call of the deal."""
        number, dealer = int(self.row[DEAL_NUMBER]), int(self.row[DEALER])
        about = f"deal {number} dealer {dealer} scores {int(self.row[OPENING])}/{int(self.row[OPENING + 1])}"
        return tuple(f"seat {seat} {about} hand {notation.format_hand(masks[seat])}" for seat in range(SEATS))

    @classmethod
    def at(cls, setup: Setup, game: Game) -> Table:
        """Return the table that stands where a game does, without what went before its deal."""
        table = cls(setup)
        table.row[:] = game.row
        table.pending = ""
        table.heads = table._write_heads(notation.dealt_masks(game.row))
        table.away = tuple(CARD_IDS[name] for name in notation.mask_cards(int(game.row[DISCARDS])))
        actions = game.history[-1].actions
        calls = int(game.row[CALLS_MADE])
        public = [*actions[:calls], *actions[calls + len(table.away) :]]
        table.public = "".join(" " + ACTION_NAMES[action] for action in public)
        return table

    def apply(self, action: int) -> None:
        """Do an action of the seat to move.

        Raises:
            IllegalActionError: The rules forbid it; nothing has changed.
        """
        row = self.row
        if not 0 <= action < N_ACTIONS or not engine.is_legal(row, action):
            raise notation.illegal_action(row, action)
        if int(row[PHASE]) == DISCARD:
            self.away = tuple(sorted((*self.away, action - FIRST_CARD)))
        else:
            self.public += " " + ACTION_NAMES[action]
        engine.apply(row, action)
        if int(row[PHASE]) == OVER:
            self._end_deal()

    def _end_deal(self) -> None:
        """Count what the deal has brought, and go on to the next one where there is one."""
        row, setup = self.row, self.setup
        difference = int(row[POINTS]) - int(row[POINTS + 1])
        over = int(row[WINNER]) >= 0
        if setup.reward == "points":
            self.total += difference / 100
        elif setup.episode == "deal":
            self.total = float(np.sign(difference))
        elif over:
            self.total = 1.0 if int(row[WINNER]) == 0 else -1.0
        if setup.episode == "game" and not over and int(row[DEAL_NUMBER]) < setup.max_deals:
            self.past = (*self.past, tuple((self.text(seat), self.observe(seat).tobytes()) for seat in range(SEATS)))
            self.pending = "deal" if setup.deals else "cards"

    def observe(self, seat: int) -> Bytes:
        """Return what a seat observes, `[OBSERVATION_SIZE] int8`; zeros before the first deal."""
        words = np.zeros(OBSERVATION_WORDS, np.int64)
        if int(self.row[DEAL_NUMBER]):
            write_observation(self.row, seat, words.view(np.int8), words)
        return words.view(np.int8)

    def text(self, seat: int) -> str:
        """Return what a seat knows of this deal, as text: equal where observations are equal, and only there."""
        row = self.row
        if not self.heads:
            return f"seat {seat} before the deal"
        phase = int(row[PHASE])
        words = [self.heads[seat]]
        if phase != AUCTION and seat == int(row[BIDDER]):
            words.append(f"kitty {notation.format_hand(int(row[KITTY]))}")
            words.append(f"away {''.join(CARD_NAMES[card] for card in self.away)}")
        shown = int(exposed_seat(row)) if phase > NOMINATE else -1
        if shown >= 0:
            words.append(f"open {notation.format_hand(int(row[HAND + shown]))}")
        return f"{' '.join(words)} {PHASES[phase]}:{self.public}"

    def whole_text(self, seat: int) -> str:
        """Return what a seat knows of all deals."""
        return "; ".join([*(known[seat][0] for known in self.past), self.text(seat)])


# Rewards come at the end, those of all deals in one: OpenSpiel's learners look at rewards when they are to move and at
# the end, so what a deal brought in between would be lost for every seat but one.
GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Five Hundred",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


def most_actions(rules: Rules) -> int:
    """Return how many actions a deal may take at most.

    Each of 27 bids may be followed by three passes (`reenter`), four more end the auction; then discards, a nomination
    a joker, a card a seat and trick, and a name a joker.
    """
    return 27 * 4 + 4 + int(rules.row[RULE_KITTY]) + SEATS * int(rules.row[RULE_HAND]) + 2 + 2


class FiveHundredGame(pyspiel.Game):
    """The game; see `DEFAULTS` for its parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = {**DEFAULTS, **(params or {})}
        self.setup = _read_setup(parameters)
        deals = self.setup.max_deals if self.setup.episode == "game" else 1
        most = MOST_DEAL_REWARD[self.setup.reward] * (deals if self.setup.reward == "points" else 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS,
            max_chance_outcomes=max(len(self.setup.deals), PLACES),
            num_players=SEATS,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=most_actions(self.setup.rules) * deals,
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))

    def new_initial_state(self) -> FiveHundredState:
        """Return the state before anything is dealt."""
        return FiveHundredState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how often chance may act in one game."""
        pack = int(self.setup.rules.row[RULE_CARDS]).bit_count()
        deals = self.setup.max_deals if self.setup.episode == "game" else 1
        return deals if self.setup.deals else 1 + pack * deals

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FiveHundredObserver:
        """Return what writes observations of states."""
        return FiveHundredObserver(iig_obs_type, params)


class FiveHundredState(pyspiel.State):
    """A position, the cards not dealt yet included; only `FiveHundredGame.new_initial_state` makes one."""

    def __init__(self, game: FiveHundredGame) -> None:
        super().__init__(game)
        self.table = Table(game.setup)
        """All there is; a clone copies it."""

    def current_player(self) -> int:
        """Return the seat to move, or that chance is, or that the game is over."""
        table = self.table
        if table.pending:
            return int(pyspiel.PlayerId.CHANCE)
        seat = int(table.row[SEAT])
        return seat if seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions in rising order."""
        return notation.legal_ids(self.table.row) if player == int(self.table.row[SEAT]) else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may do, and how likely it is."""
        return self.table.outcomes()

    def _apply_action(self, action: int) -> None:
        """Do an action of chance or of the seat to move."""
        if self.table.pending:
            self.table.apply_outcome(action)
        else:
            self.table.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in the notation of the rules."""
        if player != pyspiel.PlayerId.CHANCE:
            return ACTION_NAMES[action]
        if self.table.pending != "cards":
            return f"{self.table.pending} {action}"
        place = "kitty" if action == KITTY_PLACE else f"seat {action}"
        return f"{CARD_NAMES[self.table.card]} to {place}"

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.table.is_over

    def returns(self) -> list[float]:
        """Return what the game has brought, by seat; nothing before it is over."""
        value = self.table.total if self.table.is_over else 0.0
        return [value, -value] * (SEATS // 2)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> FiveHundredState:
        """Return a state that this seat can not tell from this one, drawn from all there are.

        Cards that the seat has not seen are laid anew, every layout equally likely, in earlier deals of the game
        too; it is made of the seat's observations and of the public actions, nothing else.

        Args:
            player_id: The seat.
            probability_sampler: Returns numbers from 0 up to 1.

        Raises:
            OrderError: The cards have not been dealt yet.
        """
        table = self.table
        if table.pending:
            raise OrderError(f"the cards are still being dealt: {NAME} resamples states in which a seat is to move")
        game = self.get_game()
        known = [seen[player_id][1] for seen in table.past]
        known.append(table.observe(player_id).tobytes())
        state: FiveHundredState = game.new_initial_state()
        for seen in known:
            key = int(probability_sampler() * 2**31) << 31 | int(probability_sampler() * 2**31)
            _replay(state, np.frombuffer(seen, np.int8), player_id, key)
        return state

    def __str__(self) -> str:
        """Return the position as one line, as `Game.from_text` reads it once the cards are dealt."""
        table = self.table
        if table.heads and not table.pending:
            return notation.format_position(table.row)
        return f"{table.setup.rules.to_text()} deal {int(table.row[DEAL_NUMBER]) + 1} {table.pending} {table.places}"


class FiveHundredObserver:
    """What writes observations, as OpenSpiel asks for it; information states and observations are alike."""

    def __init__(self, iig_obs_type: Any = None, params: Any = None) -> None:
        if params:
            raise OptionError(f"observers of {NAME} take no parameters, not {params!r}")
        if iig_obs_type is not None and iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise OptionError(f"observers of {NAME} observe with the eyes of one seat, private cards included")
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: FiveHundredState, player: int) -> None:
        """Write what a seat observes into `tensor`."""
        self.tensor[:] = state.table.observe(player)

    def string_from(self, state: FiveHundredState, player: int) -> str:
        """Return what a seat knows as text."""
        return state.table.whole_text(player)


# A seat's observation, laid out as a whole deal


def _view(observation: Bytes) -> Row:
    """Return an observation as a view row."""
    view = np.zeros(N_COLUMNS, np.int64)
    read_observation(observation, view)
    return view


def _replay(state: FiveHundredState, observation: Bytes, player: int, key: int) -> None:
    """Deal and do in a state what fits an observation of one deal."""
    setup = state.table.setup
    view = _view(observation)
    if setup.deals:
        outcome, actions = _draw_fitting(state.table, observation, player, key)
        state.apply_action(outcome)
    else:
        world = _draw(view, key)
        actions = notation.read_actions(world)
        masks = notation.dealt_masks(world)
        if state.table.pending == "dealer":
            state.apply_action((int(view[DEALER]) + player) % SEATS)
        while state.table.pending:
            card = state.table.card
            relative = next(place for place, mask in enumerate(masks) if mask >> card & 1)
            state.apply_action(relative if relative == KITTY_PLACE else (relative + player) % SEATS)
    for action in actions:
        state.apply_action(action)


def _draw(view: Row, key: int) -> Row:
    """Return a whole row that fits a view, seats counted from the observing one."""
    sampler = make_sampler()
    world = np.zeros(N_COLUMNS, np.int64)
    prepare_worlds(view, sampler.groups, sampler.ways)
    draw_world(view, sampler.groups, sampler.ways, key, 0, world)
    return world


def _draw_fitting(table: Table, observation: Bytes, player: int, key: int) -> tuple[int, list[int]]:
    """Return a bounded deal, and actions that lead from before it to what a seat observes.

    The actions are the public ones and what may have been put away. Pairs of a deal and a set of discards are tried in
    random order until one fits, so each that fits is equally likely.
    """
    view = _view(observation)
    actions = notation.read_actions(view)
    calls = len(notation.read_calls(view))
    pairs = [
        (outcome, away)
        for outcome in _alike_deals(table.setup, view, player)
        for away in _possible_discards(table.setup, view, player, outcome)
    ]
    for number in np.random.default_rng(key).permutation(len(pairs)).tolist():
        outcome, away = pairs[number]
        sequence = [*actions[:calls], *away, *actions[calls:]]
        if _leads_to(table, outcome, sequence, observation, player):
            return outcome, sequence
    raise OptionError(f"none of the {len(table.setup.deals)} deals of this game fits what seat {player} observes")


def _possible_discards(setup: Setup, view: Row, player: int, outcome: int) -> Iterable[tuple[int, ...]]:
    """Return the discards, as actions, that a seat does not know and that the play does not rule out; or none."""
    if int(view[BIDDER]) <= 0 or int(view[PHASE]) in (AUCTION, DISCARD):
        return [()]
    masks = setup.deals[outcome][1]
    had = masks[(int(view[BIDDER]) + player) % SEATS] | masks[KITTY_PLACE]
    left = had & ~int(view[PLAYED + int(view[BIDDER])])
    cards = [FIRST_CARD + card for card in range(CARDS) if left >> card & 1]
    return combinations(cards, int(view[RULE_KITTY]))


def _alike_deals(setup: Setup, view: Row, player: int) -> Iterator[int]:
    """Yield the bounded deals in which a seat was dealt what a view says, and picked up what it says."""
    own = int(view[HAND]) | int(view[PLAYED]) | int(view[DISCARDS])
    kitty = int(view[KITTY])
    for outcome, (_, masks) in enumerate(setup.deals):
        if masks[player] | kitty == own and kitty in (0, masks[KITTY_PLACE]):
            yield outcome


def _leads_to(table: Table, outcome: int, actions: list[int], observation: Bytes, player: int) -> bool:
    """Tell whether actions are legal after a bounded deal and lead to what a seat observes."""
    table = deepcopy(table)
    table.apply_outcome(outcome)
    for action in actions:
        if not engine.is_legal(table.row, action):
            return False
        table.apply(action)
    return bool((table.observe(player) == observation).all())


# Agents of this package and players of OpenSpiel


def state_at(game: FiveHundredGame, position: Game) -> FiveHundredState:
    """Return a state at a position of this package, to ask a policy there; it has no history of its own.

    Raises:
        OptionError: The position is one of other rules than the game's.
    """
    if position.rules != game.setup.rules:
        raise OptionError(
            f"the position is one of {position.rules.to_text()}, the game of {game.setup.rules.to_text()}"
        )
    state: FiveHundredState = game.new_initial_state()
    state.table = Table.at(game.setup, position)
    return state


def tree_reader(game: FiveHundredGame, tree: GameTree) -> Callable[[Any], Policy]:
    """Return what turns policies of OpenSpiel into policies of a tree, which can then judge them.

    ::

        read = tree_reader(game, tree)
        tree.nash_conv(read(solver.average_policy()))

    A state is laid out for each information set, once for all policies.

    Raises:
        OptionError: The tree is one of other rules than the game's.
    """
    states = [state_at(game, tree.position(number)) for number in range(len(tree.seats))]

    return lambda policy: tree.policy_of(policy.action_probabilities(state) for state in states)


def state_of(game: FiveHundredGame, observation: Bytes, key: int) -> FiveHundredState:
    """Return a state that looks to the seat to move as an observation does; what it can not see is drawn with a key.

    The seat is player 0, or the player that a fixed `dealer` makes it. Totals of the game are left out.

    Args:
        game: A game of single deals in which every card is dealt.
        observation: `[OBSERVATION_SIZE] int8` of the seat to move.
        key: 62 random bits.

    Raises:
        OptionError: The game is bounded to some deals or goes on after the first, or has other rules.
    """
    setup = game.setup
    if setup.deals or setup.episode != "deal":
        raise OptionError(f"{NAME} can only be laid out for an observation with episode='deal' and deals=0")
    view = _view(observation)
    if (view[RULE_PLACES:N_RULES] != setup.rules.row[RULE_PLACES:N_RULES]).any():
        raise OptionError(f"the observation is one of other rules than the game's, {setup.rules.to_text()}")
    state: FiveHundredState = game.new_initial_state()
    _replay(state, observation, (setup.dealer - int(view[DEALER])) % SEATS if setup.dealer >= 0 else 0, key)
    return state


class SpielAgent:
    """A policy or bot of OpenSpiel as an agent of this package, for the arena and the environments.

    It is asked in a state made of the observation alone (`state_of`), so it can not know more than its seat does.

    Args:
        game: What it plays, for `state_of`.
        choose: Returns an action of the seat to move, by a state and a `numpy.random.RandomState`.
        name: How tables and reports call it.
    """

    def __init__(self, game: FiveHundredGame, choose: Callable[[Any, Any], int], name: str = "openspiel") -> None:
        self.game = game
        self.choose = choose
        self.name = name

    @classmethod
    def of_policy(cls, game: FiveHundredGame, policy: Any, name: str = "policy") -> SpielAgent:
        """Return an agent that draws its actions from a policy (`open_spiel.python.policy.Policy`)."""

        def choose(state: Any, random: Any) -> int:
            actions, chances = zip(*policy.action_probabilities(state).items(), strict=True)
            return int(random.choice(actions, p=np.asarray(chances) / sum(chances)))

        return cls(game, choose, name)

    @classmethod
    def of_bot(cls, game: FiveHundredGame, make_bot: Callable[[Any], Any], name: str = "bot") -> SpielAgent:
        """Return an agent that asks a new bot for each decision, made with the random numbers of that decision."""

        def choose(state: Any, random: Any) -> int:
            bot = make_bot(random)
            if hasattr(bot, "set_resampler"):  # else ISMCTS resamples with numbers that nobody can seed
                bot.set_resampler(lambda at, player: at.resample_from_infostate(player, random.random_sample))
            return int(bot.step(state))

        return cls(game, choose, name)

    def act(self, observation: Bytes, mask: Bytes, keys: Keys) -> Actions:
        """Choose an action for each decision; see `Agent`."""
        actions = np.full(len(keys), NOOP, np.int64)
        for n, key in enumerate(keys.tolist()):
            legal = np.flatnonzero(mask[n])
            if len(legal) == 1:
                actions[n] = legal[0]
            elif len(legal) > 1:
                state = state_of(self.game, observation[n], key >> 2)
                actions[n] = self.choose(state, np.random.RandomState(key & 0xFFFFFFFF))
        return actions


class AgentBot(pyspiel.Bot):
    """An agent of this package as a bot of OpenSpiel; it is shown what its seat observes.

    Args:
        agent: The agent.
        player: Its seat.
        seed: Where its random bits come from.
    """

    def __init__(self, agent: Agent, player: int, seed: int = 0) -> None:
        super().__init__()
        self.agent = agent
        self.player = player
        self._random = np.random.default_rng([seed, player])

    def step(self, state: FiveHundredState) -> int:
        """Return an action of its seat."""
        mask = np.zeros((1, N_ACTIONS), np.int8)
        mask[0, state.legal_actions(self.player)] = 1
        keys = self._random.integers(0, 2**64, 1, np.uint64)
        return int(self.agent.act(state.table.observe(self.player)[None], mask, keys)[0])

    def player_id(self) -> int:
        """Return its seat."""
        return self.player

    def restart_at(self, state: FiveHundredState) -> None:
        """Begin anew; there is nothing that a bot keeps."""


pyspiel.register_game(GAME_TYPE, FiveHundredGame)
