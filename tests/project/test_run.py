"""What ./run promises, without a network: its steps are noted instead of done."""

import ast
import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from tests.processes import run
from web import building

SCRIPT = Path(__file__).parents[2] / "run"
VENV, LIBRARIES, PROJECT, CORE, WEB = "venv", "libraries", "project", "core", "web"


def name_of(command: list[str]) -> str:
    """Say which part of the set-up a command does."""
    if "venv" in command:
        return VENV
    if "--require-hashes" in command:
        return LIBRARIES
    if "web/building.py" in command:
        return WEB
    return PROJECT if "--editable=." in command else CORE


class House:
    """A small checkout with its own copy of ./run, and the steps that its set-up took."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps: list[str] = []
        self.commands: list[list[str]] = []
        self.trouble: dict[str, BaseException] = {}
        self.has_node = True
        self.write("run", SCRIPT.read_text())
        (root / "run").chmod(0o755)
        for file in ("pyproject.toml", "setup.py", "src/cosca/core/plain.py"):
            self.write(file, "")
        for group in ("run", "web", "dev", "bench"):
            self.write(f"requirements/{group}.txt", group)
        self.write("web/src/main.ts", "one = 1\n")
        self.write("web/package-lock.json", "{}")
        self.write("src/cosca/core/state.py", "one = 1\n")
        self.write("src/cosca/core/state.pxd", "cdef int one\n")
        self.script = self.load()

    def write(self, file: str, text: str) -> Path:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def load(self) -> ModuleType:
        loader = SourceFileLoader("cosca_run", str(self.root / "run"))
        spec = spec_from_loader(loader.name, loader)
        assert spec is not None
        script = module_from_spec(spec)
        loader.exec_module(script)
        self.real_step = script.step
        script.__dict__["step"] = self.step
        script.__dict__["has_node"] = lambda: self.has_node
        return script

    def step(self, what: str, command: list[str], **environ: str) -> str:
        part = name_of(command)
        self.steps.append(part)
        self.commands.append(command)
        if part in self.trouble:
            raise self.trouble[part]
        if part == VENV:
            self.write(".venv/bin/python", "")
        return f"noise\n{self.script.PURE}, more slowly: a reason.\nnoise\n"

    def set_up(self, *groups: str) -> list[str]:
        self.steps.clear()
        self.script.prepare(list(groups))
        return list(self.steps)

    def run(self, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, str(self.root / "run"), *words]
        return run(program, env={**os.environ, **environ})


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return House(tmp_path)


def assert_one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.endswith(".\n")
    for word in words:
        assert word in done.stderr


def test_an_old_python_can_read_it_far_enough_to_say_that_it_is_old() -> None:
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
    check = next(place for place, node in enumerate(tree.body) if isinstance(node, ast.If))
    assert "version_info" in ast.unparse(tree.body[check])
    first = tree.body[:check]
    assert all(isinstance(node, ast.Expr | ast.Import | ast.ImportFrom) for node in first)


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",), ("help",)])
def test_help_names_every_command_and_sets_nothing_up(house: House, words: tuple[str, ...]) -> None:
    done = house.run(*words)
    assert done.returncode == 0
    assert not (house.root / ".venv").exists()
    for command in [*house.script.GROUPS, *house.script.ALONE]:
        assert f"./run {command} " in done.stdout


def test_an_unknown_command_is_one_sentence(house: House) -> None:
    assert_one_sentence(house.run("paly"), "paly")
    assert not (house.root / ".venv").exists()


def test_a_python_without_venv_is_one_sentence(house: House, tmp_path: Path) -> None:
    house.write("stub/sitecustomize.py", "import sys\nsys.modules['ensurepip'] = None\n")
    done = house.run("play", PYTHONPATH=str(tmp_path / "stub"))
    assert_one_sentence(done, "apt install python3-venv")


def test_a_missing_file_is_one_sentence(house: House) -> None:
    (house.root / "requirements/run.txt").unlink()
    done = house.run("play")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "requirements/run.txt" in done.stderr


def test_a_step_that_fails_says_why_and_where_the_log_is(house: House) -> None:
    (house.root / ".venv").mkdir()
    command = [sys.executable, "-c", "import sys; print('loud'); sys.exit('ERROR: no network')"]
    with pytest.raises(house.script.SetUpError) as caught:
        house.real_step("a thing", command)
    assert "a thing (ERROR: no network)" in str(caught.value)
    assert str(house.script.LOG) in str(caught.value)
    assert "loud" in house.script.LOG.read_text()


def test_the_first_time_everything_is_set_up_and_the_second_time_nothing(house: House) -> None:
    assert house.set_up("run") == [VENV, LIBRARIES, PROJECT, CORE, WEB]
    assert house.set_up("run") == []


def test_why_the_core_is_not_compiled_is_said_once(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    house.set_up("run")
    assert capsys.readouterr().err == "Cosca runs as plain Python, more slowly: a reason.\n"


def test_setup_py_says_it_in_the_words_that_run_looks_for(house: House) -> None:
    assert f'f"{house.script.PURE}' in SCRIPT.with_name("setup.py").read_text()


def test_playing_does_not_install_what_only_the_tests_need(house: House) -> None:
    house.set_up("run")
    assert not any("dev.txt" in word for command in house.commands for word in command)
    assert house.set_up("run", "dev") == [LIBRARIES]
    assert "--requirement=requirements/dev.txt" in house.commands[-1]
    assert house.set_up("run") == house.set_up("run", "dev") == []


@pytest.mark.parametrize("file", ["core/state.py", "core/state.pxd", "games/new.pyx"])
def test_a_changed_source_of_the_core_only_compiles_again(house: House, file: str) -> None:
    house.set_up("run")
    house.write(f"src/cosca/{file}", "changed = 1\n")
    assert house.set_up("run") == [CORE]
    assert house.set_up("run") == []


def test_a_changed_source_outside_the_core_does_nothing(house: House) -> None:
    house.set_up("run")
    house.write("src/cosca/core/plain.py", "changed = 1\n")
    assert house.set_up("run") == []


@pytest.mark.parametrize("file", ["src/pages/New.svelte", "package-lock.json", "public/icon.svg"])
def test_a_changed_source_of_the_web_client_only_builds_it_again(house: House, file: str) -> None:
    house.set_up("run")
    house.write(f"web/{file}", "changed")
    assert house.set_up("run") == [WEB]
    house.write("web/node_modules/svelte/package.json", "changed")
    assert house.set_up("run") == []


def test_the_texts_that_a_build_writes_do_not_call_for_another_build(house: House) -> None:
    house.set_up("run")
    house.write(f"{building.GENERATED.relative_to(SCRIPT.parent)}/en.json", "{}")
    assert house.set_up("run") == []


def test_node_is_brought_only_where_there_is_none(house: House) -> None:
    house.has_node = False
    assert house.set_up("run") == [VENV, LIBRARIES, PROJECT, CORE, LIBRARIES, WEB]
    assert "--requirement=requirements/web.txt" in house.commands[-2]
    assert house.set_up("run") == []


def test_a_changed_requirement_only_installs_again(house: House) -> None:
    house.set_up("run")
    house.write("requirements/run.txt", "other")
    assert house.set_up("run") == [LIBRARIES]


@pytest.mark.parametrize("file", ["pyproject.toml", "setup.py"])
def test_a_changed_recipe_installs_the_project_and_compiles(house: House, file: str) -> None:
    house.set_up("run")
    house.write(file, "# changed")
    assert house.set_up("run") == [PROJECT, CORE]


def test_a_compiler_that_arrives_later_is_used(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    house.set_up("run")
    monkeypatch.setenv("CC", sys.executable)  # anything that is there
    assert house.set_up("run") == [CORE]


@pytest.mark.parametrize("part", [VENV, LIBRARIES, PROJECT])
def test_a_set_up_interrupted_while_installing_starts_from_nothing(house: House, part: str) -> None:
    house.trouble = {part: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        house.set_up("run")
    house.trouble.clear()
    assert house.set_up("run") == [VENV, LIBRARIES, PROJECT, CORE, WEB]


def test_a_core_that_does_not_compile_is_tried_again_and_nothing_else(house: House) -> None:
    house.trouble = {CORE: house.script.SetUpError("no")}
    for _ in range(2):
        with pytest.raises(house.script.SetUpError):
            house.set_up("run")
    assert house.steps == [CORE]
    house.trouble.clear()
    assert house.set_up("run") == [CORE, WEB]


def test_what_worked_still_works_after_pip_refused_something_else(house: House) -> None:
    house.set_up("run")
    house.trouble = {LIBRARIES: house.script.SetUpError("no network")}
    with pytest.raises(house.script.SetUpError):
        house.set_up("run", "dev")
    assert house.set_up("run") == []


def test_a_broken_or_moved_venv_is_made_again(house: House) -> None:
    house.set_up("run")
    house.script.PYTHON.unlink()
    assert house.set_up("run")[0] == VENV
    house.script.STAMP.write_text("{ half a st")
    assert house.set_up("run")[0] == VENV
    house.script.write_stamp({**house.script.read_stamp(), "python": "elsewhere"})
    assert house.set_up("run")[0] == VENV


def test_one_that_waited_for_another_finds_nothing_left_to_do(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = house.script.fingerprint(["run"])

    def the_other_finishes() -> object:
        house.write(".venv/bin/python", "")
        house.script.write_stamp(wanted)
        return one_at_a_time()

    one_at_a_time = house.script.one_at_a_time
    monkeypatch.setattr(house.script, "one_at_a_time", the_other_finishes)
    assert house.set_up("run") == []


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands in for cosca")
@pytest.mark.parametrize(
    ("words", "received"), [(["play", "--seats", "3"], "play --seats 3"), (["cosca", "-V"], "-V")]
)
def test_cosca_gets_the_arguments_in_the_users_folder_and_its_exit_code_is_passed_on(
    house: House, words: list[str], received: str
) -> None:
    house.set_up("run")
    cosca = house.write(".venv/bin/cosca", '#!/bin/sh\necho "$@ in $PWD"\nexit 7\n')
    cosca.chmod(0o755)
    done = house.run(*words)
    assert (done.returncode, done.stderr) == (7, "")
    assert done.stdout == f"{received} in {os.getcwd()}\n"


@pytest.mark.skipif(os.name == "nt", reason="shell scripts stand in for the tools")
def test_check_runs_every_tool_and_fails_if_one_does(house: House) -> None:
    house.set_up("run", "dev")
    for tool, code in {"ruff": 0, "mypy": 3, "lint-imports": 0, "python": 0}.items():
        path = house.write(f".venv/bin/{tool}", f'#!/bin/sh\necho {tool} "$@"\nexit {code}\n')
        path.chmod(0o755)
    done = house.run("check")
    assert done.returncode == 3
    called = [line.split()[0] for line in done.stdout.splitlines()]
    assert called == ["ruff", "ruff", "mypy", "lint-imports", "python"]


def test_ctrl_c_leaves_no_traceback(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.trouble = {LIBRARIES: KeyboardInterrupt()}
    assert house.script.main(["play"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("group", ["run", "web", "dev", "bench"])
def test_every_pinned_requirement_has_a_hash_and_no_address(group: str) -> None:
    text = (SCRIPT.parent / f"requirements/{group}.txt").read_text()
    assert "://" not in text and "index" not in text
    entries = text.replace("\\\n", " ").splitlines()
    pins = [line for line in entries if line and not line.lstrip().startswith("#")]
    assert pins and all("==" in pin and "--hash=sha256:" in pin for pin in pins)
