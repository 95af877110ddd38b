"""A list of parameters that would miss what is trained later, beside those that would not."""

from __future__ import annotations

import pytest

from fix.edits import at, done, refused
from gradlint.model.edits import Iterate

FILTER = "filter(lambda p: p.requires_grad, net.parameters())"
HELPER = f"def awake(net):\n    return {FILTER}\n\n"
MADE = f"params = {FILTER}\n"
USED = "opt = SGD(params)\n"
CLIP = "for x in xs:\n    loss(net(x)).backward()\n    clip(params, 1.0)\n    opt.step()\n"
SETS = "def trains(part, flag):\n    for p in part.parameters():\n        p.requires_grad = flag\n"
MODEL = """\
class Net(Module):
    def __init__(self):
        for p in self.body.parameters():
            p.requires_grad = True

    def thaw(self):
        self.body.requires_grad_(True)
"""
TRAINER = """\
class Trainer:
    def __init__(self, net):
        self.net = net
        self.params = filter(lambda p: p.requires_grad, net.parameters())
        self.opt = SGD(self.params)

    def thaw(self):
        pass

    def step(self, x):
        self.net(x).backward()
        clip(self.params, 1.0)
        self.opt.step()
"""
MORE, ANEW, THAWS = (
    "the optimizer gets more parameters later",
    "the optimizer is made anew, with other parameters",
    "the filter would let more parameters through later",
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{MADE}{USED}{CLIP}opt.add_param_group(group)\n", MORE),
        (f"{MADE}{USED}opt.add_param_group(group)\n{CLIP}", MORE),
        (f"{MADE}{USED}{CLIP}opt = SGD(net.parameters())\n{CLIP}", ANEW),
        (f"{MADE}opt = SGD(net.head.parameters())\nprint(*params)\n{CLIP}opt = SGD(net.parameters())\n", ANEW),
        (f"{MADE}{USED}{CLIP}net.body.requires_grad_(True)\n", THAWS),
        (f"{MADE}{USED}{CLIP}net.requires_grad_()\n", THAWS),
        (f"{HELPER}params = awake(net)\n{USED}{CLIP}net.requires_grad_()\n", THAWS),
        (f"from parts import awake\nparams = awake(net)\n{USED}{CLIP}net.requires_grad_()\n", THAWS),
        (f"{MADE}{USED}{CLIP}for p in net.body.parameters():\n    p.requires_grad = True\n", THAWS),
        (
            f"{MADE}{USED}{CLIP}for m in net.children():\n    for p in m.parameters():\n        p.requires_grad = on\n",
            THAWS,
        ),
        (f"{MADE}{USED}{CLIP}[p.requires_grad_(True) for p in net.parameters()]\n", THAWS),
        (f"{SETS}{MADE}{USED}{CLIP}trains(net.body, True)\n", THAWS),
        (f"{SETS}{MADE}{USED}{CLIP}trains(flag=True, part=net.body)\n", THAWS),
        (f"{MODEL}net = Net()\n{MADE}{USED}{CLIP}net.thaw()\n", THAWS),
        (f"{MADE}{USED}def phase():\n    net.body.requires_grad_(True)\n{CLIP}", THAWS),
    ],
)
def test_others_are_trained_later(text: str, reason: str) -> None:
    assert refused(text, Iterate(at("clip(params, 1.0)"))) == reason
    assert refused(text, Iterate(at("clip(params, 1.0)"), late=True)) == reason


@pytest.mark.parametrize(
    "text",
    [
        f"{MADE}{USED}{CLIP}",
        f"net.requires_grad_(False)\nnet.head.requires_grad_(True)\n{MADE}{USED}{CLIP}",
        f"{SETS}trains(net, False)\ntrains(net.head, True)\n{MADE}{USED}{CLIP}",
        f"{SETS}{MADE}{USED}{CLIP}trains(other, True)\n",
        f"{MODEL}net = Net()\nnet.thaw()\n{MADE}{USED}{CLIP}",
        f"{MADE}{USED}{CLIP}net.body.requires_grad_(False)\n",
        f"{MADE}{USED}{CLIP}for x in xs:\n    x.requires_grad_()\n",
        f"{MADE}if adam:\n    opt = Adam(params)\nelse:\n    opt = SGD(net.parameters())\n{CLIP}",
        f"{MADE}{USED}opt = prepare(opt)\n{CLIP}",
        f"{MADE}{USED}model, opt = prepare(net, opt)\n{CLIP}",
    ],
)
def test_the_list_holds_all_that_is_trained(text: str) -> None:
    assert done(text, Iterate(at("clip(params, 1.0)"))) == text.replace(FILTER, f"list({FILTER})")


def test_a_helper_that_filters_nothing_gives_what_thaws() -> None:
    helper = "def every(net):\n    return net.parameters()\n\n"
    text = f"{helper}params = every(net)\n{USED}{CLIP}net.body.requires_grad_(True)\n"
    assert "params = list(every(net))" in done(text, Iterate(at("clip(params, 1.0)")))


