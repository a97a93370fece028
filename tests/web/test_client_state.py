"""The unit tests of the client's state (`web/tests`), which run in Node without a browser."""

from tests.processes import run
from web import building


def test_the_unit_tests_of_the_client_pass() -> None:
    building.install(building.WEB)
    node, _ = building.tools()
    vitest = building.WEB / "node_modules" / "vitest" / "vitest.mjs"
    done = run([node, vitest, "run", "--no-color"], cwd=building.WEB)
    assert done.returncode == 0, done.stdout + done.stderr
