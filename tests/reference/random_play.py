"""Random deals, options and players that reach every corner of the rulebook.

Uniform players make poor tests: they overbid every auction to 10NT and lose every misère at once.
These players have a temper, drawn anew for each deal, that aims at one contract, climbs step by
step, keeps an auction alive for as long as the rules allow, or passes. They look into all hands:
they are test drivers, not agents. Everything is a function of the generator that is handed in and
of the game, so a seed replays a deal on every platform.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random

from tests.reference.game import ReferenceGame
from tests.reference.options import (
    JOKERS,
    MISERES,
    OPTION_VALUES,
    RANKS,
    USUAL_PACKS,
    Options,
    call_level,
    call_order,
    call_trumps,
    call_value,
    complete_options,
    hand_size,
    pack_cards,
)

Deal = tuple[list[list[str]], list[str]]


# Deals, options, games


def random_deal(rng: Random, options: Options | None = None) -> Deal:
    """Deal the pack, half the time with one seat favoured: low, high, long or with the jokers."""
    cards = pack_cards(options)
    size = hand_size(options)
    rng.shuffle(cards)
    kind = rng.choice(["fair", "fair", "fair", "low", "low", "high", "long", "jokers"])
    if kind != "fair":
        favoured = _favoured_hand(rng, cards, kind)[:size]
        rest = [card for card in cards if card not in favoured]
        cut = size * rng.randrange(4)
        cards = rest[:cut] + favoured + rest[cut:]
    hands = [cards[size * seat : size * (seat + 1)] for seat in range(4)]
    return hands, cards[4 * size :]


def _favoured_hand(rng: Random, cards: list[str], kind: str) -> list[str]:
    """Pick ten cards of a kind, each rank blurred so that no two such hands are alike."""
    suit = rng.choice("SCDH")

    def worth(card: str) -> float:
        if card in JOKERS:
            return {"low": -20.0, "high": 20.0, "long": 20.0, "jokers": 99.0}[kind]
        height = RANKS.index(card[0])
        if kind == "low":
            return rng.uniform(0, 4) - height
        if kind == "high":
            return rng.uniform(0, 4) + height
        if kind == "long":
            return rng.uniform(0, 4) + height + (12 if card[1] == suit else 0)
        return rng.uniform(0, 9)

    return sorted(cards, key=worth, reverse=True)[:10]


def random_options(rng: Random, packs: Sequence[object] = USUAL_PACKS) -> dict[str, object]:
    """Draw a valid set of options with one of some packs; every value of every other option occurs."""
    while True:
        drawn = {name: rng.choice(packs if name == "pack" else values) for name, values in OPTION_VALUES.items()}
        if rng.random() < 0.5:
            any_target = 10 * rng.randint(1, 200)
            drawn["target"] = rng.choice([10, 250, 300, 470, 490, 510, 1000, any_target])
        try:
            return complete_options(drawn)
        except ValueError:
            continue


def random_scores(rng: Random, options: Options | None = None) -> tuple[int, int]:
    """Draw totals of an undecided game, often ones that the deal can decide."""
    full = complete_options(options)
    target = int(str(full["target"]))
    low = 10 - target if full["lose"] == "backwards" else -3 * target
    high = target - 10 if full["win"] == "first_to_target" else target + 300
    near = [0, low, low + 100, high, target - 20, target - 100, 440, 470]

    def total() -> int:
        value = rng.choice([*near, 10 * rng.randint(low // 10, high // 10)])
        return max(low, min(high, value))

    return total(), total()


def random_game(rng: Random, options: Options | None = None) -> ReferenceGame:
    """Start a game with a random deal, dealer and totals."""
    hands, kitty = random_deal(rng, options)
    dealer = rng.randrange(4)
    return ReferenceGame(hands, kitty, dealer, random_scores(rng, options), options)


def play_deal(game: ReferenceGame, rng: Random) -> Iterator[str]:
    """Play a deal to its end and yield each action just before it is applied."""
    while game.phase != "over":
        action = choose(game, rng)
        yield action
        game.apply(action)


# Players


def choose(game: ReferenceGame, rng: Random) -> str:
    """Choose a legal action for the seat to act."""
    legal = sorted(game.legal())  # sets of strings have another order in every process
    if len(legal) == 1:
        return legal[0]
    if game.phase == "auction":
        return _choose_call(game, legal, rng)
    if game.phase == "discard":
        return _choose_discard(game, legal, rng)
    if game.phase == "nominate":
        return "=-" if rng.random() < 0.3 else rng.choice(legal)
    if game.phase == "play":
        return _choose_card(game, legal, rng)
    return rng.choice(legal)


@lru_cache(maxsize=64)
def _temper(key: str, order: tuple[str, ...]) -> tuple[str, str]:
    """Draw what a deal's auction is like and which bid it aims at."""
    rng = Random(key)
    kinds = {"aim": 43, "no trumps": 10, "misère": 20, "climb": 5, "marathon": 5, "loose": 12}
    kind = rng.choices([*kinds, "quiet"], weights=[*kinds.values(), 5])[0]
    goals = list(order)
    if kind == "no trumps":
        goals = [bid for bid in order if bid.endswith("NT")]
    if kind == "misère":
        goals = [bid for bid in order if bid in MISERES] or goals
    return ("aim" if kind in ("no trumps", "misère") else kind), rng.choice(goals)