def test_a_list_of_all_holds_what_thaws() -> None:
    text = f"params = net.parameters()\n{USED}{CLIP}net.body.requires_grad_(True)\n"
    after = text.replace("net.parameters()", "list(net.parameters())")
    assert done(text, Iterate(at("clip(params, 1.0)"))) == after


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("self.net.body.requires_grad_(True)", THAWS),
        ("self.opt = SGD(self.net.parameters())", ANEW),
        ("self.opt.add_param_group(group)", MORE),
        ("self.net.body.requires_grad_(False)", ""),
    ],
)
def test_a_trainer_that_thaws(body: str, reason: str) -> None:
    text = TRAINER.replace("pass", body)
    edit = Iterate(at("clip(self.params, 1.0)"))
    if reason:
        assert refused(text, edit) == reason
    else:
        assert "self.params = list(filter" in done(text, edit)


def test_what_is_repaired_anyway() -> None:
    text = f"{MADE}{USED}{CLIP}opt.add_param_group(group)\n"
    assert f"params = list({FILTER})" in done(text, Iterate(at("clip(params, 1.0)"), anyway=True))


WITHIN = f"""\
def train(net, xs):
    {MADE}    opt = SGD(net.parameters())
    def phase():
        for x in xs:
            loss(net(x)).backward()
            clip(params, 1.0)
            opt.step()
    phase()
    net.body.requires_grad_(True)
    phase()
"""
AGAIN = Iterate(at("clip(params, 1.0)"), anew=True)
NO_FILTER, OTHER, NO_OPTIMIZER = (
    "the iterator is no filter, or is made elsewhere",
    "what the filter reads may be another thing by then",
    "what thaws later may be no parameter of the optimizer",
)


@pytest.mark.parametrize(
    "text",
    [
        WITHIN,
        WITHIN.replace("opt = SGD(net.parameters())", "opt = SGD(params)\n    opt.add_param_group(group)"),
        WITHIN.replace(FILTER, "(p for p in net.parameters() if p.requires_grad)"),
    ],
)
def test_a_filter_is_made_anew_in_a_function_within(text: str) -> None:
    value = FILTER if FILTER in text else "(p for p in net.parameters() if p.requires_grad)"
    assert done(text, AGAIN) == text.replace("clip(params", f"clip({value}")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("opt = SGD(net.parameters())", "opt = SGD(params)", NO_OPTIMIZER),
        ("opt = SGD(net.parameters())", "opt = SGD(net.head.parameters())", NO_OPTIMIZER),
        ("    opt = SGD(", "    net = wrapped(net)\n    opt = SGD(", NO_OPTIMIZER),
        ("    opt = SGD(", "    more = SGD(other.parameters())\n    more.step()\n    opt = SGD(", NO_OPTIMIZER),
        ("    phase()\n    net", "    net = other\n    phase()\n    net", OTHER),
        ("phase():", "phase(net):", OTHER),
        (FILTER, "net.parameters()", NO_FILTER),
    ],
)
def test_a_filter_is_not_made_anew(old: str, new: str, reason: str) -> None:
    assert old in WITHIN
    assert refused(WITHIN.replace(old, new, 1), AGAIN) == reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("pass", "self.opt.add_param_group(group)", ""),
        ("pass", "pass", NO_OPTIMIZER),
        ("pass", "self.net = wrap(self.net)\n        self.opt.add_param_group(group)", OTHER),
        ("self.net = net\n", "self.net = net\n        opt.add_param_group(group)\n        net = wrap(net)\n", OTHER),
        ("self.net = net\n", "self.model = wrap(net)\n        opt.add_param_group(group)\n", NO_FILTER),
        ("p.requires_grad", "p.size > least and opt.add_param_group(p)", NO_FILTER),
    ],
)
def test_a_filter_of_an_object_is_made_anew_by_its_attributes(old: str, new: str, reason: str) -> None:
    text = TRAINER.replace(old, new, 1)
    edit = Iterate(at("clip(self.params, 1.0)"), anew=True)
    if reason:
        assert refused(text, edit) == reason
    else:
        assert f"clip({FILTER.replace('net', 'self.net')}, 1.0)" in done(text, edit)


THAWED = (
    f"net.trunk.requires_grad_(False)\n{USED}trunk_opt = SGD(net.trunk.parameters())\nnet.trunk.requires_grad_(on)\n"
)
STEPS = CLIP + "    trunk_opt.step()\n"


def test_what_thaws_is_of_another_optimizer() -> None:
    text = MADE + THAWED + STEPS
    after = text.replace(USED, f"params = list(params)\n{USED}")
    assert done(text, Iterate(at("clip(params, 1.0)"), late=True)) == after
    for old, new in (
        ("(net.trunk.par", "(net.body.par"),
        ("SGD(params)", "SGD(net.head.parameters())"),
        ("trunk_opt.step", "print"),
    ):
        assert refused(text.replace(old, new), Iterate(at("clip(params, 1.0)"), late=True))
