"""What is said of several files: held against what Python does with them, and against the formats' own schemas."""

from __future__ import annotations

import importlib
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import xmlschema

import gradlint
from gradlint.check.engine import check_text, explain_text, fix_text, tidy_text, trace_text
from gradlint.check.surroundings import within
from gradlint.model.settings import Settings
from gradlint.model.trace import Outcome, RegionTrace
from gradlint.project.project import Project
from gradlint.report import concise, explanation, github, gitlab, json_report, junit, pages, sarif, text, trace
from gradlint.report.style import Style
from gradlint.report.where import Where
from gradlint.rules.support.rule import all_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gradlint.model.finding import Finding, Report

DATA = Path(__file__).parents[1] / "data"
ENGINE = """\
def train_one_epoch(model, optimizer, loader, accumulation_steps):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        if (i + 1) % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
CALLER = """\
import torch

from engine import train_one_epoch


def main(loader):
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_one_epoch(model, optimizer, loader, accumulation_steps={steps})


if __name__ == "__main__":
    main([])
"""
DIVIDED = ENGINE.replace("loss.backward()", "(loss / accumulation_steps).backward()")
CALLERS = {"pretrain.py": CALLER.format(steps=4), "finetune.py": CALLER.format(steps=1)}
RULE = "unscaled-accumulation-loss"
SPEECH = {
    "train.py": """\
import torch

from speech.engine import train_epoch


def main():
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler()
    for epoch in range(3):
        train_epoch(model, [], optimizer, scaler)


main()
""",
    "speech/__init__.py": "",
    "speech/engine.py": """\
from speech.amp import finish


def train_epoch(model, loader, optimizer, scaler):
    for x in loader:
        optimizer.zero_grad()
        scaler.scale(model(x).mean()).backward()
        finish(model, optimizer, scaler)
""",
    "speech/amp.py": """\
import torch


def finish(model, optimizer, scaler):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
""",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def written(root: Path, files: dict[str, str]) -> Path:
    for name, source in {"pyproject.toml": "", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(source, encoding="utf-8")
    return root


def checked(path: str, ask: Callable[..., Any] = check_text, *words: Any) -> Any:
    with within(Project.around(path)):
        return ask(read(path), path, *words) if words else ask(read(path), path, Settings())


def read(path: str, _cell: int | None = None) -> str:
    return Path(path).read_text(encoding="utf-8")


def only(path: str) -> Finding:
    (found,) = checked(path).findings
    return found


def places(finding: Finding) -> list[tuple[str, int, str]]:
    return [(one.path, one.span.row, one.message) for one in finding.related]


# --------------------------------------------------------------------------------------------------- callers


@pytest.fixture
def imported() -> Iterator[Callable[[str], Any]]:
    names: list[str] = []

    def load(name: str) -> Any:
        names.extend([name, "engine"])
        return importlib.import_module(name)

    yield load
    for name in names:
        sys.modules.pop(name, None)


def excess(module: Any) -> list[Fraction]:
    """How many times too large the gradients of each update are, as torch has them."""
    import torch
    from torch.optim.optimizer import register_optimizer_step_pre_hook

    batches = [(torch.ones(1, 2) * (n + 1), torch.zeros(1, 1)) for n in range(4)]
    found: list[Fraction] = []
    since: list[tuple[Any, Any]] = []

    def loaded() -> Iterator[Any]:
        for batch in batches:
            since.append(batch)
            yield batch

    class Loader:
        def __iter__(self) -> Iterator[Any]:
            return loaded()

    def stepped(optimizer: Any, _args: Any, _kwargs: Any) -> None:
        weight, bias = optimizer.param_groups[0]["params"]
        loss = sum(((x @ weight.T + bias - y) ** 2).mean() for x, y in since) / len(since)
        (mean,) = torch.autograd.grad(loss, [weight])
        found.append(Fraction(round((weight.grad / mean).mean().item(), 3)))
        since.clear()

    handle = register_optimizer_step_pre_hook(stepped)
    try:
        module.main(Loader())
    finally:
        handle.remove()
    return found


def test_where_callers_differ_the_message_says_for_which_it_holds(here: Path, imported: Callable[[str], Any]) -> None:
    written(here, {"engine.py": ENGINE, **CALLERS})
    assert set(excess(imported("pretrain"))) == {Fraction(4)}
    assert set(excess(imported("finetune"))) == {Fraction(1)}
    found = only("engine.py")
    assert (found.rule, found.span.row) == (RULE, 5)
    assert found.message.endswith("but the loss is never divided by 4, when called from line 10 of pretrain.py.")
    assert places(found)[-1] == ("pretrain.py", 10, "called from here")
    assert "finetune.py" not in {one.path for one in found.related}


def test_what_holds_for_all_callers_names_them_and_limits_nothing(here: Path) -> None:
    written(here, {"engine.py": ENGINE, "pretrain.py": CALLERS["pretrain.py"], "tune.py": CALLER.format(steps=2)})
    found = only("engine.py")
    assert "when called" not in found.message
    assert {one[0] for one in places(found) if one[2] == "called from here"} == {"pretrain.py", "tune.py"}


def test_the_mended_engine_is_right_for_all(here: Path, imported: Callable[[str], Any]) -> None:
    written(here, {"engine.py": DIVIDED, **CALLERS})
    assert {*excess(imported("pretrain")), *excess(imported("finetune"))} == {Fraction(1)}
    assert checked("engine.py").findings == ()


def test_many_callers_are_not_all_named(here: Path) -> None:
    many = {f"run{number}.py": CALLER.format(steps=4) for number in range(6)}
    written(here, {"engine.py": ENGINE, **many, "finetune.py": CALLERS["finetune.py"]})
    found = only("engine.py")
    assert found.message.endswith(" or elsewhere.")
    assert sum(message == "called from here" for _, _, message in places(found)) == 3


def test_a_mistake_of_the_file_alone_names_no_caller(here: Path) -> None:
    loop = (
        ENGINE.replace("accumulation_steps", "4").replace(", 4)", ")")
        + "\n\ntrain_one_epoch(m, torch.optim.SGD(p), [])"
    )
    written(here, {"engine.py": loop})
    assert all(path == "" for path, _, _ in places(only("engine.py")))


BATCH = """\
def train_batch(model, optimizer, x, y):
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
"""
CLEARS = """\
import torch

