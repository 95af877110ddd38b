"""Edits of a window's boundary: the modulus, the tail, and who synchronises."""

from __future__ import annotations

import pytest

from fix.edits import at, done, refused
from gradlint import check_source, fix_source
from gradlint.model.edits import Modulus, NoSync, Sync, Tail


def guarded(test: str, loop: str = "for i, x in enumerate(loader)") -> str:
    return f"{loop}:\n    loss.backward()\n    if {test}:\n        opt.step()\n"


# The modulus


@pytest.mark.parametrize(
    ("test", "by", "after"),
    [
        ("i % n == 0", 1, "(i + 1) % n == 0"),
        ("(i) % n == 0", 1, "(i + 1) % n == 0"),
        ("(i - 1) % n == 0", 1, "i % n == 0"),
        ("i - 1 % n == 0", 1, ""),
        ("(i + 1) % n == 0", -1, "i % n == 0"),
        ("step % n == 0 or last", -1, "(step - 1) % n == 0 or last"),
        ("i > 0 and i % n == 0", 1, "(i + 1) % n == 0"),
        ("i % n == 0 and i > 0", 1, "(i + 1) % n == 0"),
        ("i % n == 0 and i != 0 and ready", 1, "(i + 1) % n == 0 and ready"),
        ("i > 3 and i % n == 0", 1, "i > 3 and (i + 1) % n == 0"),
        ("done > n", 1, "done >= n"),
        ("left < 0", 1, "left <= 0"),
    ],
)
def test_the_modulus_moves_by_one(test: str, by: int, after: str) -> None:
    edit = Modulus(at(f"if {test}:\n        opt.step()"), by)
    if after:
        assert done(guarded(test), edit) == guarded(after)
    else:
        assert refused(guarded(test), edit) == "the left side of the modulus is no plain counter"


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        ("(i + 1) % n == 0", "the guard is off by more than one"),
        ("f(i) % n == 0", "the left side of the modulus is no plain counter"),
        ("i % n == 0 or i % m == 0", "the guard holds no single modulus"),
        ("ready", "the guard holds no single modulus"),
    ],
)
def test_a_modulus_that_cannot_be_moved(test: str, reason: str) -> None:
    assert refused(guarded(test), Modulus(at(f"if {test}:\n        opt.step()"), 1)) == reason


def test_a_modulus_behind_a_name() -> None:
    text = "def f():\n    for i in xs:\n        last = i % n == 0\n        if last:\n            opt.step()\n"
    after = done(text, Modulus(at("if last:\n            opt.step()"), 1))
    assert after == text.replace("i % n", "(i + 1) % n")


# The tail


@pytest.mark.parametrize(
    ("loop", "test", "after"),
    [
        ("for i, x in enumerate(loader)", "(i + 1) % n == 0", "(i + 1) % n == 0 or (i + 1) == len(loader)"),
        ("for i, x in enumerate(tqdm(self.dl))", "(i + 1) % n == 0", "(i + 1) % n == 0 or (i + 1) == len(self.dl)"),
        ("for i, x in enumerate(loader, 1)", "i % n == 0", "i % n == 0 or i == len(loader)"),
        ("for i, x in enumerate(loader, start=1)", "i % n == 0", "i % n == 0 or i == len(loader)"),
        ("for i, x in enumerate(loader)", "i % n == n - 1", "i % n == n - 1 or i == len(loader) - 1"),
        ("for i, x in enumerate(loader)", "(i + 1) % n != 0", "(i + 1) % n != 0 and (i + 1) != len(loader)"),
        ("for i in range(len(loader))", "(i + 1) % n == 0", "(i + 1) % n == 0 or (i + 1) == len(loader)"),
    ],
)
def test_the_tail_is_stepped(loop: str, test: str, after: str) -> None:
    edit = Tail(at(f"if {test}:\n        opt.step()"))
    assert done(guarded(test, loop), edit) == guarded(after, loop)


