"""The rules on one page, as browsers get them."""

from pathlib import Path
from typing import Any

from tests.server.in_process import InProcessServer, table
from tests.server.test_privacy import in_house


def texts(primer: dict[str, Any], section: str) -> str:
    """Return the sentences of a section."""
    found = next(each for each in primer["sections"] if each["name"] == section)
    return " ".join(line["text"] for line in found["lines"])


def test_a_table_gets_the_page_for_its_own_settings(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        host = server.visitor()
        options = {"control": "most", "max_rounds": "3"}
        wanted = table("vendetta", ["you", "open", "random"], options=options)
        code = (await host.post("/api/tables", **wanted)).json()["code"]
        primer = (await host.get(f"/api/tables/{code}/primer")).json()
        assert primer["table"] == "House rules, 3 players"
        assert "more mafiosi there than anyone else" in texts(primer, "goal")
        assert "Control 6 districts" in texts(primer, "goal")
        assert "after round 3" in texts(primer, "end")

    in_house(tmp_path, attempt)


def test_a_game_gets_the_page_of_an_edition(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        somebody = server.visitor()
        primer = (await somebody.get("/api/games/vendetta/primer?edition=french")).json()
        assert primer["table"] == "French edition, 4 players"
        assert "in each of two districts" in texts(primer, "turn")
        usual = (await somebody.get("/api/games/vendetta/primer")).json()
        assert "in every district except two" in texts(usual, "turn")

    in_house(tmp_path, attempt)