from engine import train_batch


def main(loader):
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        train_batch(model, optimizer, x, y)


if __name__ == "__main__":
    main([])
"""
KEEPS = CLEARS.replace("        optimizer.zero_grad()\n", "")


@pytest.mark.parametrize(("first", "second"), [("first", "second"), ("second", "first")])
def test_a_caller_that_clears_excuses_no_other(here: Path, first: str, second: str) -> None:
    """Nothing is said where each clears, and nothing is limited where none does."""
    written(here, {"engine.py": BATCH, f"{first}.py": CLEARS, f"{second}.py": KEEPS})
    found = only("engine.py")
    assert (found.rule, found.span.row) == ("missing-zero-grad", 4)
    assert found.message.endswith(f", when called from line 10 of {second}.py.")
    assert places(found)[-1] == (f"{second}.py", 10, "called from here")
    assert f"{first}.py" not in {one.path for one in found.related}
    written(here, {f"{second}.py": CLEARS})
    assert checked("engine.py").findings == ()
    written(here, {f"{first}.py": KEEPS, f"{second}.py": KEEPS})
    assert "when called" not in only("engine.py").message


def test_a_caller_in_the_same_file_is_named_by_its_line(here: Path) -> None:
    calls = [one.split("\n\n\n")[1].replace("main", name) for one, name in ((CLEARS, "first"), (KEEPS, "second"))]
    written(here, {"engine.py": "\n\n\n".join(["import torch", BATCH.rstrip(), *calls])})
    found = only("engine.py")
    assert (found.rule, found.span.row) == ("missing-zero-grad", 7)
    row = read("engine.py").splitlines().index("        train_batch(model, optimizer, x, y)", 18) + 1
    assert found.message.endswith(f", when called from line {row}.")


def test_repairs_move_only_rows_of_their_file(here: Path) -> None:
    written(here, {"engine.py": ENGINE, **CALLERS})
    result = checked("engine.py", fix_text)
    (mended,) = result.applied
    assert "line 10 of pretrain.py" in mended.message
    assert ("pretrain.py", 10, "called from here") in places(mended)
    assert "loss / accumulation_steps" in result.text


# --------------------------------------------------------------------------------------------------- traces


def executed(module: Any, root: Path) -> list[tuple[str, int]]:
    """The lines of the project that Python runs, in order."""
    import torch

    found: list[tuple[str, int]] = []

    def watch(frame: Any, what: str, _argument: object) -> Any:
        path = Path(frame.f_code.co_filename)
        if path.parent != root:
            return None
        if what == "line":
            found.append((path.name, frame.f_lineno))
        return watch

    batches = [(torch.ones(1, 2), torch.zeros(1, 1))] * 9
    sys.settrace(watch)
    try:
        module.main(batches)
    finally:
        sys.settrace(None)
    return found


def follows(events: list[tuple[str, int]], lines: list[tuple[str, int]]) -> bool:
    """Whether events happen in the order in which lines run."""
    rest = iter(lines)
    return all(event in rest for event in events)


def test_events_of_several_files_are_those_that_python_runs(here: Path, imported: Callable[[str], Any]) -> None:
    written(
        here,
        {"engine.py": ENGINE, "pretrain.py": CALLERS["pretrain.py"].replace("    for", "    model.train()\n    for")},
    )
    (region,) = checked("engine.py", trace_text, 5)
    lines = executed(imported("pretrain"), here)
    (scenario,) = region.scenarios
    events = [(region.file(one), one.row) for one in scenario.events]
    assert follows(events, lines)
    assert {path for path, _ in events} == {"pretrain.py", "engine.py"}
    assert not follows(events[::-1], lines)
    shown = trace.render(region, Style())
    assert "  in train_one_epoch() of engine.py where nothing else is said\n" in shown
    assert "pretrain.py:9  train mode" in shown


def test_a_line_is_traced_in_all_regions_that_run_it(here: Path) -> None:
    written(here, {"engine.py": ENGINE, **CALLERS})
    assert {one.path for one in checked("engine.py", trace_text, 5)} == {"finetune.py", "pretrain.py"}
    assert [one.path for one in checked("pretrain.py", trace_text, 10)] == ["pretrain.py"]


def test_what_a_rule_said_is_asked_of_the_right_file(here: Path) -> None:
    written(here, {"engine.py": DIVIDED, **CALLERS})
    asked = checked("engine.py", explain_text, "missing-zero-grad", 7, Settings())
    (answer,) = asked.answers
    assert answer.outcome is Outcome.EXCUSED
    assert answer.region.partition(": ")[0] in CALLERS
    assert f"the module body of {answer.region.partition(':')[0]}" in explanation.render(asked, Style())
    assert {event.kind for event in asked.events} == {"step"}
    assert checked("pretrain.py", explain_text, "missing-zero-grad", 7, Settings()).events == ()


# -------------------------------------------------------------------------------------------------- formats


def reported(root: Path) -> tuple[Report, Where]:
    written(root, SPEECH)

    def traces(path: str) -> tuple[RegionTrace, ...]:
        return checked(path, trace_text, None)

    return checked("speech/amp.py"), Where(read=read, traces=traces)


def test_the_text_shows_the_code_of_all_files(here: Path) -> None:
    report, _ = reported(here)
    assert text.render_finding(report.findings[0], read, Style()).startswith("""\
