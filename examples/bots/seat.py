"""A bot at a table of a house, over the same socket as people; needs `pip install websockets`.

`python examples/bots/seat.py http://127.0.0.1:8000/t/CODE` takes an open seat, and
`python examples/bots/seat.py http://127.0.0.1:8000/seat/CODE#TOKEN` plays the seat of that link.
"""

import json
import random
import sys
from secrets import token_hex
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def sit_down(origin: str, code: str, token: str) -> str:
    """Take a seat, or come back to one; the cookie the house knows us by from then on."""
    way, body = ("claim", {"token": token}) if token else ("join", {"name": "lucky.py"})
    headers = {"origin": origin, "content-type": "application/json"}
    request = Request(f"{origin}/api/tables/{code}/{way}", json.dumps(body).encode(), headers)
    with urlopen(request) as answer:
        return answer.headers["set-cookie"].partition(";")[0]


link = urlsplit(sys.argv[1])
origin, code = f"{link.scheme}://{link.netloc}", link.path.rpartition("/")[2]
headers = {"origin": origin, "cookie": sit_down(origin, code, link.fragment)}
address = f"{origin.replace('http', 'ws', 1)}/ws/{code}?view=data"
with connect(address, additional_headers=headers) as socket:
    for frame in socket:
        view = json.loads(frame).get("view")  # new whenever something has changed for this seat
        if view and view["result"]:
            print(view["result"])
            break
        if view and view["position"]["legal"]:
            actions = [random.choice(view["position"]["legal"])]
            socket.send(json.dumps({"do": "move", "id": token_hex(8), "actions": actions}))