@pytest.mark.parametrize(
    ("loop", "test", "reason"),
    [
        ("for i, x in enumerate(stream())", "(i + 1) % n == 0", "its length cannot be asked for"),
        ("for i, x in enumerate(loader, first)", "i % n == 0", "where the loop starts to count cannot be seen"),
        ("for x in loader", "step % n == 0", "the end of the loader cannot be named"),
        ("for i, x in enumerate(loader)", "step % n == 0", "the end of the loader cannot be named"),
        ("for i, x in enumerate(loader)", "i % n == 0 or done", "the guard is more than one modulus"),
        ("while True", "i % n == 0", "the guard stands in no loop over batches"),
    ],
)
def test_a_tail_that_nothing_names(loop: str, test: str, reason: str) -> None:
    assert reason in refused(guarded(test, loop), Tail(at(f"if {test}:\n        opt.step()")))


# no_sync

NULL = "from contextlib import nullcontext\n\nimport torch\n"
TRAIN = """\
import torch


def train(model, loader, opt, n):
    for i, x in enumerate(loader):
        # forward
        out = model(x)
        loss = out.mean()

        loss.backward()
        if (i + 1) % n == 0:
            opt.step()
"""
GUARD = at("if (i + 1) % n == 0:\n            opt.step()")
QUIET = NoSync(at("model(x)"), at("loss.backward()"), "model", GUARD)


STREAM = "def pieces():\n    yield 1\n\n\n{}"


@pytest.mark.parametrize(
    ("loop", "test", "after"),
    [
        ("for i, x in enumerate(pieces())", "(i + 1) % n == 0", "(i + 1) % n != 0"),
        ("for i, x in enumerate(pieces(), 1)", "i % n == 0", "i % n != 0"),
        ("s = pieces()\nfor i, x in enumerate(s)", "not (i + 1) % n", "(i + 1) % n"),
        ("s = pieces()\nfor i, x in enumerate(s)", "(i + 1) % n == 0", "(i + 1) % n != 0"),
        ("for i, x in enumerate(zip(pieces(), loader))", "(i + 1) % n == 0", "(i + 1) % n != 0"),
    ],
)
def test_the_tail_of_a_stream_is_stepped_behind_it(loop: str, test: str, after: str) -> None:
    text, edit = STREAM.format(guarded(test, loop)), Tail(at(f"if {test}:\n        opt.step()"))
    begun = text.replace("for i,", f"i = {0 if ', 1' in loop else -1}\nfor i,")
    assert done(text, edit) == f"{begun}if {after}:\n    opt.step()\n"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("        if x is None:\n            break\n", "the loop may be left in the middle of a window on purpose"),
        ("        opt.step()\n    else:\n        wait()\n", "the guard of the step is no `if` of the loop itself"),
        ("        for p in ps:\n            p.step()\n", "what the guard guards is more than an update"),
    ],
)
def test_a_stream_that_is_not_flushed(body: str, reason: str) -> None:
    guard = "    if (i + 1) % n == 0:\n"
    text = STREAM.format(f"for i, x in enumerate(pieces()):\n{guard}{body}")
    assert refused(text, Tail(at(f"{guard.strip()}\n{body.rstrip()}"))) == reason


def test_a_name_that_may_stand_for_a_list_is_asked_for_its_length() -> None:
    both = STREAM.format("s = pieces()\ns = [1]\n" + guarded("(i + 1) % n == 0", "for i, x in enumerate(s)"))
    assert "or (i + 1) == len(s)" in done(both, Tail(at("if (i + 1) % n == 0:\n        opt.step()")))


def test_forward_and_backward_go_under_no_sync() -> None:
    assert (
        done(TRAIN, QUIET)
        == """\
from contextlib import nullcontext

import torch


def train(model, loader, opt, n):
    for i, x in enumerate(loader):
        with nullcontext() if (i + 1) % n == 0 else model.no_sync():
            # forward
            out = model(x)
            loss = out.mean()

            loss.backward()
        if (i + 1) % n == 0:
            opt.step()
"""
    )