error[clip-scaled-gradients] speech/amp.py:5:5 [*]
   |
 5 |     torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 6 |     scaler.step(optimizer)
   |     ---------------------- and unscaled only here
   |
  ::: speech/engine.py:7:9
   |
 6 |         optimizer.zero_grad()
 7 |         scaler.scale(model(x).mean()).backward()
   |         ---------------------------------------- the gradients are scaled here
 8 |         finish(model, optimizer, scaler)
   |
  ::: train.py:11:9
   |
10 |     for epoch in range(3):
11 |         train_epoch(model, [], optimizer, scaler)
   |         ----------------------------------------- called from here
   |
""")
    assert "on line 7 of engine.py has left them" in concise.render(report, Style())


def test_a_file_that_is_gone_is_named_without_its_code(here: Path) -> None:
    report, _ = reported(here)
    shown = text.render_finding(report.findings[0], lambda path, _: read(path) if "amp" in path else "", Style())
    assert "\n ::: speech/engine.py:7:9\n ::: train.py:11:9\n" in shown


def test_json_names_the_files(here: Path) -> None:
    report, _ = reported(here)
    whole = json.loads(json_report.render(report))
    schema = json.loads((Path(gradlint.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(whole, schema)
    (found,) = whole["findings"]
    files = [(one["path"], one["row"]) for one in found["related"]]
    assert sorted(files) == [("speech/amp.py", 6), ("speech/engine.py", 7), ("train.py", 11)]
    del found["related"][0]["path"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(whole, schema)


def test_sarif_walks_from_the_caller_to_the_place(here: Path) -> None:
    report, where = reported(here)
    log = json.loads(sarif.render(report, where, all_rules(), pages.read, "1.2.3"))
    schema = json.loads((DATA / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (result,) = log["runs"][0]["results"]

    def at(location: dict[str, Any]) -> tuple[str, int]:
        place = location["physicalLocation"]
        return place["artifactLocation"]["uri"], place["region"]["startLine"]

    assert sorted(map(at, result["relatedLocations"])) == [
        ("speech/amp.py", 6),
        ("speech/engine.py", 7),
        ("train.py", 11),
    ]
    (flow,) = result["codeFlows"]
    stops = flow["threadFlows"][0]["locations"]
    way = [(*at(one["location"]), one["location"]["message"]["text"].partition(" (")[0]) for one in stops]
    assert way[:3] == [
        ("train.py", 14, "calls main(...)"),
        ("train.py", 11, "calls train_epoch(...)"),
        ("speech/engine.py", 6, "zero_grad of optimizer"),
    ]
    assert ("speech/engine.py", 8, "calls finish(...)") in way
    assert way.index(("speech/engine.py", 8, "calls finish(...)")) < way.index(
        next(one for one in way if one[:2] == ("speech/amp.py", 5))
    )
    essential = {at(one["location"]) for one in stops if one["importance"] == "essential"}
    assert essential == {("train.py", 11), ("speech/engine.py", 7), ("speech/amp.py", 5), ("speech/amp.py", 6)}
    assert [one["nestingLevel"] for one in stops[:2]] == [0, 1]


def test_services_name_the_files(here: Path) -> None:
    report, where = reported(here)
    lines = ["speech/engine.py:7: the gradients are scaled here", "train.py:11: called from here"]
    (command,) = github.render(report, where).splitlines()
    assert command.endswith("".join(f"%0A{line}" for line in lines))
    (issue,) = json.loads(gitlab.render(report, where))
    jsonschema.validate([issue], json.loads((DATA / "gitlab-code-quality.json").read_text(encoding="utf-8")))
    assert issue["content"]["body"].splitlines()[-2:] == lines
    shown = junit.render(report, where)
    xmlschema.XMLSchema(str(DATA / "junit-10.xsd")).validate(shown)
    assert all(f"\n{line}\n" in shown for line in lines)


# ---------------------------------------------------------------------------------------------- suppressions


def test_a_comment_counts_where_the_finding_stands(here: Path) -> None:
    mark = "  # gradlint: ignore[unscaled-accumulation-loss]"
    silent = ENGINE.replace("loss.backward()", f"loss.backward(){mark}")
    written(here, {"engine.py": silent, **CALLERS})
    report = checked("engine.py")
    assert (report.findings, report.warnings) == ((), ())
    assert checked("engine.py", tidy_text) == (silent, 0)
    calls = CALLERS["pretrain.py"].replace("steps=4)", f"steps=4){mark}")
    written(here, {"engine.py": ENGINE, "pretrain.py": calls})
    assert [one.rule for one in checked("engine.py").findings] == [RULE]
    assert [one.message for one in checked("pretrain.py").warnings] == [f"unused `{mark.strip()}`"]


def test_a_comment_that_only_some_caller_needs_is_used(here: Path) -> None:
    """By itself the file has nothing to silence; one of its callers makes the mistake."""
    helper = "def finish(optimizer):\n    optimizer.step()\n{clip}  # gradlint: ignore\n"
    helper = helper.format(clip="    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]['params'], 1.0)")
    loop = """\
