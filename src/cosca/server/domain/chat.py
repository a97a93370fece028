"""The chat of a table, and who may read each message."""

from msgspec import Struct

from cosca.core.names import SPECTATOR, Seat


class ChatMessage(Struct, frozen=True):
    """A chat message."""

    seat: int
    name: str
    text: str


class Chat:
    """The chat of a table. Each message keeps the audience it had when it was sent."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open
        """Whether spectators may read new messages."""
        self.messages: list[ChatMessage] = []
        self._open_messages: list[ChatMessage] = []

    def add(self, message: ChatMessage) -> None:
        """Add a message."""
        self.messages.append(message)
        if self.is_open:
            self._open_messages.append(message)

    def readable_by(self, seat: Seat) -> list[ChatMessage]:
        """Return the messages that a seat, or a spectator, may read."""
        return self._open_messages if seat == SPECTATOR else self.messages