def test_a_guard_that_is_passed_when_false() -> None:
    text = TRAIN.replace("if (i + 1) % n == 0:\n            opt.step()", "if (i + 1) % n:\n            continue")
    edit = NoSync(
        at("model(x)"), at("loss.backward()"), "model", at("if (i + 1) % n:\n            continue"), taken=False
    )
    assert "        with model.no_sync() if (i + 1) % n else nullcontext():\n" in done(text, edit)


def test_a_long_header_takes_several_lines() -> None:
    text = TRAIN.replace("(i + 1) % n == 0", "(i + 1) % n == 0 or i + 1 == len(loader) or something_else_that_ends_it")
    guard = at(text[text.index("if (i") :].rstrip("\n"))
    header = done(text, NoSync(at("model(x)"), at("loss.backward()"), "model", guard)).splitlines()[7:12]
    assert header == [
        "        with (",
        "            nullcontext()",
        "            if (i + 1) % n == 0 or i + 1 == len(loader) or something_else_that_ends_it",
        "            else model.no_sync()",
        "        ):",
    ]


@pytest.mark.parametrize(
    ("imports", "after", "call"),
    [
        ("from contextlib import nullcontext\nimport torch\n", "", "nullcontext()"),
        ("import contextlib\nimport torch\n", "", "contextlib.nullcontext()"),
        ("import contextlib as c\nimport torch\n", "", "c.nullcontext()"),
        ("from contextlib import nullcontext as quiet\nimport torch\n", "", "quiet()"),
        (
            "import os\nimport sys\n\nimport torch\n",
            "import os\nimport sys\nfrom contextlib import nullcontext\n\nimport torch\n",
            "nullcontext()",
        ),
        (
            "import os\nfrom typing import Any\n\nimport torch\n",
            "import os\nfrom contextlib import nullcontext\nfrom typing import Any\n\nimport torch\n",
            "nullcontext()",
        ),
        (
            '"""What it is."""\n\nfrom __future__ import annotations\n\nimport torch\n',
            '"""What it is."""\n\nfrom __future__ import annotations\n\n' + NULL,
            "nullcontext()",
        ),
        (
            "# licence\nimport torch\n",
            "# licence\nfrom contextlib import nullcontext\n\nimport torch\n",
            "nullcontext()",
        ),
        (
            "#!/bin/python\n# coding: utf-8\n# why\nimport torch\n",
            "#!/bin/python\n# coding: utf-8\nfrom contextlib import nullcontext\n\n# why\nimport torch\n",
            "nullcontext()",
        ),
        (
            "# licence\n\nimport torch\n",
            "# licence\n\nfrom contextlib import nullcontext\n\nimport torch\n",
            "nullcontext()",
        ),
        ('"""What it is."""\n', '"""What it is."""\n\n\nfrom contextlib import nullcontext\n', "nullcontext()"),
        (
            "import torch\n\nrun()\nimport sys\n\nsys.exit(0)\n",
            "from contextlib import nullcontext\n\nimport torch\n\nrun()\nimport sys\n\nsys.exit(0)\n",
            "nullcontext()",
        ),
    ],
)
def test_the_import_goes_where_imports_are(imports: str, after: str, call: str) -> None:
    body = TRAIN.removeprefix("import torch\n")
    result = done(imports + body, QUIET)
    assert f"with {call} if " in result
    assert result.startswith((after or imports) + "\n")
    assert result.count("nullcontext") <= 2


