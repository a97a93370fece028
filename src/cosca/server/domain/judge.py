"""Judges what somebody wants at a table: the line that would grant it, or why not.

Like the room it looks at, it knows no input, no output and no clock. It changes nothing: what it
grants is to be written down, and then room_from_log.
"""

import hmac
from collections.abc import Collection
from functools import singledispatchmethod

from cosca.bots.roster import find_bot
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Seat
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import checked_name, one_line
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.room import Chair, Room


class Judge:
    """Whoever decides what is granted at a table."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def command(
        self, owner: str, command: commands.Command, here: Collection[Seat], at: int
    ) -> LogEntry:
        """The line that grants a command, to be written down and room_from_log. Changes nothing."""
        if isinstance(
            command, commands.Move
        ):  # as most are; to find a method by its type takes long
            return self.move(self._own_seat(owner), command.actions, at)
        judged: LogEntry = self._judge(command, owner, here, at)
        self.room.tally.check(judged)
        return judged

    @singledispatchmethod
    def _judge(
        self, command: commands.Command, owner: str, here: Collection[Seat], at: int
    ) -> LogEntry:
        raise Refused("web.not_a_command")

    def move(self, seat: Seat, actions: list[int], at: int, bot: str = "") -> log_entries.Moved:
        """The line for some steps of a seat, by whoever plays it: a person, or that bot."""
        if self.room.stage in ("lobby", "sealing"):
            raise Refused("web.not_begun")
        if self.room.chairs[seat].bot != bot:
            raise Refused("web.bot_plays" if not bot else "web.person_plays")
        if self.room.is_paused:
            raise Refused("web.paused")
        if bot and self.room.proposal:  # it had begun to think before
            raise Refused("web.proposed")
        steps = self.room.playing().order_actions(seat, actions)
        return log_entries.Moved(at=at, seat=seat, actions=steps)

    @_judge.register
    def _(self, command: commands.Chat, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        text = one_line(command.text)
        if not text:
            raise Refused("web.empty")
        return log_entries.Spoken(at=at, seat=seat, text=text)

    @_judge.register
    def _(self, command: commands.Commit, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        given = self.room.contributions
        if self.room.stage != "sealing" or given.phase != "commit":
            raise Refused("web.not_committing")
        if seat in given.commitments:
            raise Refused("web.committed")
        return log_entries.Committed(at=at, seat=seat, commitment=command.commitment)

    @_judge.register
    def _(self, command: commands.Reveal, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        given = self.room.contributions
        if self.room.stage != "sealing" or given.phase != "reveal":
            raise Refused("web.not_revealing")
        if seat not in given.missing:
            raise Refused("web.nothing_to_reveal")
        if not given.fits(seat, bytes.fromhex(command.contribution)):
            raise Refused("web.other_bytes")
        return log_entries.Revealed(at=at, seat=seat, contribution=command.contribution)

    @_judge.register
    def _(self, command: commands.Start, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        self._only_host(owner)
        self._only_in_lobby()
        return log_entries.Started(at=at, bot=self.room.default_bot())

    @_judge.register
    def _(self, command: commands.Fill, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        self._only_host(owner)
        chair = self._chair(command.seat)
        find_bot(self.room.game, command.bot)
        if self.room.stage == "over":
            raise Refused("game_over")
        if chair.owners and (self.room.stage == "lobby" or command.seat in here):
            raise Refused("web.still_here", name=chair.name)
        if not chair.owners and self.room.stage != "lobby":
            raise Refused("web.bot_has_it")
        return log_entries.Filled(at=at, seat=command.seat, bot=command.bot)

    @_judge.register
    def _(
        self, command: commands.TakeBack, owner: str, here: Collection[Seat], at: int
    ) -> LogEntry:
        seat = self._own_seat(owner)
        if not self.room.chairs[seat].bot:
            raise Refused("web.is_yours")
        if self.room.chairs[seat].withheld:
            raise Refused("web.withheld")
        return log_entries.TakenBack(at=at, seat=seat)

    @_judge.register
    def _(self, command: commands.Remove, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        self._only_host(owner)
        chair = self._chair(command.seat)
        if command.seat == self.room.seat_of(owner):
            raise Refused("web.not_yourself")
        if self.room.stage == "over":
            raise Refused("game_over")
        if self.room.stage == "lobby" and not chair.is_open:
            return log_entries.Freed(at=at, seat=command.seat)
        if not chair.owners:
            raise Refused("web.nobody_there")
        return log_entries.Expelled(at=at, seat=command.seat, bot=self.room.default_bot())

    @_judge.register
    def _(self, command: commands.Leave, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        if self.room.stage == "over":
            raise Refused("game_over")
        if self.room.stage == "lobby":
            return log_entries.Freed(at=at, seat=seat)
        if self.room.chairs[seat].bot:
            raise Refused("web.bot_plays")
        return log_entries.Filled(at=at, seat=seat, bot=self.room.default_bot())

    @_judge.register
    def _(self, command: commands.Rematch, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        self._only_host(owner)
        if self.room.stage != "over":
            raise Refused("web.not_over")
        if self.room.rematch:
            raise Refused("web.goes_on", code=self.room.rematch)
        return log_entries.Continued(at=at, code=self.room.next_code())

    @_judge.register
    def _(self, command: commands.Propose, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        self._only_in_play(seat)
        if self.room.proposal:
            raise Refused("web.proposed")
        if self.room.is_paused:
            raise Refused("web.paused")
        if command.what == "takeback":
            self.room.before_last_move(seat)
        return log_entries.Proposed(at=at, seat=seat, what=command.what)

    @_judge.register
    def _(self, command: commands.Agree, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        self._only_in_play(seat)
        withdraws = self.room.proposal and seat == self.room.proposal.seat and not command.agrees
        if self.room.proposal is None or not (withdraws or seat in self.room.asked()):
            raise Refused("web.nothing_proposed")
        return log_entries.Answered(at=at, seat=seat, agrees=command.agrees)

    @_judge.register
    def _(self, command: commands.Resume, owner: str, here: Collection[Seat], at: int) -> LogEntry:
        seat = self._own_seat(owner)
        if not self.room.is_paused:
            raise Refused("web.not_paused")
        return log_entries.Resumed(at=at, seat=seat)

    @_judge.register
    def _(
        self, command: commands.SetPrivacy, owner: str, here: Collection[Seat], at: int
    ) -> LogEntry:
        self._only_host(owner)
        return log_entries.PrivacySet(
            at=at, listed=command.listed, spectator_chat=command.spectator_chat
        )

    def _only_in_play(self, seat: Seat) -> None:
        if self.room.stage != "playing":
            raise Refused("web.not_begun" if self.room.stage != "over" else "game_over")
        if self.room.chairs[seat].bot:
            raise Refused("web.bot_plays")

    def sitting(
        self, owner: str, name: str, key: str, at: int, seat: Seat | None = None
    ) -> log_entries.Sat:
        """The line for somebody who sits down."""
        if self.room.stage != "lobby":
            raise Refused("web.begun")
        if self.room.seat_of(owner) != SPECTATOR:
            raise Refused("web.seated")
        free = [number for number, chair in enumerate(self.room.chairs) if chair.is_open]
        if not free:
            raise Refused("web.full")
        if seat is not None and seat not in free:
            raise Refused("web.seat_taken")
        chosen = free[0] if seat is None else seat
        return log_entries.Sat(at=at, seat=chosen, name=checked_name(name), owner=owner, key=key)

    def claim(self, owner: str, key: str, at: int) -> log_entries.Claimed:
        """The line for somebody who comes with the link of a seat."""
        for seat, chair in enumerate(self.room.chairs):
            if chair.key and hmac.compare_digest(chair.key, key):
                if self.room.seat_of(owner) not in (SPECTATOR, seat):
                    raise Refused("web.seated")
                return log_entries.Claimed(at=at, seat=seat, owner=owner)
        raise Refused("web.bad_link")

    def closing(self, at: int) -> log_entries.CommitmentsClosed:
        """Return the line after which no commitment is accepted."""
        if self.room.stage != "sealing" or self.room.contributions.phase != "commit":
            raise Refused("web.not_committing")
        return log_entries.CommitmentsClosed(at=at)

    def dealing(self, at: int) -> log_entries.Dealt:
        """The line for the first card; a bot plays for those who withheld what they promised."""
        if self.room.stage != "sealing" or self.room.contributions.phase == "commit":
            raise Refused("web.dealt")
        withheld = self.room.contributions.missing
        return log_entries.Dealt(at=at, bot=self.room.substitute_bot() if withheld else "")

    def overdue(self, seat: Seat, at: int) -> log_entries.Overdue:
        """The line for somebody whose time has run out."""
        until = self.room.deadline(seat)
        if until is None or at < until:
            raise Refused("not_your_turn")
        return log_entries.Overdue(
            at=at,
            seat=seat,
            actions=self.room.timeout_actions(seat),
            bot=self.room.substitute_bot(),
        )

    def gone(self, seat: Seat, at: int) -> log_entries.Filled:
        """The line for somebody who is gone while others wait."""
        if self.room.stage != "playing" or seat not in self.room.players() or self.room.is_paused:
            raise Refused("web.bot_plays")
        return log_entries.Filled(at=at, seat=seat, bot=self.room.substitute_bot(), until_back=True)

    def coming_back(self, seat: Seat, at: int) -> log_entries.TakenBack:
        """The line for somebody who is at the table again."""
        if not self.room.chairs[seat].until_back or self.room.stage != "playing":
            raise Refused("web.is_yours")
        return log_entries.TakenBack(at=at, seat=seat)

    def waking(self, heartbeat: int, at: int) -> log_entries.Woken:
        """The line for a house that was closed; it last ran at its last line or heartbeat."""
        room = self.room
        alive = max(room.last, heartbeat)
        if not room.has_running_clocks or at <= alive:
            raise Refused("web.not_begun")
        return log_entries.Woken(at=at, alive=alive)

    def keeping_still(self, seat: Seat, at: int) -> log_entries.Moved:
        """The line for somebody whose hand was too slow."""
        if seat not in self.room.slow_hands():
            raise Refused("not_your_turn")
        return log_entries.Moved(at=at, seat=seat, actions=self.room.pass_actions(seat))

    def _own_seat(self, owner: str) -> Seat:
        seat = self.room.seat_of(owner)
        if seat == SPECTATOR:
            raise Refused("web.spectator")
        return seat

    def _chair(self, seat: Seat) -> Chair:
        if not 0 <= seat < len(self.room.chairs):
            raise Refused("bad_seat", seat=seat + 1, seats=len(self.room.chairs))
        return self.room.chairs[seat]

    def _only_host(self, owner: str) -> None:
        if not self.room.is_host(owner):
            raise Refused("web.only_host")

    def _only_in_lobby(self) -> None:
        if self.room.stage != "lobby":
            raise Refused("web.begun")