import torch
from helper import finish

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in loader:
    optimizer.zero_grad()
    model(x).mean().backward()
    finish(optimizer)
"""
    written(here, {"helper.py": "import torch\n" + helper, "train.py": loop})
    assert checked("helper.py").warnings == ()
    assert checked("helper.py").findings == ()


def test_where_callers_were_left_out_no_comment_is_surely_unused(here: Path) -> None:
    idle = DIVIDED.replace(".backward()", ".backward()  # gradlint: ignore")
    written(here, {"engine.py": idle, **CALLERS})
    assert [one.message for one in checked("engine.py").warnings] == ["unused `# gradlint: ignore`"]
    written(here, {f"run{number}.py": CALLER.format(steps=4) for number in range(9)})
    assert checked("engine.py").warnings == ()
    assert checked("engine.py", tidy_text) == (idle, 0)


# ------------------------------------------------------------------------------------------ what was not judged

BLIND_BASE = """\
from kit.hooks import Hook
from somewhere import finish


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.hook = model, optimizer, Hook()

    def fit(self, loader):
        for batch in loader:
            self.hook.after(self.step(batch))

    def step(self, batch):
        loss = self.model(batch).mean()
        loss.backward()
        finish(self.optimizer)
        return loss
"""
BLIND = {
    "kit/base.py": BLIND_BASE,
    "kit/__init__.py": "",
    "kit/hooks.py": "class Hook:\n    seen = []\n\n    def after(self, loss):\n        self.seen.append(loss.item())\n",
    "kit/dpo.py": "from kit.base import Trainer\n\n\nclass Dpo(Trainer):\n    beta = 1\n",
    "kit/sft.py": "from kit.base import Trainer\n\n\nclass Sft(Trainer):\n    packed = True\n",
}


def test_loop_that_was_not_judged_is_told_where_it_stands_and_of_no_file_that_it_passes_through(here: Path) -> None:
    written(here, BLIND)
    reports = {name: checked(name) for name in BLIND}
    rows = {i for i, line in enumerate(BLIND_BASE.splitlines(), 1) if "backward" in line}
    told = {name: [(one.path, one.span.row) for one in report.unjudged] for name, report in reports.items()}
    assert told.pop("kit/base.py")
    assert {row for _, row in [(one.path, one.span.row) for one in reports["kit/base.py"].unjudged]} == rows
    assert not any(told.values())
    assert [report.regions for name, report in reports.items() if name != "kit/base.py"] == [0] * len(told)


def test_loop_is_told_at_what_a_file_has_of_it(here: Path) -> None:
    engine = "def fit(model, optimizer, loader):\n    for x in loader:\n        model(x).mean().backward()\n"
    main = "from engine import fit\nfrom made import model, loader, optimizer\n\nfit(model, optimizer, loader)\n"
    written(here, {"engine.py": engine, "main.py": main})
    (one,) = checked("engine.py").unjudged
    assert (one.path, one.span.row) == ("engine.py", 3)
    assert [(two.path, two.span.row) for two in checked("main.py").unjudged] in ([], [("main.py", 1)], [("main.py", 4)])


def test_the_loop_that_a_helper_of_a_third_file_serves_is_named(here: Path) -> None:
    helper = """\
