"""`gradlint verify` and `gradlint fix --verify`, from the outside."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import pytest

from fixtures import FIXTURES
from gradlint.cli import main
from verify.wet import loops

SOUND = FIXTURES / "sound" / "zero_grad_after_step.py"
DIVISOR = FIXTURES / "unscaled-accumulation-loss" / "buggy.py"
OPAQUE = """\
def train(model, optimizer, batches, weigh):
    for batch in batches:
        for part in batch.chunk(4):
            (model(part).mean() * weigh(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()
"""


@dataclass
class Ran:
    """What one run of the command did."""

    returncode: int
    stdout: str
    stderr: str


def gradlint(*arguments: object, text: str = "") -> Ran:
    """Run the command in this process, which is warm."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with mock.patch.multiple(sys, stdout=out, stderr=err, stdin=io.TextIOWrapper(io.BytesIO(text.encode()))):
        status = main([str(one) for one in arguments])
    return Ran(int(status), *(stream.buffer.getvalue().decode() for stream in (out, err)))


def cold(code: str, *arguments: object) -> Ran:
    """Run the command in a new process, after some code."""
    start = f"{code}; import sys; from gradlint.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def opaque(tmp_path: Path) -> Path:
    path = tmp_path / "opaque.py"
    path.write_text(OPAQUE, encoding="utf-8")
    return path


def test_a_sound_loop_is_confirmed_with_0() -> None:
    ran = gradlint("verify", SOUND)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "  confirmed\n" in ran.stdout
    assert ran.stdout.endswith("1 training loop in 1 file: 1 confirmed.\n")


def test_a_wrong_loop_differs_with_1_and_its_repair_stands_beside_the_reference() -> None:
    ran = gradlint("verify", DIVISOR)
    assert (ran.returncode, ran.stderr) == (1, "")
    lines = [" ".join(line.split()) for line in ran.stdout.splitlines()]
    assert "`optimizer`, window of 4 as written after the fix reference" in lines
    assert "weights of micro-batches 1 1 1 1 1/4 1/4 1/4 1/4 1/4 1/4 1/4 1/4" in lines
    assert "the repair is confirmed: every mistake it mends was measured before and is gone" in lines


def test_what_cannot_be_judged_is_inconclusive_with_4(opaque: Path) -> None:
    ran = gradlint("verify", opaque)
    assert ran.returncode == 4
    assert "divisor or loss opaque" in ran.stdout


def test_a_difference_wins_over_what_cannot_be_judged(opaque: Path) -> None:
    assert gradlint("verify", opaque, SOUND).returncode == 4
    assert gradlint("verify", opaque, SOUND, DIVISOR).returncode == 1


def test_a_file_that_is_not_there_wins(tmp_path: Path) -> None:
    ran = gradlint("verify", DIVISOR, tmp_path / "none.py")
    assert (ran.returncode, "none.py" in ran.stderr) == (3, True)


def test_a_named_file_without_a_loop_says_so(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("x = 1  # backward\n", encoding="utf-8")
    ran = gradlint("verify", path)
    assert (ran.returncode, "no backward and step" in ran.stdout) == (4, True)
    assert gradlint("verify", tmp_path).returncode == 0


def test_standard_input_is_run() -> None:
    ran = gradlint("verify", "-", text=DIVISOR.read_text(encoding="utf-8"))
    assert (ran.returncode, ran.stdout.startswith("<stdin>:")) == (1, True)


def test_json_has_both_ledgers_and_the_reference(opaque: Path) -> None:
    ran = gradlint("verify", DIVISOR, opaque, "--output-format", "json")
    data = json.loads(ran.stdout)
    assert (ran.returncode, data["version"], data["errors"]) == (1, 1, [])
    assert data["summary"] == {
        "files": 2,
        "loops": 2,
        "confirmed": 0,
        "differs": 1,
        "inconclusive": 1,
        "repairs_confirmed": 1,
    }
    loop = next(one for one in data["loops"] if one["name"] == "train" and one["fixed"])
    written, fixed = (loop[key]["updates"][0] for key in ("written", "fixed"))
    assert [round(one["value"], 6) for one in written["weights"]] == [1, 1, 1, 1]
    assert [round(one["value"], 6) for one in fixed["weights"]] == [0.25] * 4
    assert [one["value"] for one in written["reference"]] == [0.25] * 4
    assert (round(written["gradient_error"], 6), round(fixed["gradient_error"], 6)) == (3, 0)
    assert loop["repair"] == {"confirmed": True, "reason": ""}


class Page(HTMLParser):
    """What a page is made of, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        values = dict(attrs)
        self.loads += [value for name in ("src", "href") if (value := values.get(name)) and not value.startswith("#")]


def test_the_report_is_one_page_with_pictures_that_loads_nothing(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    out = tmp_path / "out.html"
    ran = gradlint("verify", DIVISOR, "--report", out)
    assert (ran.returncode, ran.stderr) == (1, f"wrote {out}\n")
    text = out.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert (page.tags.count("svg"), page.loads) == (2, [])
    assert not {"script", "link", "iframe"} & set(page.tags)
    assert "as written" in text
    assert "after the fix" in text


def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    ran = gradlint("verify", SOUND, "--report", tmp_path / "no" / "out.html")
    assert ran.returncode == 1
    assert "out.html" in ran.stderr


def test_two_processes() -> None:
    ran = gradlint("verify", FIXTURES / "step-without-sync" / "buggy.py", "--world-size", 2)
    assert (ran.returncode, "the weights of the ranks are" in ran.stdout) == (1, True)
    ran = gradlint("verify", FIXTURES / "step-without-sync" / "fixed.py", "--world-size", 2)
    assert ran.returncode == 0


@pytest.mark.parametrize("arguments", [("verify",), ("fix", "--verify")], ids=" ".join)
def test_without_torch_one_line_says_how_to_get_it(arguments: tuple[str, ...]) -> None:
    ran = cold("import sys; sys.modules['torch'] = None", *arguments, DIVISOR)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert 'pip install "torch-gradlint[verify]"' in ran.stderr.splitlines()[-1]


def test_without_a_gpu_cuda_is_refused() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    ran = gradlint("verify", DIVISOR, "--device", "cuda")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no GPU" in ran.stderr


def test_listing_the_commands_imports_no_torch() -> None:
    code = "import atexit, sys; atexit.register(lambda: sys.stdout.write(str('torch' in sys.modules)))"
    assert cold(code, "--help").stdout.endswith("False")
    assert cold(code, "verify", "--help").stdout.endswith("False")


def test_fix_writes_what_is_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    shutil.copy(DIVISOR, path)
    ran = gradlint("fix", "--apply", "--verify", path)
    assert ran.returncode == 0, ran.stderr
    (loop,) = loops(path.read_text(encoding="utf-8"))
    assert loop.verdict.value == "confirmed"


def test_fix_leaves_what_is_not_confirmed_and_says_why(tmp_path: Path) -> None:
    """The loop cannot be run, so its repair cannot be confirmed."""
    path = tmp_path / "train.py"
    text = DIVISOR.read_text(encoding="utf-8").replace("loss.backward()", "loss.backward(); exec('')")
    path.write_text(text, encoding="utf-8")
    assert gradlint("fix", path).returncode == 1
    ran = gradlint("fix", "--apply", "--verify", path)
    assert ran.returncode == 1
    assert "not confirmed by the wet run: train: inconclusive before the repair: refused" in ran.stderr
    assert path.read_text(encoding="utf-8") == text
