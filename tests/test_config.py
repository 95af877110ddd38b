from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import jsonschema
import pytest

import gradlint
from gradlint.config.file import KEYS
from gradlint.config.resolve import Project, read_file
from gradlint.config.target import TARGETS
from gradlint.model import custom
from gradlint.model.custom import Custom
from gradlint.model.settings import ConfigError, Settings, override

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCHEMA = json.loads((Path(gradlint.__file__).parent / "gradlint.schema.json").read_text(encoding="utf-8"))
RULES = (
    ("clip-after-step", "clipping"),
    ("clip-per-tensor", "clipping"),
    ("no-sync", "distributed"),
)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty current folder, and three rules."""
    rule = ModuleType("gradlint.rules.support.rule")
    rules = tuple(SimpleNamespace(name=name, category=category) for name, category in RULES)
    vars(rule).update(all_rules=lambda: rules)
    monkeypatch.setitem(__import__("sys").modules, "gradlint.rules.support.rule", rule)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def on(settings: Settings, *, default: bool = True) -> list[str]:
    return [name for name, category in RULES if settings.enabled(name, category, default)]


EVERY = [name for name, _ in RULES]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), EVERY),
        (Settings(ignore=("clipping",)), ["no-sync"]),
        (Settings(ignore=("all",)), []),
        (Settings(select=()), []),
        (Settings(select=("all",)), EVERY),
        (Settings(select=("clipping",)), ["clip-after-step", "clip-per-tensor"]),
        (
            Settings(select=("no-sync",), extend_select=("clip-after-step",)),
            ["clip-after-step", "no-sync"],
        ),
        (Settings(select=("all",), ignore=("clipping",)), ["no-sync"]),
        (Settings(select=("clip-after-step",), ignore=("clipping",)), ["clip-after-step"]),
        (Settings(select=("clipping",), ignore=("clip-after-step",)), ["clip-per-tensor"]),
        (Settings(select=("clipping",), ignore=("clipping",)), []),
    ],
)
def test_the_more_specific_selector_wins_and_ignore_wins_ties(settings: Settings, expected: list[str]) -> None:
    assert on(settings) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), []),
        (Settings(select=("all",)), EVERY),
        (Settings(extend_select=("no-sync",)), ["no-sync"]),
        (Settings(extend_select=("clipping",), ignore=("clip-per-tensor",)), ["clip-after-step"]),
    ],
)
def test_rules_that_are_off_by_default(settings: Settings, expected: list[str]) -> None:
    assert on(settings, default=False) == expected


@pytest.mark.parametrize(
    ("beneath", "above", "expected"),
    [
        (Settings(select=("no-sync",)), {}, ["no-sync"]),
        (Settings(select=("no-sync",)), {"select": ("clipping",)}, EVERY[:2]),
        (Settings(ignore=("no-sync",)), {"select": ("all",)}, EVERY),
        (Settings(ignore=("no-sync",)), {"extend_select": ("no-sync",)}, EVERY),
        (Settings(extend_select=("clip-per-tensor",)), {"ignore": ("clipping",)}, ["no-sync"]),
        (Settings(ignore=("no-sync",)), {"ignore": ("clip-per-tensor",)}, ["clip-after-step"]),
    ],
)
def test_the_command_line_is_a_layer_above(
    beneath: Settings, above: dict[str, tuple[str, ...]], expected: list[str]
) -> None:
    assert on(override(beneath, **above)) == expected


def test_pedantic_and_exclude_pass_through_layers() -> None:
    beneath = Settings(pedantic=True, exclude=("old",), root="/project")
    above = override(beneath)
    assert (above.pedantic, above.exclude, above.root) == (True, ("old",), "/project")
    assert override(Settings(), pedantic=True).pedantic


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), False),
        (Settings(extend_select=("no-sync",)), False),
        (Settings(ignore=("no-sync",)), True),
        (override(Settings(select=("all",))), True),
    ],
)
def test_narrowed(settings: Settings, expected: bool) -> None:
    assert settings.narrowed is expected


# Files

WHOLE = """\
select = ["clipping"]
ignore = ["clip-per-tensor"]
extend-select = ["no-sync"]
pedantic = true
exclude = ["old", "*_pb2.py"]
force-exclude = true
respect-gitignore = false
project = false
tests = ["checks/*"]
target-version = "py310"
optimizers = ["my_pkg.Lion"]
clip-functions = ["clip"]
backward-functions = ["my_pkg.engine.run_backward"]
scaler-callables = ["Scaler"]
roles = {"self.solver" = "optimizer", mixer = "step"}

