"""The judge grants or refuses commands; a command is granted by returning its log entry.

The judge changes nothing: the entry still has to be appended to the log and applied to the room.
Like the room it has no input, no output and no clock.
"""

import hmac
from collections.abc import Collection
from functools import singledispatch

from cosca.bots.roster import default_bot, find_bot
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Seat
from cosca.server.domain import commands
from cosca.server.domain import log_entries as entries
from cosca.server.domain.identifiers import checked_name, one_line
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.opening import next_code
from cosca.server.domain.room import Room
from cosca.server.domain.seats import Chair


class Judge:
    """Decides what people, and the server itself, may do at a table."""

    def __init__(self, room: Room) -> None:
        self.room = room

    # --- What people ask for ----------------------------------------------------------------------

    def command(
        self, owner: str, command: commands.Command, present: Collection[Seat], at: int
    ) -> LogEntry:
        """Return the entry that grants a command; `present` are the seats that are connected."""
        if isinstance(command, commands.Move):  # the most frequent one: dispatching by type is slow
            return self.move(self.own_seat(owner), command.actions, at)
        entry = _grant(command, self, owner, present, at)
        self.room.quotas.check(entry)
        return entry

    def move(self, seat: Seat, actions: list[int], at: int, bot: str = "") -> entries.Moved:
        """Return the entry for some steps of a seat, by the person or the bot that plays it."""
        if self.room.stage in ("lobby", "sealing"):
            raise Refused("web.not_begun")
        if self.room.seats[seat].bot != bot:
            raise Refused("web.bot_plays" if not bot else "web.person_plays")
        if self.room.is_paused:
            raise Refused("web.paused")
        if bot and self.room.agreement.proposal:  # the bot had begun to think before
            raise Refused("web.proposed")
        steps = self.room.playing().order_actions(seat, actions)
        return entries.Moved(at=at, seat=seat, actions=steps)

    def sit_down(
        self, owner: str, name: str, key: str, at: int, seat: Seat | None = None
    ) -> entries.Sat:
        """Return the entry for taking an open seat: that one, or the first."""
        if self.room.stage != "lobby":
            raise Refused("web.begun")
        if self.room.seats.of(owner) != SPECTATOR:
            raise Refused("web.seated")
        free = [number for number, chair in enumerate(self.room.seats) if chair.is_open]
        if not free:
            raise Refused("web.full")
        if seat is not None and seat not in free:
            raise Refused("web.seat_taken")
        chosen = free[0] if seat is None else seat
        return entries.Sat(at=at, seat=chosen, name=checked_name(name), owner=owner, key=key)

    def claim(self, owner: str, key: str, at: int) -> entries.Claimed:
        """Return the entry for coming back to a seat by its own link."""
        for seat, chair in enumerate(self.room.seats):
            if chair.key and hmac.compare_digest(chair.key, key):
                if self.room.seats.of(owner) not in (SPECTATOR, seat):
                    raise Refused("web.seated")
                return entries.Claimed(at=at, seat=seat, owner=owner)
        raise Refused("web.bad_link")

    # --- What the server does itself --------------------------------------------------------------

    def close_commitments(self, at: int) -> entries.CommitmentsClosed:
        """Return the entry after which no commitment is accepted."""
        if self.room.stage != "sealing" or self.room.deal.contributions.phase != "commit":
            raise Refused("web.not_committing")
        return entries.CommitmentsClosed(at=at)

    def deal(self, at: int) -> entries.Dealt:
        """Return the entry that deals the cards; a bot plays for those who withheld their bytes."""
        if self.room.stage != "sealing" or self.room.deal.contributions.phase == "commit":
            raise Refused("web.dealt")
        withheld = self.room.deal.contributions.missing
        return entries.Dealt(at=at, bot=self._substitute() if withheld else "")

    def time_out(self, seat: Seat, at: int) -> entries.Overdue:
        """Return the entry for a person whose time has run out."""
        until = self.room.deadline(seat)
        if until is None or at < until:
            raise Refused("not_your_turn")
        actions = self.room.timeout_actions(seat)
        return entries.Overdue(at=at, seat=seat, actions=actions, bot=self._substitute())

    def replace_absent(self, seat: Seat, at: int) -> entries.Filled:
        """Return the entry by which a bot plays for a person who is absent while others wait."""
        is_playing = seat in self.room.seats.players()
        if self.room.stage != "playing" or not is_playing or self.room.is_paused:
            raise Refused("web.bot_plays")
        return entries.Filled(at=at, seat=seat, bot=self._substitute(), until_back=True)

    def welcome_back(self, seat: Seat, at: int) -> entries.TakenBack:
        """Return the entry by which a person who is present again plays the seat."""
        if not self.room.seats[seat].until_back or self.room.stage != "playing":
            raise Refused("web.is_yours")
        return entries.TakenBack(at=at, seat=seat)

    def resume_clocks(self, heartbeat: int, at: int) -> entries.Woken:
        """Return the entry that refunds the time since a server last ran, by entry or heartbeat."""
        room = self.room
        alive = max(room.last, heartbeat)
        if not room.has_running_clocks or at <= alive:
            raise Refused("web.not_begun")
        return entries.Woken(at=at, alive=alive)

    def pass_on_timeout(self, seat: Seat, at: int) -> entries.Moved:
        """Return the entry for a person who has not reacted in time."""
        if seat not in self.room.pending_reactions():
            raise Refused("not_your_turn")
        return entries.Moved(at=at, seat=seat, actions=self.room.pass_actions(seat))

    def _substitute(self) -> str:
        return self.room.seats.substitute_bot(self.room.game)

    # --- Who may ----------------------------------------------------------------------------------

    def own_seat(self, owner: str) -> Seat:
        """Return the seat of a browser; refuse a spectator."""
        seat = self.room.seats.of(owner)
        if seat == SPECTATOR:
            raise Refused("web.spectator")
        return seat

    def chair(self, seat: Seat) -> Chair:
        """Return the occupant of a seat; refuse a number that is not a seat."""
        if not 0 <= seat < len(self.room.seats):
            raise Refused("bad_seat", seat=seat + 1, seats=len(self.room.seats))
        return self.room.seats[seat]

    def only_host(self, owner: str) -> None:
        """Refuse anybody but the host."""
        if not self.room.seats.is_host(owner):
            raise Refused("web.only_host")

    def only_in_play(self, seat: Seat) -> None:
        """Refuse a seat that is not played by its person in a game in progress."""
        if self.room.stage != "playing":
            raise Refused("web.not_begun" if self.room.stage != "over" else "game_over")
        if self.room.seats[seat].bot:
            raise Refused("web.bot_plays")