COUNTED = """\
from contextlib import nullcontext
def train(model, opt, n):
    for {} in range({}):
        loss = model(1)
        loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    ("name", "count", "test"),
    [("k", "n", "k == n - 1"), ("k", "4", "k == 3"), ("_", "n", "micro == n - 1")],
)
def test_the_last_turn_of_a_counted_loop(name: str, count: str, test: str) -> None:
    text = COUNTED.replace("{}", name, 1).replace("{}", count)
    after = done(text, NoSync(at("model(1)"), at("loss.backward()"), "model", None))
    assert f"        with nullcontext() if {test} else model.no_sync():\n" in after
    assert f"for {test.partition(' ')[0]} in range({count})" in after


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("if (i + 1) % n == 0:", "if (m := i + 1) % n == 0:", "the guard of the step does more than ask"),
        ("if (i + 1) % n == 0:", "if await f(i):", "the guard of the step does more than ask"),
        ("if (i + 1) % n == 0:", "if loss > 1 or i % n == 0:", "reads what is only computed after"),
    ],
)
def test_a_boundary_that_cannot_be_asked_ahead(before: str, after: str, reason: str) -> None:
    text = TRAIN.replace("def", "async def").replace(before, after)
    guard = at(text[text.index("        if ") + 8 :].rstrip("\n"))
    assert reason in refused(text, NoSync(at("model(x)"), at("loss.backward()"), "model", guard))


def test_a_counter_that_is_raised_in_between_is_asked_one_ahead() -> None:
    text = TRAIN.replace("        if (i + 1) % n == 0:", "        n_seen += 1\n        if n_seen % n == 0:")
    guard = at("if n_seen % n == 0:\n            opt.step()")
    after = done(text, NoSync(at("model(x)"), at("loss.backward()"), "model", guard))
    assert "with nullcontext() if (n_seen + 1) % n == 0 else model.no_sync():" in after


COUNTS = "        seen += 1\n        left -= 1\n        due = seen == n or left == 0\n"


def _counted(between: str, text: str = TRAIN) -> tuple[str, NoSync]:
    text = text.replace("        if (i + 1) % n == 0:", f"{between}        if due:")
    return text, NoSync(at("model(x)"), at("loss.backward()"), "model", at("if due:\n            opt.step()"))


def test_counters_go_ahead_with_what_asks_them() -> None:
    text, edit = _counted(f"        print(x)\n{COUNTS}")
    after = done(text, edit)
    head = "        with nullcontext() if due else model.no_sync():\n"
    assert f"enumerate(loader):\n{COUNTS}{head}" in after
    assert after.count("seen += 1") == 1
    assert "        print(x)\n        if due:" in after


@pytest.mark.parametrize(
    ("text", "between"),
    [
        (TRAIN, f"        print(seen)\n{COUNTS}"),  # would print another number
        (TRAIN, f"        if loss > 9:\n            continue\n{COUNTS}"),  # would count what is left out
        (TRAIN, f"        seen = least(seen)\n{COUNTS}"),
        (TRAIN, COUNTS.replace("left -= 1", "left -= len(x)")),
        (TRAIN, COUNTS.replace("left == 0", "loss < 1")),
        (TRAIN.replace("    for i", "    tell = lambda: seen\n    for i"), COUNTS),
        (TRAIN.replace("    for i", "    global seen\n    for i"), COUNTS),
    ],
)
def test_counters_that_stay_where_they_are(text: str, between: str) -> None:
    assert "reads what is only computed after" in refused(*_counted(between, text))


def test_no_sync_without_a_boundary() -> None:
    text = "def f(model):\n    loss = model(1)\n    loss.backward()\n"
    edit = NoSync(at("model(1)"), at("loss.backward()"), "model", None)
    assert refused(text, edit) == "nothing says which micro-batch is the last of the window"


def test_a_model_that_is_only_sometimes_wrapped() -> None:
    text = TRAIN.replace("import torch\n", "from torch.nn.parallel import DistributedDataParallel as DDP\n")
    wrap = "    if torch.distributed.is_initialized():\n        model = DDP(model)\n"
    text = text.replace("    for i", f"{wrap}    for i")
    after = done(text, QUIET)
    assert "(i + 1) % n == 0 or not isinstance(model, DDP)" in after


def test_a_wrapper_under_another_name() -> None:
    text = TRAIN.replace("import torch\n", "from torch.nn.parallel import DistributedDataParallel as NativeDDP\n")
    wrap = "    if torch.distributed.is_initialized():\n        model = NativeDDP(model)\n"
    after = done(text.replace("    for i", f"{wrap}    for i"), QUIET)
    assert "(i + 1) % n == 0 or not isinstance(model, NativeDDP)" in after


# A no_sync that reaches too far


def test_a_no_sync_stands_back_at_the_boundary() -> None:
    text = TRAIN.replace("        loss.backward()", "        with model.no_sync():\n            loss.backward()")
    after = done(text, Sync(at("loss.backward()"), GUARD))
    assert "        with nullcontext() if (i + 1) % n == 0 else model.no_sync():\n            loss.backward()" in after


def test_a_choice_is_turned_round() -> None:
    old = "        with model.no_sync() if (i + 1) % n == 0 else nullcontext():\n            loss.backward()"
    text = TRAIN.replace("        loss.backward()", old).replace("import torch", "from contextlib import nullcontext")
    after = done(text, Sync(at("loss.backward()"), GUARD))
    assert "        with model.no_sync() if (i + 1) % n != 0 else nullcontext():\n" in after


OUTSIDE = """\
from contextlib import nullcontext
def train(model, opt, xs):
    with model.no_sync():  # quiet
        # each part
        for k in range(4):  # four
            loss = model(xs[k])

            loss.backward()
    opt.step()