[per-file-ignores]
"tests/*" = ["all"]
"""
TABLES = WHOLE.replace("[per-file-ignores]", "[tool.gradlint.per-file-ignores]")


ROLES = (("mixer", "step"), ("self.solver", "optimizer"))


@pytest.mark.parametrize(
    ("name", "text"),
    [("gradlint.toml", WHOLE), ("pyproject.toml", f"[tool.gradlint]\n{TABLES}"), ("x.toml", WHOLE)],
)
def test_every_key(here: Path, name: str, text: str) -> None:
    Path(name).write_text(text)
    assert read_file(name) == Settings(
        select=("clipping",),
        ignore=("clip-per-tensor",),
        extend_select=("no-sync",),
        pedantic=True,
        exclude=("old", "*_pb2.py"),
        force_exclude=True,
        respect_gitignore=False,
        project=False,
        tests=("checks/*",),
        target_version="py310",
        per_file_ignores=(("tests/*", ("all",)),),
        custom=Custom(("my_pkg.Lion",), ("clip",), ("my_pkg.engine.run_backward",), ("Scaler",), ROLES),
        root=str(here),
    )
    assert all(f"{key} = " in text or f"{key}]" in text for key in KEYS if key != "extend")


def test_a_pyproject_of_other_tools_says_nothing() -> None:
    Path("pyproject.toml").write_text('[tool.ruff]\nselect = ["E"] # not for gradlint\n')
    assert read_file("pyproject.toml") is None


def test_a_pyproject_that_does_not_mention_gradlint_is_not_even_parsed() -> None:
    Path("pyproject.toml").write_text("not [ toml")
    assert read_file("pyproject.toml") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'?"),
        ("extend_select = []", "unknown key 'extend_select'; did you mean 'extend-select'?"),
        ("zzz = 1", "unknown key 'zzz'"),
        ('roles = {opt = "optimiser"}', "roles.opt: unknown role 'optimiser'; did you mean 'optimizer'?"),
        ('roles = {"a b" = "step"}', "roles: 'a b' is no name; write it as the source does, such as 'self.opt'"),
        (
            'roles = {self.opt = "step"}',
            "roles.self must be the name of a role, not {'opt': 'step'}; quote a name with dots",
        ),
        ('roles = ["step"]', "'roles' must be a table such as {optimizer = \"optimizer\"}, not ['step']"),
        (
            'select = ["clip-aftr-step"]',
            "select: unknown rule 'clip-aftr-step'; did you mean 'clip-after-step'?",
        ),
        ('ignore = ["cliping"]', "ignore: unknown rule 'cliping'; did you mean 'clipping'?"),
        ("select = 1", "'select' must be a list of strings, not 1"),
        ("exclude = [1]", "'exclude' must be a list of strings, not [1]"),
        ("pedantic = 1", "'pedantic' must be true or false, not 1"),
        ("select = [", "is not valid TOML: "),
        ("force-exclude = []", "'force-exclude' must be true or false, not []"),
        ("extend = 1", "'extend' must be a file's name, not 1"),
        ('extend = "gone.toml"', "extends 'gone.toml', and there is no such file"),
        ('extend = "gradlint.toml"', "extends 'gradlint.toml', which extends it in turn"),
        ('extend = "pyproject.toml"', "extends 'pyproject.toml', which has no [tool.gradlint] table"),
        ('per-file-ignores = ["a"]', "'per-file-ignores' must be a table of globs"),
        ('[per-file-ignores]\na = "b"', "'per-file-ignores.a' must be a list of strings, not 'b'"),
        (
            '[per-file-ignores]\na = ["cliping"]',
            "per-file-ignores.a: unknown rule 'cliping'; did you mean 'clipping'?",
        ),
        ('optimizers = ["my pkg"]', "optimizers: 'my pkg' is no name; write it as it is imported"),
        ("target-version = 310", "'target-version' must be a version such as 'py310', not 310"),
        ('target-version = ["py310"]', "'target-version' must be a version such as 'py310', not ['py310']"),
        ('target-version = "py36"', "target-version: unknown version 'py36'; did you mean 'py37'?"),
        ('target-version = "py315"', "target-version: unknown version 'py315'; did you mean 'py314'?"),
        ('target-version = "3.10"', "target-version: unknown version '3.10'; did you mean 'py310'?"),
        ('target-version = ">=3.9"', "target-version: unknown version '>=3.9'; did you mean 'py39'?"),
        ('target-version = "new"', "target-version: unknown version 'new'; known are 'py37' to 'py314'"),
        ('target-versions = ["py310"]', "unknown key 'target-versions'; did you mean 'target-version'?"),
        ('optimizer = ["x"]', "unknown key 'optimizer'; did you mean 'optimizers'?"),
    ],
)
def test_errors_name_file_and_key_and_the_nearest(text: str, message: str) -> None:
    Path("pyproject.toml").write_text("[project]\n")
    Path("gradlint.toml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_file("gradlint.toml")
    assert str(caught.value).startswith(f"gradlint.toml: {message}")


def test_a_table_that_is_none() -> None:
    Path("pyproject.toml").write_text("[tool]\ngradlint = 1\n")
    with pytest.raises(ConfigError, match=r"'tool.gradlint' must be a table"):
        read_file("pyproject.toml")


def test_bytes_that_are_no_text() -> None:
    Path("gradlint.toml").write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="is not UTF-8"):
        read_file("gradlint.toml")


# The nearest file


def test_the_nearest_file_decides_alone(here: Path) -> None:
    Path("a/b/c").mkdir(parents=True)
    Path("pyproject.toml").write_text("[tool.gradlint]\npedantic = true\n")
    Path("a/b/gradlint.toml").write_text('ignore = ["no-sync"]\n')
    project = Project()
    assert project.settings(".").pedantic
    assert project.settings("a").pedantic
    assert project.settings("a/b/c") == Settings(ignore=("no-sync",), root=str(here / "a/b"))


def test_a_pyproject_without_our_table_is_passed_over() -> None:
    Path("a").mkdir()
    Path("gradlint.toml").write_text("pedantic = true\n")
    Path("a/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Project().settings("a").pedantic


def test_gradlint_toml_comes_before_pyproject_toml() -> None:
    Path("gradlint.toml").write_text("pedantic = true\n")
    Path("pyproject.toml").write_text("[tool.gradlint]\npedantic = false\n")
    assert Project().settings(".").pedantic


def test_without_any_file_the_defaults_hold() -> None:
    assert Project().settings(".") == Settings()


def test_a_chosen_file_holds_everywhere() -> None:
    Path("a").mkdir()
    Path("a/gradlint.toml").write_text("")
    Path("chosen.toml").write_text("pedantic = true\n")
    assert Project("chosen.toml").settings("a").pedantic


def test_a_chosen_file_must_be_for_gradlint() -> None:
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n")
    with pytest.raises(ConfigError, match=r"has no \[tool.gradlint\] table"):
        Project("pyproject.toml")


def test_a_file_is_read_once() -> None:
    Path("a/b").mkdir(parents=True)
    Path("gradlint.toml").write_text("pedantic = true\n")
    project = Project()
    first = project.settings("a/b")
    Path("gradlint.toml").write_text("pedantic = false\n")
    assert project.settings(".") is first


# One file builds upon another


def test_extend(here: Path) -> None:
    Path("base").mkdir()
    Path("base/strict.toml").write_text(
        'select = ["clipping"]\npedantic = true\nexclude = ["old"]\noptimizers = ["Lion"]\n'
    )
    Path("gradlint.toml").write_text('extend = "base/strict.toml"\nextend-select = ["no-sync"]\nexclude = ["new"]\n')
    settings = Project().settings(".")
    assert on(settings) == EVERY
    assert (settings.pedantic, settings.exclude, settings.root) == (True, ("new",), str(here))
    assert settings.custom.optimizers == ("Lion",)
    Path("gradlint.toml").write_text('extend = "base/strict.toml"\nselect = ["no-sync"]\npedantic = false\n')
    settings = Project().settings(".")
    assert (on(settings), settings.pedantic, settings.exclude) == (["no-sync"], False, ("old",))


def test_the_target_version_is_inherited() -> None:
    Path("base.toml").write_text('target-version = "py38"\n')
    Path("gradlint.toml").write_text('extend = "base.toml"\n')
    assert Project().settings(".").target_version == "py38"
    Path("gradlint.toml").write_text('extend = "base.toml"\ntarget-version = "py312"\n')
    assert override(Project().settings(".")).target_version == "py312"


def test_extend_goes_on() -> None:
    Path("a.toml").write_text('ignore = ["no-sync"]\n')
    Path("b.toml").write_text('extend = "a.toml"\nignore = ["clip-after-step"]\n')
    Path("pyproject.toml").write_text('[tool.gradlint]\nextend = "b.toml"\n')
    assert on(Project().settings(".")) == ["clip-per-tensor"]


def test_extend_in_a_circle() -> None:
    Path("a.toml").write_text('extend = "gradlint.toml"\n')
    Path("gradlint.toml").write_text('extend = "a.toml"\n')
    with pytest.raises(ConfigError, match=r"^a.toml: extends 'gradlint.toml', which extends it in turn$"):
        read_file("gradlint.toml")


def test_an_error_is_told_with_the_file_it_is_in() -> None:
    Path("a.toml").write_text("selct = []\n")
    Path("gradlint.toml").write_text('extend = "a.toml"\n')
    with pytest.raises(ConfigError, match=r"^a.toml: unknown key 'selct'"):
        read_file("gradlint.toml")


# Some files differ


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("train.py", EVERY),
        ("tests/a.py", ["no-sync"]),
        ("src/tests/a.py", EVERY),
        ("src/gen_pb2.py", EVERY[:2]),
        ("tests/gen_pb2.py", []),
    ],
)
def test_per_file_ignores(file: str, expected: list[str]) -> None:
    Path("gradlint.toml").write_text('[per-file-ignores]\n"tests/*" = ["clipping"]\n"*_pb2.py" = ["no-sync"]\n')
    assert on(Project().of_file(file)) == expected
    assert on(Project().of_file(str(Path(file).absolute()))) == expected


def test_per_file_ignores_win_over_the_command_line() -> None:
    Path("gradlint.toml").write_text('[per-file-ignores]\n"tests/*" = ["clipping"]\n')
    project = Project(adjust=lambda settings: override(settings, select=("clip-after-step",)))
    assert on(project.of_file("tests/a.py")) == []
    assert on(project.of_file("a.py")) == ["clip-after-step"]


def test_a_file_without_ignores_of_its_own_shares_its_folder_s_settings() -> None:
    Path("gradlint.toml").write_text('[per-file-ignores]\n"tests/*" = ["clipping"]\n')
    project = Project()
    assert project.of_file("a.py") is project.of_file("b.py")
    assert project.of_file("tests/a.py") == project.of_file("tests/b.py")


# What editors are told


def test_the_schema_knows_the_keys_and_no_others() -> None:
    assert set(SCHEMA["properties"]) == set(KEYS)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_knows_the_versions() -> None:
    assert tuple(SCHEMA["properties"]["target-version"]["enum"]) == TARGETS


def test_the_schema_knows_the_roles() -> None:
    assert SCHEMA["properties"]["roles"]["additionalProperties"]["enum"] == list(custom.ROLES)


def test_the_schema_takes_what_is_valid() -> None:
    jsonschema.validate(tomllib.loads(WHOLE), SCHEMA)
    jsonschema.validate({"extend": "base.toml"}, SCHEMA)
    jsonschema.validate({}, SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "selct = []",
        "select = 1",
        "exclude = [1]",
        "pedantic = 1",
        "force-exclude = []",
        "extend = 1",
        'per-file-ignores = ["a"]',
        '[per-file-ignores]\na = "b"',
        'optimizers = ["my pkg"]',
        'target-version = "py36"',
        "target-version = 310",
        'roles = ["optimizer"]',
        'roles = {opt = "optimiser"}',
        'roles = {"my opt" = "optimizer"}',
        'roles = {self.opt = "optimizer"}',
        "roles = {opt = 1}",
    ],
)
def test_the_schema_refuses_what_is_refused(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(text), SCHEMA)
    Path("gradlint.toml").write_text(text)
    with pytest.raises(ConfigError):
        read_file("gradlint.toml")
