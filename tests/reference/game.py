"""One game of Five Hundred, part A and every option of part B, in sets and strings.

The methods stand in the order of the rulebook's chapters: auction, kitty, nomination, play, joker,
scoring, end of the game, who knows what.
"""

from collections.abc import Hashable, Iterable, Sequence

from tests.reference.options import (
    JOKERS,
    MISERES,
    RANKS,
    SAME_COLOUR,
    SUITS,
    Options,
    call_level,
    call_order,
    call_trumps,
    call_value,
    complete_options,
    hand_size,
    is_multiple_of_ten,
    kitty_size,
    pack_cards,
)

NO_NAME = "=-"


class ReferenceGame:
    """A game that is dealt by its caller and moved by actions in the rulebook's notation.

    Attributes:
        options: every option of part B with its value.
        phase: "auction", "discard", "nominate", "play", "name" or "over" (the deal, not the game).
        seat: the seat to act, None once the deal is over.
        dealer, deal_number: of the running deal; the first deal is number 1.
        hands: cards now held, by seat; a partner who sits out a misère keeps ten.
        kitty: the kitty as it was dealt, also after the contractor has taken it.
        discards: cards laid away by the contractor, in order.
        calls: (seat, call), in order.
        contract, contractor: set when the auction ends; None in a deal without contractor.
        nominated: joker to "=S" … "=H" or "=-", every nomination step taken.
        named: suits led so far, in the order in which they were first led.
        trick: (seat, card) of the running trick.
        led_suit: effective suit of the running trick, None before it is known.
        past_tricks: the complete tricks as (suit led, ((seat, card), …)).
        tricks: tricks taken, by seat.
        last_trick_winner: the seat, None before the first trick of the deal ends.
        exposed: the contractor's hand is public now (R8.3).
        scores: totals by side.
        result: None while the deal goes on; then contract, contractor, made, tricks and points
            (both by side; nominal points of R9, no cap applied).
        winner: the side that has won the game, or None.
    """

    def __init__(
        self,
        hands: Sequence[Iterable[str]],
        kitty: Iterable[str],
        dealer: int,
        scores: Sequence[int] = (0, 0),
        options: Options | None = None,
    ) -> None:
        """Start a game with this deal.

        Raises:
            ValueError: Options are unknown or contradictory, the cards are not the pack, the dealer
                is no seat, or the scores decide the game or are no multiples of ten.
        """
        self.options = complete_options(options)
        self._pack = pack_cards(self.options)
        self._hand_size = hand_size(self.options)
        self._kitty_size = kitty_size(self.options)
        self._order = call_order(self.options)
        self._target = int(str(self.options["target"]))
        self._check_scores(scores)
        if dealer not in (0, 1, 2, 3):
            raise ValueError(f"dealer {dealer!r} is no seat")
        self.dealer = dealer
        self.deal_number = 1
        self.scores = list(scores)
        self.winner: int | None = None
        self._start_deal(hands, kitty)

    def next_deal(self, hands: Sequence[Iterable[str]], kitty: Iterable[str]) -> None:
        """Deal again: the deal passes to the left, the totals stay. Rules: R2.2.

        Raises:
            ValueError: The deal or the whole game does not allow it, or the cards are not the pack.
        """
        if self.phase != "over":
            raise ValueError("the running deal is not over")
        if self.is_over:
            raise ValueError(f"side {self.winner} has won the game")
        self._check_cards(hands, kitty)
        self.dealer = (self.dealer + 1) % 4
        self.deal_number += 1
        self._start_deal(hands, kitty)

    @property
    def is_over(self) -> bool:
        """Whether the game, not only the deal, is over."""
        return self.winner is not None

    def legal(self) -> set[str]:
        """Return the legal actions of the seat to act; none when the deal is over."""
        if self.phase == "auction":
            return self._legal_calls()
        if self.phase == "discard":
            return set(self.hands[self._mover()])
        if self.phase == "nominate":
            return self._legal_nominations()
        if self.phase == "play":
            return self._legal_cards()
        if self.phase == "name":
            return {"=" + suit for suit in self._nameable(self._mover())}
        return set()

    def apply(self, action: str) -> None:
        """Take one action of the seat to act.

        Raises:
            ValueError: The action is not legal; nothing has changed.
        """
        legal = self.legal()
        if not isinstance(action, str) or action not in legal:
            raise ValueError(f"seat {self.seat} may not {action!r} ({self.phase}): {sorted(legal)}")
        if self.phase == "auction":
            self._call(action)
        elif self.phase == "discard":
            self._discard(action)
        elif self.phase == "nominate":
            self._nominate(action)
        elif self.phase == "play":
            self._play(action)
        else:
            self._name(action)

    # R1, R2: the deal

    def _check_scores(self, scores: Sequence[int]) -> None:
        """Refuse totals that no undecided game can have (part B, starting scores)."""
        if len(scores) != 2 or not all(is_multiple_of_ten(total) for total in scores):
            raise ValueError(f"scores {scores!r} are not two multiples of ten")
        if self.options["lose"] == "backwards" and min(scores) <= -self._target:
            raise ValueError(f"scores {scores!r}: a side has already gone out backwards")
        if self.options["win"] == "first_to_target" and max(scores) >= self._target:
            raise ValueError(f"scores {scores!r}: a side stands at the target of {self._target}")

    def _check_cards(self, hands: Sequence[Iterable[str]], kitty: Iterable[str]) -> None:
        groups = [list(hand) for hand in hands] + [list(kitty)]
        if [len(group) for group in groups] != [*[self._hand_size] * 4, self._kitty_size]:
            raise ValueError(f"not four hands of {self._hand_size} and a kitty of {self._kitty_size}: {groups}")
        if sorted(card for group in groups for card in group) != sorted(self._pack):
            raise ValueError(f"not the pack {self.options['pack']}: {groups}")

    def _start_deal(self, hands: Sequence[Iterable[str]], kitty: Iterable[str]) -> None:
        self._check_cards(hands, kitty)
        self.hands = [set(hand) for hand in hands]
        self.kitty = list(kitty)
        self.discards: list[str] = []
        self.calls: list[tuple[int, str]] = []
        self.contract: str | None = None
        self.contractor: int | None = None
        self.nominated: dict[str, str] = {}
        self.named: list[str] = []
        self.trick: list[tuple[int, str]] = []
        self.led_suit: str | None = None
        self.past_tricks: list[tuple[str, tuple[tuple[int, str], ...]]] = []
        self.tricks = [0, 0, 0, 0]
        self.last_trick_winner: int | None = None
        self.exposed = False
        self.result: dict[str, object] | None = None
        # By seat: suits that another seat led and that this seat did not play.
        self._failed: list[set[str]] = [set(), set(), set(), set()]
        self.phase = "auction"
        self.seat: int | None = (self.dealer + 1) % 4

    def _mover(self) -> int:
        assert self.seat is not None
        return self.seat

    # R3: the auction

    def _standing_bid(self) -> tuple[int, str] | None:
        """Return the last bid and who made it."""
        bids = [(seat, call) for seat, call in self.calls if call != "PASS"]
        return bids[-1] if bids else None

    def _legal_calls(self) -> set[str]:
        """Return PASS and every bid above the last one. Rules: R3.2–R3.4.

        A last bidder who may raise (``own_raise``) but has nothing left to bid still passes.
        """
        standing = self._standing_bid()
        lowest = 0 if standing is None else self._order.index(standing[1]) + 1
        calls = {"PASS", *self._order[lowest:]}
        seven_was_bid = any(call_level(call) == 7 for _, call in self.calls)
        if self.options["misere_rank"] == "after_seven" and not seven_was_bid:
            calls.discard("MIS")
        return calls

    def _call(self, call: str) -> None:
        caller = self._mover()
        self.calls.append((caller, call))
        if self.options["auction"] == "continuous":
            self._go_on_continuous(caller)
        elif self.options["auction"] == "one_round":
            self._go_on_one_round(caller)
        else:
            self._go_on_reenter(caller)

    def _go_on_continuous(self, caller: int) -> None:
        """Ask the next seat that has not passed, or end the auction. Rules: R3.1, R3.5, R3.6."""
        passed = {seat for seat, call in self.calls if call == "PASS"}
        standing = self._standing_bid()
        if len(passed) == 4:
            self._end_auction()
            return
        if len(passed) == 3 and standing is not None and standing[0] not in passed:
            if self.options["own_raise"] == "no":
                self._end_auction()
            else:
                self.seat = standing[0]
            return
        self.seat = next(seat for seat in self._clockwise_after(caller) if seat not in passed)

    def _go_on_one_round(self, caller: int) -> None:
        """Let each seat speak once."""
        if len(self.calls) == 4:
            self._end_auction()
        else:
            self.seat = (caller + 1) % 4

    def _go_on_reenter(self, caller: int) -> None:
        """Go round until three passes follow a bid (four with ``own_raise``) or open the auction.

        With ``own_raise`` the turn comes back to the last bidder, whose pass is the fourth.
        """
        passes = 0
        for _, call in reversed(self.calls):
            if call != "PASS":
                break
            passes += 1
        may_stop_at_three = self._standing_bid() is not None and self.options["own_raise"] == "no"
        if passes == (3 if may_stop_at_three else 4):
            self._end_auction()
        else:
            self.seat = (caller + 1) % 4

    @staticmethod
    def _clockwise_after(seat: int) -> list[int]:
        """Return the four seats clockwise, the given one last."""
        return [(seat + step) % 4 for step in (1, 2, 3, 4)]

    def _end_auction(self) -> None:
        """Fix the contract, or throw the deal in, or play it without one. Rules: R3.7, R4.1."""
        standing = self._standing_bid()
        if standing is not None:
            self.contractor, self.contract = standing
            self.hands[self.contractor] |= set(self.kitty)
            self.phase = "discard"
            self.seat = self.contractor
        elif self.options["all_pass"] == "throw_in":
            self._end_deal()
        else:
            self._start_play((self.dealer + 1) % 4)

    # R4: the kitty

    def _discard(self, card: str) -> None:
        """Lay one card away. Rules: R4.1, R4.2."""
        contractor = self._mover()
        self.hands[contractor].remove(card)
        self.discards.append(card)
        if len(self.discards) < self._kitty_size:
            return
        no_trumps = call_trumps(self.contract) is None
        if no_trumps and self.options["joker_no_trumps"] in ("nominate", "last_trick_lead"):
            self.phase = "nominate"
        else:
            self._start_play(contractor)

    # R5: naming the joker's suit before the first lead

    def _jokers_of_pack(self) -> list[str]:
        return [joker for joker in JOKERS if joker in self._pack]

    def _joker_to_nominate(self) -> str:
        """Return the joker whose step it is: JK, then J2 (part B, two jokers)."""
        return next(joker for joker in self._jokers_of_pack() if joker not in self.nominated)

    def _legal_nominations(self) -> set[str]:
        """Return the suits only to a contractor who holds that joker. Rules: R5.1, R5.4."""
        if self._joker_to_nominate() in self.hands[self._mover()]:
            return {NO_NAME, *("=" + suit for suit in SUITS)}
        return {NO_NAME}

    def _nominate(self, name: str) -> None:
        contractor = self._mover()
        self.nominated[self._joker_to_nominate()] = name
        if len(self.nominated) == len(self._jokers_of_pack()):
            self._start_play(contractor)

    # R6: the play

    def _start_play(self, leader: int) -> None:
        self.phase = "play"
        self.seat = leader
        if self.contract == "OMIS" and self.options["open_misere_shown"] == "before_first_lead":
            self.exposed = True

    def effective_suit(self, card: str) -> str | None:
        """Return the suit a card belongs to in this contract; None for a suitless joker.

        Rules: R1.2–R1.4, R5.2, R5.3. ``43-low-four``: the four of the trumps' colour is a trump.
        """
        trumps = call_trumps(self.contract)
        if card in JOKERS:
            if trumps is not None:
                return trumps
            name = self.nominated.get(card, NO_NAME)
            return None if name == NO_NAME else name[1]
        rank, suit = card[0], card[1]
        if trumps is not None and suit == SAME_COLOUR[trumps]:
            if rank == "J":
                return trumps
            if rank == "4" and self.options["pack"] == "43-low-four":
                return trumps
        return suit

    def _legal_cards(self) -> set[str]:
        """Return what the hand may lead, or play to the led suit. Rules: R6.2, R7.2–R7.5."""
        seat = self._mover()
        hand = self.hands[seat]
        suitless = {card for card in hand if self.effective_suit(card) is None}
        if not self.trick:
            return set(hand) if self._may_lead_suitless(seat) else hand - suitless
        following = {card for card in hand if self.effective_suit(card) == self.led_suit}
        if following:
            return following
        if not self._may_throw_suitless(seat):
            return hand - suitless
        if suitless and self.contract in MISERES:
            return suitless
        return set(hand)

    def _play(self, card: str) -> None:
        seat = self._mover()
        leads = not self.trick
        suit = self.effective_suit(card)
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if leads and suit is None:
            self.phase = "name"  # R7.6: the same seat says the suit
            return
        if leads:
            self._lead_suit(suit)
        elif suit != self.led_suit:
            assert self.led_suit is not None
            self._failed[seat].add(self.led_suit)
        self._go_on_with_trick()

    def _lead_suit(self, suit: str | None) -> None:
        assert suit is not None
        self.led_suit = suit
        if suit not in self.named:
            self.named.append(suit)

    def _seat_out(self) -> int | None:
        """Return the seat that lays its hand aside. Rules: R8.2."""
        if self.contract in MISERES and self.contractor is not None:
            return (self.contractor + 2) % 4
        return None

    def _go_on_with_trick(self) -> None:
        out = self._seat_out()
        last = self.trick[-1][0]
        if len(self.trick) < (4 if out is None else 3):
            self.seat = next(seat for seat in self._clockwise_after(last) if seat != out)
        else:
            self._end_trick()

    def _end_trick(self) -> None:
        """Give the trick to its winner, who leads next. Rules: R6.1, R6.4, R8.3, R8.4."""
        assert self.led_suit is not None
        taker = self.trick_winner(self.trick, self.led_suit)
        self.past_tricks.append((self.led_suit, tuple(self.trick)))
        self.tricks[taker] += 1
        self.last_trick_winner = taker
        self.trick = []
        self.led_suit = None
        if self.contract == "OMIS":
            self.exposed = True
        misere_lost = self.contract in MISERES and taker == self.contractor
        played_out = self.options["misere_defence"] == 10
        if len(self.past_tricks) == self._hand_size or (misere_lost and not played_out):
            self._end_deal()
        else:
            self.seat = taker

    def trick_winner(self, trick: Sequence[tuple[int, str]], led_suit: str) -> int:
        """Return the seat that wins these cards. Rules: R1.2, R1.4, R5.2, R6.3, R7.1.

        A joker counts when it is suitless, a trump, or nominated in the led suit. Of two that count
        JK wins.
        """
        trumps = call_trumps(self.contract)
        by_card = {card: seat for seat, card in trick}
        for joker in JOKERS:
            if joker in by_card and self.effective_suit(joker) in (None, trumps, led_suit):
                return by_card[joker]
        trumped = [card for card in by_card if self.effective_suit(card) == trumps]
        if trumps is not None and trumped:
            return by_card[max(trumped, key=self._trump_rank)]
        followed = [card for card in by_card if self.effective_suit(card) == led_suit]
        return by_card[max(followed, key=lambda card: RANKS.index(card[0]))]

    def _trump_rank(self, card: str) -> int:
        """Rank a trump other than a joker: right bower, left bower, ace … four. Rules: R1.2."""
        rank, suit = card[0], card[1]
        if rank == "J":
            return len(RANKS) + (1 if suit == call_trumps(self.contract) else 0)
        return RANKS.index(rank)

    # R7: the suitless joker

    def _may_lead_suitless(self, seat: int) -> bool:
        """Tell whether this hand may lead a suitless joker. Rules: R7.4, R7.5.

        A hand of nothing but jokers may lead one at any time; the last trick is such a case.
        """
        rule = self.options["joker_no_trumps"]
        if self.hands[seat] <= set(JOKERS) or rule == "free":
            return True
        if rule == "last_trick_lead":
            return False
        return bool(self._nameable(seat))

    def _may_throw_suitless(self, seat: int) -> bool:
        """Tell whether a suitless joker may fall on the led suit; only ``not_shown_void`` forbids.

        Having failed to follow means having played a card that is not of the suit, a suitless joker
        included, to a trick in which another seat led it.
        """
        if self.options["joker_no_trumps"] != "not_shown_void":
            return True
        return self.hands[seat] <= set(JOKERS) or self.led_suit not in self._failed[seat]

    def _nameable(self, seat: int) -> set[str]:
        """Return the suits that this seat may name when it leads, or has just led, a joker.

        Rules: R7.4, R7.5, ``joker_no_trumps``. Whether the hand holds nothing but jokers does not
        change with the joker that has just left it. An empty answer says that the joker may not be
        led: all suits are named and this is not the last trick, or every suit is barred.
        """
        rule = self.options["joker_no_trumps"]
        only_jokers = self.hands[seat] <= set(JOKERS)
        if rule == "free":
            return set(SUITS)
        if rule == "not_shown_void":
            return set(SUITS) if only_jokers else set(SUITS) - self._failed[seat]
        not_yet_led = set(SUITS) - set(self.named)
        return set(SUITS) if only_jokers and not not_yet_led else not_yet_led

    def _name(self, name: str) -> None:
        self.phase = "play"
        self._lead_suit(name[1])
        self._go_on_with_trick()

    # R9: scoring a deal

    def _end_deal(self) -> None:
        tricks = (self.tricks[0] + self.tricks[2], self.tricks[1] + self.tricks[3])
        made = self._is_made(tricks)
        points = self._points(tricks, made)
        self.phase = "over"
        self.seat = None
        self.result = {
            "contract": self.contract,
            "contractor": self.contractor,
            "made": made,
            "tricks": tricks,
            "points": points,
        }
        self._add_points(points)
        self._find_winner(made)

    def _is_made(self, tricks: tuple[int, int]) -> bool | None:
        """Tell whether the contract was made, None without one. Rules: R9.2, R9.5."""
        if self.contract is None or self.contractor is None:
            return None
        if self.contract in MISERES:
            return self.tricks[self.contractor] == 0
        level = call_level(self.contract)
        assert level is not None
        return tricks[1 - self.contractor % 2] <= 10 - level  # so many are given away in every pack (D12)

    def _points(self, tricks: tuple[int, int], made: bool | None) -> tuple[int, int]:
        """Return the points of both sides before any cap. Rules: R9.1–R9.5, ``all_pass``."""
        if self.contract is None or self.contractor is None:
            return (10 * tricks[0], 10 * tricks[1])  # thrown in: no tricks, no points
        side = self.contractor % 2
        if self.contract in MISERES:
            paid = self.options["misere_defence"] == 10
            defence = 10 * self.tricks[self.contractor] if paid else 0
        else:
            defence = 10 * tricks[1 - side]
        own = call_value(self.contract) if made else -call_value(self.contract)
        slam = self.contract not in MISERES and tricks[side] == self._hand_size and self.options["slam"] == 250
        if made and slam and own < 250:
            own = 250
        return (own, defence) if side == 0 else (defence, own)

    # R10: the end of the game

    def _add_points(self, points: tuple[int, int]) -> None:
        """Form the new totals; ``defence_cap`` holds for whatever is not the contractor's."""
        cap = self.options["defence_cap"]
        for side in (0, 1):
            old = self.scores[side]
            new = old + points[side]
            own = self.contractor is not None and self.contractor % 2 == side
            if isinstance(cap, int) and not own:
                new = max(old, min(new, cap))
            self.scores[side] = new

    def _find_winner(self, made: bool | None) -> None:
        """Decide whether the game is over. Rules: R10.1–R10.3, ``win``, ``lose``, ``target``."""
        side = None if self.contractor is None else self.contractor % 2
        there = [number for number in (0, 1) if self.scores[number] >= self._target]
        if self.options["win"] == "own_contract":
            if made and side in there:
                self.winner = side
        elif len(there) == 1:
            self.winner = there[0]
        elif len(there) == 2 and side is not None:
            self.winner = side
        elif len(there) == 2 and self.scores[0] != self.scores[1]:
            self.winner = 0 if self.scores[0] > self.scores[1] else 1
        if self.winner is None and self.options["lose"] == "backwards":
            for number in (0, 1):
                if self.scores[number] <= -self._target:
                    self.winner = 1 - number

    # R11: who knows what

    def observation_key(self, seat: int) -> Hashable:
        """Return all that R11.1 and R11.2 let a seat know, and nothing else.

        How many cards the contractor has laid away so far is known to the contractor alone: R11.1
        does not list it. Of a nomination only the step itself is known: "=-" is the same with and
        without the joker (R5.4).
        """
        is_contractor = seat == self.contractor
        shown: frozenset[str] | None = None
        if self.exposed and self.contractor is not None:
            shown = frozenset(self.hands[self.contractor])
        return (
            tuple(sorted(self.options.items())),
            (self.dealer, self.deal_number, self.phase, self.seat),
            tuple(self.calls),
            (self.contract, self.contractor),
            tuple(self.nominated.items()),
            tuple(self.past_tricks),
            (tuple(self.trick), self.led_suit, tuple(self.named)),
            (tuple(self.tricks), self.last_trick_winner, tuple(self.scores)),
            shown,
            frozenset(self.hands[seat]),
            frozenset(self.kitty) if is_contractor else None,
            tuple(self.discards) if is_contractor else None,
        )