def _choose_call(game: ReferenceGame, legal: list[str], rng: Random) -> str:
    order = call_order(game.options)
    bids = [bid for bid in order if bid in legal]  # lowest first
    kind, goal = _temper(f"{game.kitty} {game.dealer} {game.deal_number}", tuple(order))
    if not bids or (kind == "quiet" and rng.random() < 0.97):
        return "PASS"
    if kind == "climb":
        return bids[0] if rng.random() < 0.9 else "PASS"
    if kind == "marathon":
        return _keep_alive(game, bids, rng)
    if kind == "aim":
        return _aim(game, goal, bids, rng)
    return "PASS" if rng.random() < 0.5 else rng.choice(bids[:8] if rng.random() < 0.9 else bids)


def _keep_alive(game: ReferenceGame, bids: list[str], rng: Random) -> str:
    """Pass for as long as somebody else still has a turn, then bid the least."""
    if rng.random() < 0.01:
        return "PASS"
    waits = {"continuous": 0, "one_round": 0, "reenter": 2}[str(game.options["auction"])]
    if game.options["own_raise"] == "yes":
        waits = 3
    if not any(call != "PASS" for _, call in game.calls):
        waits = 3
    passes = [call for _, call in game.calls[-waits:]].count("PASS") if waits else 0
    return bids[0] if passes >= waits else "PASS"


def _aim(game: ReferenceGame, goal: str, bids: list[str], rng: Random) -> str:
    """Let the seat that suits the goal bid it and the others pass, mostly."""
    fits = game.seat == _seat_for(game, goal)
    if goal in bids:
        if fits and rng.random() < 0.9:
            return goal
        lower = bids[: bids.index(goal)]
        return rng.choice(lower) if lower and not fits and rng.random() < 0.15 else "PASS"
    sevens = [bid for bid in bids if call_level(bid) == 7]
    if goal == "MIS" and sevens and rng.random() < (0.3 if fits else 0.6):
        return rng.choice(sevens)  # R3.3 asks for a seven first
    return "PASS" if rng.random() < 0.97 else bids[0]


def _seat_for(game: ReferenceGame, goal: str) -> int:
    """Return the seat whose hand is best for a contract, roughly."""
    trumps = call_trumps(goal)

    def strength(seat: int) -> float:
        worth = 0.0
        for card in game.hands[seat]:
            if card in JOKERS:
                worth += 12 if goal not in MISERES else -30
            elif goal in MISERES:
                worth -= RANKS.index(card[0]) ** 2 / 8
            else:
                worth += RANKS.index(card[0]) + (8 if card[1] == trumps else 0)
        return worth

    return max(range(4), key=strength)


def _choose_discard(game: ReferenceGame, legal: list[str], rng: Random) -> str:
    if rng.random() < 0.2:
        return rng.choice(legal)
    if game.contract in MISERES:
        keeps_jokers = rng.random() < 0.5
        return max(legal, key=lambda card: -1 if keeps_jokers and card in JOKERS else _height(card))
    trumps = call_trumps(game.contract)
    return min(legal, key=lambda card: _height(card) + (20 if card[-1] == trumps else 0))