# --- Commands -------------------------------------------------------------------------------------


@singledispatch
def _grant(
    command: commands.Command, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    """Return the entry that grants a command other than a move."""
    raise Refused("web.not_a_command")


@_grant.register
def _(
    command: commands.Chat, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    text = one_line(command.text)
    if not text:
        raise Refused("web.empty")
    return entries.Spoken(at=at, seat=seat, text=text)


@_grant.register
def _(
    command: commands.Commit, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    given = judge.room.deal.contributions
    if judge.room.stage != "sealing" or given.phase != "commit":
        raise Refused("web.not_committing")
    if seat in given.commitments:
        raise Refused("web.committed")
    return entries.Committed(at=at, seat=seat, commitment=command.commitment)


@_grant.register
def _(
    command: commands.Reveal, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    given = judge.room.deal.contributions
    if judge.room.stage != "sealing" or given.phase != "reveal":
        raise Refused("web.not_revealing")
    if seat not in given.missing:
        raise Refused("web.nothing_to_reveal")
    if not given.fits(seat, bytes.fromhex(command.contribution)):
        raise Refused("web.other_bytes")
    return entries.Revealed(at=at, seat=seat, contribution=command.contribution)


@_grant.register
def _(
    command: commands.Start, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    judge.only_host(owner)
    if judge.room.stage != "lobby":
        raise Refused("web.begun")
    return entries.Started(at=at, bot=default_bot(judge.room.game))


@_grant.register
def _(
    command: commands.Fill, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    judge.only_host(owner)
    stage = judge.room.stage
    chair = judge.chair(command.seat)
    find_bot(judge.room.game, command.bot)
    if stage == "over":
        raise Refused("game_over")
    if chair.owners and (stage == "lobby" or command.seat in present):
        raise Refused("web.still_here", name=chair.name)
    if not chair.owners and stage != "lobby":
        raise Refused("web.bot_has_it")
    return entries.Filled(at=at, seat=command.seat, bot=command.bot)


@_grant.register
def _(
    command: commands.ReclaimSeat, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    if not judge.room.seats[seat].bot:
        raise Refused("web.is_yours")
    if judge.room.seats[seat].withheld:
        raise Refused("web.withheld")
    return entries.TakenBack(at=at, seat=seat)


@_grant.register
def _(
    command: commands.Remove, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    judge.only_host(owner)
    chair = judge.chair(command.seat)
    if command.seat == judge.room.seats.of(owner):
        raise Refused("web.not_yourself")
    if judge.room.stage == "over":
        raise Refused("game_over")
    if judge.room.stage == "lobby" and not chair.is_open:
        return entries.Freed(at=at, seat=command.seat)
    if not chair.owners:
        raise Refused("web.nobody_there")
    return entries.Expelled(at=at, seat=command.seat, bot=default_bot(judge.room.game))


@_grant.register
def _(
    command: commands.Leave, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    if judge.room.stage == "over":
        raise Refused("game_over")
    if judge.room.stage == "lobby":
        return entries.Freed(at=at, seat=seat)
    if judge.room.seats[seat].bot:
        raise Refused("web.bot_plays")
    return entries.Filled(at=at, seat=seat, bot=default_bot(judge.room.game))


@_grant.register
def _(
    command: commands.Rematch, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    judge.only_host(owner)
    if judge.room.stage != "over":
        raise Refused("web.not_over")
    if judge.room.rematch:
        raise Refused("web.goes_on", code=judge.room.rematch)
    return entries.Continued(at=at, code=next_code(judge.room))


@_grant.register
def _(
    command: commands.Propose, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    judge.only_in_play(seat)
    if judge.room.agreement.proposal:
        raise Refused("web.proposed")
    if judge.room.is_paused:
        raise Refused("web.paused")
    if command.what == "takeback":
        judge.room.find_takeback(seat)
    return entries.Proposed(at=at, seat=seat, what=command.what)


@_grant.register
def _(
    command: commands.Agree, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    judge.only_in_play(seat)
    agreement = judge.room.agreement
    proposal = agreement.proposal
    withdraws = proposal and seat == proposal.seat and not command.agrees
    if not withdraws and seat not in agreement.pending(judge.room.seats.players()):
        raise Refused("web.nothing_proposed")
    return entries.Answered(at=at, seat=seat, agrees=command.agrees)


@_grant.register
def _(
    command: commands.Resume, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    seat = judge.own_seat(owner)
    if not judge.room.is_paused:
        raise Refused("web.not_paused")
    return entries.Resumed(at=at, seat=seat)


@_grant.register
def _(
    command: commands.SetPrivacy, judge: Judge, owner: str, present: Collection[Seat], at: int
) -> LogEntry:
    judge.only_host(owner)
    listed, chat = command.listed, command.spectator_chat
    return entries.PrivacySet(at=at, listed=listed, spectator_chat=chat)
