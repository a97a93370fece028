"""Batches of messages are framed as the websockets library does it."""

import pytest
from websockets.frames import Frame, Opcode

from cosca.server.http.frames import encode_frames


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536])
def test_a_message_is_framed_as_the_library_does(length: int) -> None:
    text = b"x" * length
    assert encode_frames([text]) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_messages_keep_their_order() -> None:
    one, two = b"one", b"t" * 300
    assert encode_frames([one, two]) == encode_frames([one]) + encode_frames([two])
