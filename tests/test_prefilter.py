"""The funnel: it may let too much through, never too little."""

from __future__ import annotations

import pytest

from gradlint.files.prefilter import promising
from gradlint.libraries.tables import LIBRARIES
from gradlint.lower import lower
from gradlint.model.effects import Gate
from gradlint.model.program import Works
from gradlint.syntax.parses import parses

RECORDS = [record for library in LIBRARIES for record in library.calls]
WORKING = [record for record in RECORDS if record.effect.gate & (Gate.BACKWARD | Gate.STEP)]
METHOD_NAMES = sorted({name for record in WORKING if record.of is not None for name in record.names})
FUNCTION_NAMES = sorted({name.rpartition(".")[2] for record in WORKING if record.of is None for name in record.names})
TOKEN = "backward = 1\n"


@pytest.mark.parametrize("name", [name for name in METHOD_NAMES if name != "__call__"])
def test_every_method_that_works_is_spelled(name: str) -> None:
    assert promising(f"{TOKEN}x.{name}(y)\n".encode())


@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_every_function_that_works_is_spelled(name: str) -> None:
    assert promising(f"{TOKEN}x = {name}(y)\n".encode())


def test_there_are_names_to_try() -> None:
    assert {"backward", "step", "manual_backward"} <= set(METHOD_NAMES)
    assert {"backward", "optimizer_step"} <= set(FUNCTION_NAMES)


PROSE = [
    b"# loss.backward()\n",
    b"x = 1  # then loss.backward() and optimizer.step()\n",
    b'"""Calls loss.backward().\n\n>>> loss.backward()\n"""\n',
    b"'''loss.backward()'''\n",
    b'text = "loss.backward()"\n',
    b"text = 'it\\'s loss.backward()'\n",
    b"def backward(ctx, grad):\n    return grad\n",
    b"def step(self):\n    pass  # backward\n",
    b"backwards_compatible = step\n",
    b"NativeScaler = 1\n",
    b"loss.backward_hook()\n",
    b"x.backward\n",
]


@pytest.mark.parametrize("data", PROSE)
def test_prose_is_no_loop(data: bytes) -> None:
    assert not promising(data)


@pytest.mark.parametrize(
    "data",
    [
        b"loss.backward()\n",
        b"loss . backward ()\n",
        b"loss.\\\n    backward(\n)\n",
        b"(loss.backward)()\n",
        b"self.accelerator.backward(loss)\n",
        b"from torch.autograd import backward as run\nrun(loss)\n",
        b"loss_scaler(loss, optimizer)\n",
        b"self.lossScaler(loss, optimizer)  # NativeScaler\n",
        b'x = """a""" + str(loss.backward())\n',
        b"x = \"it's\"; loss.backward()  # don't\n",
        b"x = '#'; loss.backward()\n",
        b'x = "\\""; loss.backward()\n',
        b"x = f'{a[\"b\"]}'; loss.backward()\n",
        b"r'''\n'''\nloss.backward()\n",
        b"\xef\xbb\xbfloss.backward()\r\noptimizer.step()\r\n",
        b"# \xff\nloss.backward()\n",
    ],
)
def test_code_is_found(data: bytes) -> None:
    assert promising(data)


@pytest.mark.parametrize("data", PROSE)
def test_what_the_funnel_leaves_out_has_no_region(data: bytes) -> None:
    """The dry run asks by rows and takes prose for work; it runs nothing all the same."""
    from gradlint.interpret.explore import regions

    assert list(regions(lower(data.decode(), "a.py"))) == []


def test_a_project_s_own_words_are_tokens() -> None:
    assert promising(b"run_back(loss)\n", ("run_back",))
    assert not promising(b"run_back(loss)\n", ("run_forth",))


def test_a_broken_file_does_not_parse() -> None:
    assert parses(b"x = '\\d'\n")
    assert not parses(b"def f(:\n")
    assert not parses(b"x = '\xff'\n")
    assert not parses(b"x = \0\n")


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("def f():\n    loss.backward()\n", Works.ITSELF),
        ("def f():\n    g()\n\n\ndef g():\n    h()\n\n\ndef h():\n    opt.step()\n", Works.ITSELF),
        ("def f():\n    def g():\n        loss.backward()\n    return g\n", Works.HOLDS),
        ("def f():\n    self.g\n\n\nclass C:\n    def g(self):\n        loss.backward()\n", Works.NOT),
        ("def f():\n    x()\n\n\nclass C:\n    def __call__(self):\n        loss.backward()\n", Works.ITSELF),
        ("@g()\ndef f():\n    pass\n\n\ndef g():\n    loss.backward()\n", Works.ITSELF),
        ("def f():\n    x = 1\n\n\nloss.backward()\n", Works.NOT),
    ],
)
def test_workers_are_found_through_calls(text: str, works: Works) -> None:
    assert lower(text, "a.py").functions["f"].works is works