def _height(card: str) -> int:
    """Rank a card without regard to suit or bowers; a joker is highest."""
    return 99 if card in JOKERS else RANKS.index(card[0])


def _choose_card(game: ReferenceGame, legal: list[str], rng: Random) -> str:
    """Play a card: a joker for its own sake, a ducking one in misères, else high, low or any."""
    jokers = [card for card in legal if card in JOKERS]
    in_misere = game.contract in MISERES
    contractor_moves = game.seat == game.contractor
    others = [card for card in legal if card not in JOKERS]
    nominated = call_trumps(game.contract) is None and any(map(game.effective_suit, jokers))
    if not game.trick and nominated and others and rng.random() < 0.8:
        legal = others  # wait for the suit to be led, or for a chance to throw the joker
    elif jokers and rng.random() < (0.05 if in_misere else 0.2):
        return rng.choice(jokers)
    if rng.random() < (0.1 if in_misere and contractor_moves else 0.4):
        return rng.choice(legal)
    if in_misere and contractor_moves:
        return max(_ducking_cards(game, legal), key=_height)
    if in_misere:
        return min(legal, key=_height)
    ours = game.contractor is not None and game.seat in (game.contractor, (game.contractor + 2) % 4)
    return max(legal, key=_height) if ours else min(legal, key=_height)


def _ducking_cards(game: ReferenceGame, legal: list[str]) -> list[str]:
    """Return the cards that lose the trick as it lies; without one, or in the lead, the lowest."""
    if game.trick and game.led_suit is not None and game.seat is not None:
        losing = [
            card for card in legal if game.trick_winner([*game.trick, (game.seat, card)], game.led_suit) != game.seat
        ]
        if losing:
            return losing
    return [min(legal, key=_height)]


# What a run of deals has covered


def events_of_action(game: ReferenceGame, action: str) -> set[str]:
    """Name what is remarkable about an action that is about to be applied."""
    if game.phase == "discard" and action in JOKERS:
        return {"joker laid away"}
    if game.phase == "nominate":
        holds = any(joker in game.hands[game.seat or 0] for joker in JOKERS)
        if action != "=-":
            return {"nomination"}
        return {"nomination declined with a joker"} if holds else {"nomination step without joker"}
    if game.phase == "name":
        was_led = " led before" if action[1] in game.named else " not yet led"
        return {f"joker names a suit{was_led}"}
    if game.phase != "play" or action not in JOKERS:
        return set()
    suit = game.effective_suit(action)
    if call_trumps(game.contract) is not None:
        kind = "trump joker"
    else:
        kind = "suitless joker" if suit is None else "nominated joker"
    if not game.trick:
        events = {f"{kind} led"}
    elif suit == game.led_suit:
        events = {f"{kind} follows"}
    else:
        events = {f"{kind} thrown"}
    if any(card in JOKERS for _, card in game.trick):
        events.add("two jokers in a trick")
    return events


def events_of_result(game: ReferenceGame) -> set[str]:
    """Name what is remarkable about a finished deal."""
    assert game.result is not None
    contract, made = game.result["contract"], game.result["made"]
    if contract is None:
        return {"all pass", *(["played without a contractor"] if game.past_tricks else [])}
    assert isinstance(contract, str)
    events = {f"contract {contract}"}
    if len(game.calls) >= 20:
        events.add("twenty calls or more")
    if len(game.calls) >= 100:
        events.add("a hundred calls")
    if contract in MISERES:
        events.add(f"{contract} {'made' if made else 'lost'}")
    else:
        events.add("made" if made else "lost")
        if made and hand_size(game.options) in (sum(game.tricks[0::2]), sum(game.tricks[1::2])):
            events.add("slam" if call_value(contract) < 250 else "ten tricks no slam")
    if game.is_over:
        backwards = min(game.scores) <= -int(str(game.options["target"]))
        events.add("game lost backwards" if backwards else "game won")
    return events
