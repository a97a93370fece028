"""A bot at an online table, over the same WebSocket as browsers; needs `pip install websockets`.

`python examples/bots/seat.py http://127.0.0.1:8000/t/CODE` takes an open seat, and
`python examples/bots/seat.py http://127.0.0.1:8000/seat/CODE#TOKEN` plays the seat of that link.
"""

import hashlib
import json
import random
import sys
from secrets import token_bytes, token_hex
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def sit_down(origin: str, code: str, token: str) -> str:
    """Take a seat, or return to one; return the cookie that identifies us from then on."""
    action, body = ("claim", {"token": token}) if token else ("join", {"name": "seat.py"})
    headers = {"origin": origin, "content-type": "application/json"}
    request = Request(f"{origin}/api/tables/{code}/{action}", json.dumps(body).encode(), headers)
    with urlopen(request) as response:
        return response.headers["set-cookie"].partition(";")[0]


def pack(*parts: str | bytes) -> bytes:
    """Join parts, each after its length, as docs/records.md specifies."""
    encoded = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


def deal_command(room: dict, own: bytes) -> dict | None:
    """Return the command for the deal, if one is due: the hash of our bytes, then the bytes."""
    table, seal, seat = room["code"], room["seal"], room["you"]
    commitment = hashlib.sha256(pack("cosca/commit/2", table, seal, str(seat), own)).hexdigest()
    ours = room["contributions"][seat] if room["dealing"] else {}
    if room["dealing"] == "commit" and ours["status"] == "waiting":
        return {"do": "commit", "id": "commit", "commitment": commitment}
    if room["dealing"] == "reveal" and ours.get("commitment") == commitment:
        return {"do": "reveal", "id": "reveal", "contribution": own.hex()}
    return None


own_bytes = token_bytes(16)
link = urlsplit(sys.argv[1])
origin, code = f"{link.scheme}://{link.netloc}", link.path.rpartition("/")[2]
headers = {"origin": origin, "cookie": sit_down(origin, code, link.fragment)}
address = f"{origin.replace('http', 'ws', 1)}/ws/{code}?protocol=2&view=data"
with connect(address, additional_headers=headers) as socket:
    for frame in socket:
        message = json.loads(frame)
        command = message.get("room") and deal_command(message["room"], own_bytes)
        if command:  # sent twice with one id, it is done once
            socket.send(json.dumps(command))
        view = message.get("view")  # there whenever something has changed for this seat
        if view and view["result"]:
            print(view["result"])
            break
        if view and view["position"]["legal"]:
            actions = [random.choice(view["position"]["legal"])]
            socket.send(json.dumps({"do": "move", "id": token_hex(8), "actions": actions}))