class Backward:
    def __call__(self, loss, optimizer, last):
        loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
"""
    engine = """\
import torch


def fit(net, optimizer, finish, loader, accum):
    for n, (x, y) in enumerate(loader, start=1):
        loss = torch.nn.functional.mse_loss(net(x), y) / accum
        finish(loss, optimizer, n % accum == 0 or n == len(loader))
"""
    main = """\
import torch
from torch.nn.parallel import DistributedDataParallel

from engine import fit
from helper import Backward


def main(loader):
    net = DistributedDataParallel(torch.nn.Linear(2, 1))
    fit(net, torch.optim.SGD(net.parameters()), Backward(), loader, 4)
"""
    written(here, {"helper.py": helper, "engine.py": engine, "main.py": main})
    found = only("helper.py")
    assert (found.rule, found.span.row) == ("missing-no-sync", 3)
    calls = [one for one in places(found) if one[2] == "called from here"]
    assert calls == [("engine.py", 7, "called from here"), ("main.py", 10, "called from here")]


FLUSH = """\
def flush(optimizer, scaler=None):
    if scaler is None:
        optimizer.step()
    else:
        scaler.step(optimizer)
        scaler.update()
    optimizer.zero_grad()
"""
FIT = """\
import torch
{flush}


def fit(net, loader, optimizer, scaler):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        flush(optimizer)
"""
RUN = """\
import torch
{fit}


def main(loader):
    net = torch.nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    fit(net, loader, opt, torch.amp.GradScaler("cpu"))


main([(torch.rand(2, 3), torch.rand(2, 1))])
"""


@pytest.mark.parametrize(
    ("init", "fit", "flush"),
    [
        ("", "from kit.fit import fit", "from kit.flush import flush"),
        ("from .fit import fit", "from kit import fit", "from kit.flush import flush"),
        ("from .flush import flush\nfrom .fit import fit", "from kit import fit", "from kit import flush"),
        ("from kit.flush import flush", "from kit.fit import fit", "from . import flush"),
        ("from . import flush", "from kit.fit import fit", "from kit.flush import flush"),
    ],
)
def test_a_function_that_is_called_like_its_module_is_the_function_where_its_package_takes_it(
    init: str, fit: str, flush: str, here: Path
) -> None:
    """`from .fit import fit` in a package: `from kit import fit` is the function, as Python has it."""
    files = {
        "kit/__init__.py": init + "\n",
        "kit/flush.py": FLUSH,
        "kit/fit.py": FIT.format(flush=flush),
        "run.py": RUN.format(fit=fit),
    }
    written(here, files)
    report = checked("kit/flush.py")
    assert [one.rule for one in report.findings] == ["step-bypasses-scaler"]