"""


def test_a_no_sync_around_the_loop_goes_inside() -> None:
    assert (
        done(OUTSIDE, Sync(at("loss.backward()"), None))
        == """\
from contextlib import nullcontext
def train(model, opt, xs):
    # each part
    for k in range(4):  # four
        with nullcontext() if k == 3 else model.no_sync():  # quiet
            loss = model(xs[k])

            loss.backward()
    opt.step()
"""
    )


def test_an_attribute_that_switches_synchronisation_off() -> None:
    text = TRAIN.replace("        # forward\n", "        model.require_backward_grad_sync = False\n")
    after = done(text, Sync(at("loss.backward()"), GUARD))
    assert "        model.require_backward_grad_sync = (i + 1) % n == 0\n" in after


@pytest.mark.parametrize(
    ("scope", "reason"),
    [
        ("with quiet(model):", "what switches synchronisation off cannot be seen"),
        ("with (model.no_sync() if a else b) and c:", "the `with` chooses its scope in a way that cannot be rewritten"),
    ],
)
def test_a_scope_that_cannot_be_read(scope: str, reason: str) -> None:
    text = TRAIN.replace("        loss.backward()", f"        {scope}\n            loss.backward()")
    assert refused(text, Sync(at("loss.backward()"), GUARD)) == reason


@pytest.mark.parametrize(
    ("scope", "after"),
    [
        (
            "quiet() if (i + 1) % n == 0 or not isinstance(model, DDP) else model.no_sync()",
            "quiet() if (i + 1) % n == 0 or (i + 1) == len(loader) or not isinstance(model, DDP) else model.no_sync()",
        ),
        (
            "model.no_sync() if isinstance(model, DDP) and ((i + 1) % n != 0) else quiet()",
            "model.no_sync() if isinstance(model, DDP) and ((i + 1) % n != 0) and (i + 1) != len(loader) else quiet()",
        ),
    ],
)
def test_a_tail_that_is_stepped_is_synchronised_too(scope: str, after: str) -> None:
    text = f"""\
def train(model, loader, opt, n):
    for i, x in enumerate(loader):
        context = {scope}
        with context:
            model(x).backward()
        if (i + 1) % n == 0:
            opt.step()
"""
    repaired = done(text, Tail(at("if (i + 1) % n == 0:\n            opt.step()")))
    assert repaired == text.replace(scope, after).replace("% n == 0:", "% n == 0 or (i + 1) == len(loader):")


AGAIN = """
import torch


def train(net, loader, config):
    optimizer = torch.optim.Adam(net.parameters(), lr=config.lr)
    count = 0
    for epoch in range(config.epochs):
        net.zero_grad()
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(net(x), y) / config.size
            loss.backward()
            count += 1
            if count % config.size == 0:
                optimizer.step()
                optimizer.zero_grad()
                count = 0
        if epoch in config.drops:
            optimizer = torch.optim.Adam(net.parameters(), lr=config.lr * 0.1)
"""


def test_a_count_that_goes_on_for_another_optimizer_begins_where_it_did() -> None:
    assert fix_source(AGAIN).text == AGAIN
    assert not [one for one in check_source(AGAIN) if one.rule == "accumulation-off-by-one"]
