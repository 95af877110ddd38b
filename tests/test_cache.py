"""The cache: it saves work and changes nothing that is said."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gradlint.check.batch import How, check_files
from gradlint.check.outcome import Outcome
from gradlint.files import cache
from gradlint.files.cache import Cache, clean, location, open_cache
from gradlint.model.finding import Report
from gradlint.model.settings import Settings, override

ROOT = Path(__file__).parents[1]
BUGGY = (ROOT / "fixtures" / "clip-after-step" / "buggy.py").read_text(encoding="utf-8")
FIXED = (ROOT / "fixtures" / "clip-after-step" / "fixed.py").read_text(encoding="utf-8")
PLAIN = Settings()
LONG_AGO = 1_000_000_000


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    (tmp_path / "gradlint.toml").write_text("")
    return tmp_path


def write(name: str, text: str, *, settled: bool = True) -> Path:
    """A file; a settled one was written so long ago that its times tell of every further change."""
    Path(name).write_text(text, encoding="utf-8")
    if settled:
        os.utime(name, (LONG_AGO, LONG_AGO))
    return Path(name)


def check(*names: str, settings: Settings = PLAIN, cached: bool = True, parse_all: bool = False) -> Report:
    return check_files([(Path(name), settings) for name in names], How(cached, parse_all=parse_all))


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were checked in full."""
    from gradlint.check import cells

    names: list[str] = []
    real = cells.outcome_of

    def spy(text: str, path: str, settings: Settings) -> Outcome:
        names.append(path)
        return real(text, path, settings)

    monkeypatch.setattr(cells, "outcome_of", spy)
    return names


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file has been left alone for long."""
    monkeypatch.setattr(cache, "_QUIET_NS", -(10**12))


@pytest.mark.parametrize("settled", [True, False])
def test_what_was_found_is_found_again(checked: list[str], settled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if settled:
        monkeypatch.setattr(cache, "_QUIET_NS", -(10**12))
    for name, text in (("bad.py", BUGGY), ("good.py", FIXED), ("none.py", "x = 1\n")):
        write(name, text, settled=settled)
    names = ("bad.py", "good.py", "none.py")
    without = check(*names, cached=False)
    checked.clear()
    first, second = check(*names), check(*names)
    assert checked == ["bad.py", "good.py"]
    assert first == second == without
    assert len(first.findings) == 1


def test_other_content_is_checked_again(checked: list[str], later: None) -> None:
    write("a.py", FIXED)
    assert check("a.py").findings == ()
    write("a.py", BUGGY)
    assert len(check("a.py").findings) == 1
    assert checked == ["a.py", "a.py"]


def test_content_counts_where_the_times_say_nothing(later: None) -> None:
    text = BUGGY.replace("scheduler", "schedulex")
    write("a.py", text)
    before = Path("a.py").stat()
    assert len(check("a.py").findings) == 1
    write("a.py", FIXED.ljust(len(text.encode()), "\n"))
    after = Path("a.py").stat()
    assert after.st_mtime_ns == before.st_mtime_ns
    assert check("a.py").findings == ()


def test_a_file_that_was_just_written_is_looked_at_again() -> None:
    """Within one tick of the clock, size and times of two contents may be the same."""
    write("a.py", "x = 1\n", settled=False)
    check("a.py")
    assert list(Path(location()).glob("*.index")) == []


def test_other_settings_are_another_key(checked: list[str], later: None) -> None:
    write("a.py", BUGGY)
    check("a.py")
    assert check("a.py", settings=override(PLAIN, ignore=("clip-after-step",))).findings == ()
    assert len(check("a.py", settings=override(PLAIN)).findings) == 1
    assert checked == ["a.py", "a.py"]


def test_another_gradlint_or_python_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {open_cache(None)._base}
    monkeypatch.setattr("gradlint.__version__", "99")
    keys.add(open_cache(None)._base)
    monkeypatch.setattr(sys, "version", "99")
    keys.add(open_cache(None)._base)
    monkeypatch.setattr(cache, "_own_source", lambda: ["changed"])
    keys.add(open_cache(None)._base)
    assert len(keys) == 4


def test_the_same_file_by_another_name_is_reported_under_it(later: None, here: Path) -> None:
    write("a.py", BUGGY)
    assert [one.path for one in check("a.py").findings] == ["a.py"]
    full = str(here / "a.py")
    assert [one.path for one in check(full).findings] == [full]


def test_warnings_are_remembered(later: None) -> None:
    write("a.py", "x = 1  # gradlint: ignore[clip-after-step]\n")
    first = check("a.py")
    assert len(first.warnings) == 1
    assert check("a.py") == first


def test_a_file_that_cannot_be_parsed_is_no_secret(later: None) -> None:
    write("a.py", "def f(:\n")
    assert check("a.py") == check("a.py") == check("a.py", cached=False)
    assert len(check("a.py").problems) == 1


def test_how_much_is_parsed_does_not_depend_on_the_cache(later: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradlint.check.survey.PARSED", 10)
    write("a.py", "x = 1  # twelve\n")
    write("b.py", "def f(:\n")
    assert check("a.py", "b.py").problems == ()
    assert len(check("b.py", "a.py").problems) == 1
    assert check("a.py", "b.py").problems == ()
    assert len(check("b.py").problems) == 1


def test_every_broken_file_is_told_on_demand(later: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradlint.check.survey.PARSED", 10)
    write("a.py", "x = 1  # twelve\n")
    write("b.py", "def f(:\n")
    assert check("a.py", "b.py").problems == ()
    assert len(check("a.py", "b.py", parse_all=True).problems) == 1
    assert len(check("a.py", "b.py", parse_all=True, cached=False).problems) == 1
    assert check("a.py", "b.py").problems == ()


# What can happen to a cache.


def files() -> list[Path]:
    return sorted(path for path in Path(location()).iterdir() if path.name != ".gitignore")


@pytest.mark.parametrize("ending", [".index", ".found"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-3],
        lambda data: b"\0" * len(data),
        lambda data: data.replace(b"clip", b"klip").replace(b"a.py", b"b.py"),
        lambda data: b"not a cache\n",
    ],
    ids=["empty", "cut", "zeros", "changed", "other"],
)
def test_a_spoilt_cache_is_made_again(later: None, ending: str, spoil: object) -> None:
    write("a.py", BUGGY)
    first = check("a.py")
    (file,) = [path for path in files() if path.name.endswith(ending)]
    whole = file.read_bytes()
    assert callable(spoil)
    file.write_bytes(spoil(whole))
    assert check("a.py") == first
    assert file.read_bytes() == whole


class Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (Path("boom"),)


def test_a_cache_from_elsewhere_runs_nothing(later: None) -> None:
    write("a.py", BUGGY)
    first = check("a.py")
    (file,) = [path for path in files() if path.name.endswith(".found")]
    cache.write_whole(str(file), pickle.dumps({str(Path.cwd() / "a.py"): Bomb()}))
    assert check("a.py") == first
    assert not Path("boom").exists()


def test_a_folder_that_cannot_be_made_is_done_without(later: None, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("")
    monkeypatch.setenv(cache.VARIABLE, str(Path("file") / "cache"))
    write("a.py", BUGGY)
    assert len(check("a.py").findings) == 1
    assert Path("file").read_text() == ""


def test_git_sees_nothing_of_it(later: None) -> None:
    write("a.py", BUGGY)
    check("a.py")
    subprocess.run(["git", "init", "--quiet", "."], check=True)
    status = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True).stdout
    assert sorted(status.split()) == ["??", "??", "a.py", "gradlint.toml"]


def test_it_lies_at_the_root_of_the_project(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(here / "deep" / "er")
    assert location() == str(here / ".gradlint_cache")
    monkeypatch.setenv(cache.VARIABLE, "elsewhere")
    assert location() == "elsewhere"


def test_clean_removes_what_is_its_own(later: None) -> None:
    write("a.py", BUGGY)
    check("a.py")
    folder = Path(location())
    (folder / f"{'0' * 32}.index.77.tmp").write_text("left by a run that was killed")
    (folder / "mine.txt").write_text("keep")
    assert clean(str(folder))
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    (folder / "mine.txt").unlink()
    assert clean(str(folder))
    assert not folder.exists()
    assert not clean(str(folder))


def test_old_keys_are_swept_out(later: None) -> None:
    write("a.py", BUGGY)
    check("a.py")
    old = Path(location()) / f"{'0' * 32}.index"
    old.write_text("of a gradlint before this one")
    os.utime(old, (LONG_AGO, LONG_AGO))
    write("b.py", FIXED)
    check("a.py", "b.py")
    assert old not in files()
    assert len(files()) == 2


def test_entries_of_files_that_are_gone_do_not_pile_up(monkeypatch: pytest.MonkeyPatch, later: None) -> None:
    monkeypatch.setattr(cache, "_SPARE", 0)
    for number in range(9):
        write(f"{number}.py", FIXED)
    check(*(f"{number}.py" for number in range(9)))
    write("new.py", FIXED)
    check("new.py")
    (index,) = files()
    assert index.read_text().count("\n") == 2


def test_runs_at_the_same_time_leave_a_whole_cache(here: Path) -> None:
    for number in range(12):
        write(f"{number}.py", BUGGY if number % 3 else FIXED)
    command = [sys.executable, "-m", "gradlint", "check", "--output-format", "json", "."]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    outs = {run.communicate()[0] for run in runs}
    again = subprocess.run(command, capture_output=True, check=False)
    assert outs == {again.stdout}
    assert again.stderr == b""
    assert not [path for path in files() if path.name.endswith(".tmp")]


def test_a_run_that_is_killed_leaves_a_whole_cache(here: Path) -> None:
    for number in range(30):
        write(f"{number}.py", BUGGY.replace("scheduler", f"scheduler{number}"))
    command = [sys.executable, "-m", "gradlint", "check", "--output-format", "json", "."]
    expected = subprocess.run([*command, "--no-cache"], capture_output=True, check=False).stdout
    for delay in (0.05, 0.2, 0.4, 0.6):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(delay)
        run.kill()
        run.wait()
    again = subprocess.run(command, capture_output=True, check=False)
    assert (again.stdout, again.stderr) == (expected, b"")


def test_a_path_with_a_line_break_is_not_written_down(later: None) -> None:
    stat = write("a.py", FIXED).stat()
    made = Cache(location(), "0" * 32)
    made.learn("odd\n.py", stat, "digest", 1, None, told=False)
    assert made.by_stamp("odd\n.py", stat) is None
