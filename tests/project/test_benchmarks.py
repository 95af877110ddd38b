"""The benchmarks' own arithmetic; what they measure is in docs/performance.md and docs/compare.md."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


def script(name: str) -> object:
    specification = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def compare() -> object:
    return script("compare")


@pytest.fixture(scope="module")
def peers() -> object:
    return script("peers")


def test_a_ratio_is_ours_over_theirs(compare: object) -> None:
    case = compare.Case("a tree", (), ())
    found = {"gradlint": compare.Spent(1_500.0, 2_000.0, 30.0), "other": compare.Spent(3_000.0, 1_000.0, 99.4)}
    assert list(compare.table(case, found)) == [
        "| a tree | gradlint | 1,500 | 2,000 | 30 |  |\n",
        "| a tree | other | 3,000 | 1,000 | 99 | 0.50 |\n",
    ]


def test_a_run_is_measured(compare: object) -> None:
    tool = compare.Tool("python", (sys.executable, "-c", "sum(range(10 ** 6))"))
    spent = compare.medians(compare.Case("x", (), (tool,)), 1)["python"]
    assert spent.cpu > 1
    assert spent.wall > 1
    assert spent.memory > 1


def test_a_run_that_fails_is_no_figure(compare: object) -> None:
    tool = compare.Tool("python", (sys.executable, "-c", "raise SystemExit(9)"))
    with pytest.raises(RuntimeError, match="ended with 9"):
        compare.run(tool, ())


def test_its_fixtures_exist(compare: object, tmp_path: Path) -> None:
    names = [case.name for case in compare.small_cases(tmp_path, ())]
    assert names == ["nothing at all", "one file without a loop", "one clean loop", "one loop with a finding"]


# The comparison of features


def shown(columns: slice = slice(None)) -> dict[str, list[str]]:
    text = (FOLDER.parent / "docs" / "compare.md").read_text(encoding="utf-8")
    lines = text[text.index("| | gradlint") :].partition("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:][columns] for row in rows if not row[0].startswith("---")}


def test_the_table_shown_has_the_rows_of_the_script(peers: object) -> None:
    table = shown()
    assert list(table) == ["", "of the six red flags, told", *peers.rows()]
    assert [head.split()[0] for head in table[""]] == list(peers.TOOLS)
    for feature, cells in peers.rows().items():
        assert list(cells) == list(peers.TOOLS), feature
        for tool, said in zip(peers.TOOLS, table[feature], strict=True):
            assert said in {cells[tool].word, "no"}, f"{feature}, {tool}"


def test_the_script_s_commands_are_listed(peers: object) -> None:
    assert len(list(peers.commands())) == len(peers.TOOLS) * (len(peers.rows()) + 1)


@pytest.mark.slow
def test_what_is_said_of_gradlint_holds(peers: object, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("pygls")
    bench = peers.Bench(tmp_path, {})
    ours = {feature: cells[0] for feature, cells in shown().items()}
    assert bench.flags("gradlint") == ours["of the six red flags, told"]
    for feature, cells in peers.rows().items():
        if feature != "pre-commit hook":  # that has tests of its own
            assert bench.said("gradlint", cells["gradlint"]) == ours[feature], feature


def test_a_cell_says_no_where_its_sign_is_not_to_be_seen(peers: object, tmp_path: Path) -> None:
    bench = peers.Bench(tmp_path, {})
    assert bench.said("gradlint", peers.Cell("cat bad.py", "^def train", "well")) == "well"
    assert bench.said("gradlint", peers.Cell("cat bad.py", "^def tame", "well")) == "no"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tomllib")
def test_what_is_proposed_is_applied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "def train(state, net, d):\n    opt_a = state['a']\n"
    loop = head + "    for x in d:\n        net(x).backward()\n        opt_a.step()\n"
    (tmp_path / "a.py").write_text(loop)
    (tmp_path / "b.py").write_text("def f(self, x):\n    self.run(x).backward()\n")
    script("unjudged").main([str(tmp_path)])
    counts = "loops 2, not judged 2, in part 0, left 1, left in part 0"
    assert capsys.readouterr().out == f"{tmp_path.name}: {counts}\n\nall: {counts}\n  1 no-step\n"
