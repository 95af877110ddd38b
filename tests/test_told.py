"""What somebody tells of names: read from comments and configuration, and what the dry run makes of it."""

from __future__ import annotations

import pytest

from gradlint.check.engine import check_text, trace_text
from gradlint.check.suppressions import Suppressions
from gradlint.libraries.own import TOLD_EFFECTS, TOLD_ROLES
from gradlint.lower.told import assumes, faults, tokens, told
from gradlint.model.custom import FUNCTIONS, OBJECTS, ROLES, Custom, using
from gradlint.model.settings import Settings
from gradlint.model.told import NOTHING, Told, endings


def read(text: str, **roles: str) -> Told:
    return told(text, Custom(roles=tuple(roles.items())))


# Comments


def test_most_files_are_told_nothing() -> None:
    assert read("step()\n") is NOTHING
    assert read("step()  # gradlint: ignore[clip-after-step]\n") is NOTHING
    assert not NOTHING


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("assume opt=optimizer", Told(roles={"opt": "optimizer"})),
        ("assume self.opt = optimizer", Told(roles={"self.opt": "optimizer"})),
        ("assume n_critic=5, net.d=ddp", Told(roles={"net.d": "ddp"}, numbers={"n_critic": 5})),
        ("assume window=args.accum", Told(windows=frozenset({"args.accum"}), ends={1: "args.accum"})),
        ("assume window=4", Told(size=4, ends={1: "4"})),
        ("assume after=self.forward", Told(after={1: "forward"})),
        ("assume not-a-loop", Told(apart=frozenset({1}))),
    ],
)
def test_a_comment_tells(comment: str, expected: Told) -> None:
    assert read(f"step()  # gradlint: {comment}\n") == expected


def test_a_comment_of_its_own_is_about_the_next_line_of_code() -> None:
    text = "x = 1\n# gradlint: assume window=4\n\n# why\nif due(i):\n    step()\n"
    assert read(text).ends == {5: "4"}


def test_a_comment_in_a_string_tells_nothing() -> None:
    assert read('x = "# gradlint: assume opt=optimizer"\n') is NOTHING


def test_a_comment_goes_before_the_configuration() -> None:
    assert read("x()  # gradlint: assume a=model\n", a="optimizer", b="step").roles == {"a": "model", "b": "step"}


def test_it_is_no_comment_that_silences() -> None:
    assert Suppressions.parse("x()  # gradlint: assume a=model\n") == Suppressions()
    assert assumes("# gradlint: assume a=model")
    assert not assumes("# gradlint: assumed")


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("assume", "`assume` tells nothing; write `assume NAME=ROLE`"),
        ("assume opt", "`assume opt` is not understood; write `assume NAME=ROLE`"),
        ("assume opt=", "`assume opt=` is not understood"),
        ("assume 4=opt", "`assume 4=opt` is not understood"),
        ("assume opt=optimiser", "`assume opt=optimiser`: unknown role 'optimiser'; did you mean 'optimizer'?"),
        ("assume opt=-1", "`assume opt=-1`: unknown role '-1'"),
        ("assume window=1", "`assume window=1`: a window has 2 to 64 micro-batches"),
        ("assume window=a/b", "`assume window=a/b`: a window is a name or a number"),
        ("assume after=f()", "`assume after=f()`: write the name of the function that is called before"),
        ("assume after=forwrd", "`assume after=forwrd`: no function of this file is called so"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(comment: str, message: str) -> None:
    text = f"loss.backward()\nstep()  # gradlint: {comment}\n"
    ((row, told_of_it),) = faults(text)
    assert row == 2
    assert told_of_it.startswith(message)
    warnings = check_text(text, "a.py", Settings()).warnings
    assert [(one.path, one.message) for one in warnings] == [("a.py:2", told_of_it)]


def test_one_wrong_item_leaves_the_others() -> None:
    text = "def f():\n    step()  # gradlint: assume a=optimiser, b=optimizer, after=f\n"
    assert read(text).roles == {"b": "optimizer"}
    assert len(faults(text)) == 1


def test_a_file_without_a_loop_is_told_too() -> None:
    (warning,) = check_text("x = 1  # gradlint: assume opt=optimiser\n", "a.py", Settings()).warnings
    assert warning.path == "a.py:1"


# Names


def test_a_name_counts_for_all_that_ends_in_it() -> None:
    assert endings("a.b.c") == ["a.b.c", "b.c", "c"]
    known = read("", opt="optimizer", **{"self.net": "model"})
    assert (known.role("opt"), known.role("self.opt"), known.role("opt.x")) == ("optimizer", "optimizer", "")
    assert (known.role("self.net"), known.role("net"), known.role("other.net")) == ("model", "", "")


def test_every_role_means_something() -> None:
    assert set(ROLES) == set(OBJECTS) | set(FUNCTIONS)
    assert set(TOLD_ROLES) == set(OBJECTS)
    assert set(FUNCTIONS) <= set(TOLD_EFFECTS) <= set(ROLES)


def test_a_function_that_runs_backward_makes_a_file_worth_a_look() -> None:
    assert tokens("x()  # gradlint: assume run=backward, opt=optimizer\n") == ("run",)
    assert Custom(roles=(("self.run", "update"), ("opt", "optimizer"))).tokens == ("run",)
    text = "for x in loader:\n    run(model(x).mean())  # gradlint: assume run=backward\n    optimizer.step()\n"
    assert check_text(text, "a.py", Settings()).regions == 1
    assert check_text(text.replace("  # gradlint: assume run=backward", ""), "a.py", Settings()).regions == 0


# What the dry run makes of it


def events(text: str, **roles: str) -> list[tuple[str, str]]:
    """(kind, subject) of what happens in the first world of the first region, each once."""
    with using(Custom(roles=tuple(roles.items()))):
        (region, *_) = trace_text(text, "a.py", None)
    return list(dict.fromkeys((event.kind, event.subject) for event in region.scenarios[0].events))


def details(text: str, **roles: str) -> list[str]:
    """The remarks on what happens in the first world of the first region."""
    with using(Custom(roles=tuple(roles.items()))):
        (region, *_) = trace_text(text, "a.py", None)
    return [event.detail for event in region.scenarios[0].events]


LOOP = """
def train(loader, {given}):
    {setup}
    for x in loader:
        loss = net(x).mean()
        {backward}
        {step}
"""


def loop(given: str = "box", setup: str = "pass", backward: str = "loss.backward()", step: str = "opt.step()") -> str:
    return LOOP.format(given=given, setup=setup, backward=backward, step=step)


@pytest.mark.parametrize(
    ("setup", "step", "name"),
    [
        ("opt = box['mover']", "opt.step()", "opt"),
        ("opt = getattr(box, name)", "opt.step()", "opt"),
        ("pass", "box.solver.step()", "box.solver"),
        ("pass", "box['solver'].step()", "box.solver"),
        ("pass", "box.solvers[0].step()", "box.solvers"),
        ("solver = None", "solver.step()", "solver"),
        ("solvers = box.solvers", "[solver.step() for solver in solvers]", "solver"),
    ],
)
def test_an_optimizer_by_its_name(setup: str, step: str, name: str) -> None:
    text = loop(setup=setup, step=step)
    assert "step" not in {kind for kind, _ in events(text)}
    assert "step" in {kind for kind, _ in events(text, **{name: "optimizer"})}


def test_what_makes_an_optimizer() -> None:
    text = loop(setup="sgd = tools.build(box)", step="sgd.step()")
    assert ("step", "sgd") not in events(text)
    assert ("step", "sgd") in events(text, **{"tools.build": "optimizer"})


def test_an_optimizer_that_the_file_defines_itself() -> None:
    cls = "class Mover:\n    def step(self):\n        self.moves += 1\n"
    text = cls + loop(setup="mover = Mover()", step="mover.step()")
    assert "step" not in {kind for kind, _ in events(text)}
    assert ("step", "mover") in events(text, mover="optimizer")


def test_a_scaler_by_its_name() -> None:
    text = loop(setup="g = box.g", backward="g.scale(loss).backward()", step="g.step(optimizer)")
    assert "scaled" not in trace(text)
    assert {"weight 1, scaled", "via scaler"} <= set(details(text, g="scaler"))


def test_a_network_in_ddp() -> None:
    text = loop(given="net, optimizer", step="optimizer.step()")
    plain, told_so = trace(text), trace(text, net="ddp")
    assert ("all-reduce" in plain, "all-reduce" in told_so) == (False, True)


def test_a_function_that_wraps() -> None:
    text = loop(given="net, optimizer", setup="net = spread(net)", step="optimizer.step()")
    assert ("all-reduce" in trace(text), "all-reduce" in trace(text, spread="ddp")) == (False, True)
    assert "no all-reduce" not in trace(text, spread="fsdp")


WRAPPED = """
from lib import wrap, get_net, make_optimizer

def train(loader, args):
    net = {made}
    optimizer = make_optimizer(net)
    for x in loader:
        net(x).mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "roles"),
    [
        ("wrap(get_net())", {"wrap": "ddp"}),
        ("wrap(get_net())", {"get_net": "model", "wrap": "ddp"}),
        ("wrap(get_net(), args.gpu)", {"lib.wrap": "fsdp"}),
        ("wrap(args)", {"wrap": "ddp"}),
        ("get_net()", {"get_net": "ddp"}),
        ("args.tools.get_net()", {"tools.get_net": "ddp"}),
    ],
)
def test_a_function_that_wraps_what_nobody_knows(made: str, roles: dict[str, str]) -> None:
    text = WRAPPED.format(made=made)
    assert ("all-reduce" in trace(text), "all-reduce" in trace(text, **roles)) == (False, True)


def test_a_comment_on_a_function_that_wraps() -> None:
    text = WRAPPED.format(made="wrap(get_net())  # gradlint: assume wrap=ddp")
    assert "all-reduce" in trace(text)


TWO = """
from lib import build
from torch.optim import SGD

def train(loader, args):
    one = build(args)
    other = build(args)
    moves, others = SGD(one.parameters()), SGD(other.parameters())
    for x in loader:
        one(x).mean().backward()
        moves.step()
        moves.zero_grad()
        other(x).mean().backward()
        others.step()
"""


def test_networks_that_are_made_at_two_places_are_two() -> None:
    settings = Settings(custom=Custom(roles=(("build", "ddp"),)))
    assert [finding.rule for finding in check_text(TWO, "a.py", settings).findings] == ["missing-zero-grad"]


@pytest.mark.parametrize("brought", ["", "from nets import net"], ids=["a variable", "imported"])
def test_a_network_that_is_called_is_none_that_makes_one(brought: str) -> None:
    given = "optimizer" if brought else "net, optimizer"
    text = f"{brought}\n" + loop(given=given, backward="(net(x).mean() / 2).backward()", step="optimizer.step()")
    assert "weight 1/2" in trace(text, net="ddp")
    warmed = text.replace("pass", "net(torch.zeros(1)); optimizer.zero_grad()")
    assert "weight 1/2" in trace(warmed, net="ddp")


def trace(text: str, **roles: str) -> str:
    return " ".join(details(text, **roles))


def test_a_sampler_and_a_loader_by_their_names() -> None:
    text = """
def train(box, optimizer):
    for epoch in range(9):
        box.s.set_epoch(epoch)
        for x in box.d:
            net(x).mean().backward()
            optimizer.step()
"""
    assert ("set_epoch", "*") in events(text, **{"box.s": "sampler", "box.d": "loader"})


SAMPLED = """
from torch.utils.data import DataLoader
from lib import mk

def train(net, data, optimizer, several):
    sampler = {made}
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(9):
        {told}
        for x in loader:
            net(x).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
"""


def sampled(made: str = "mk(data)", told: str = "pass", text: str = SAMPLED, **roles: str) -> list[str]:
    custom = Custom(roles=tuple(roles.items()))
    found = check_text(text.format(made=made, told=told), "a.py", Settings(custom=custom)).findings
    return [finding.rule for finding in found]


@pytest.mark.parametrize(
    ("made", "roles"),
    [
        ("mk(data)", {"mk": "sampler"}),
        ("mk(data)", {"lib.mk": "sampler"}),
        ("mk(data)", {"sampler": "sampler"}),
        ("mk(data) if several else None", {"sampler": "sampler"}),
        ("mk(data)  # gradlint: assume sampler=sampler", {}),
    ],
)
def test_a_sampler_by_the_name_it_is_assigned_to(made: str, roles: dict[str, str]) -> None:
    assert sampled(made.partition("#")[0]) == []
    assert sampled(made, **roles) == ["missing-set-epoch"]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("mk(data, shuffle=False)", "pass"),
        ("mk(data)", "sampler.set_epoch(epoch)"),
        ("mk(data)", "loader.sampler.set_epoch(epoch)"),
        ("mk(data) if several else None", "if several: sampler.set_epoch(epoch)"),
        ("mk(data) if several else None", "if sampler is not None: sampler.set_epoch(epoch)"),
        ("data.sampler", "pass"),
        ("data.get('sampler')", "pass"),
        ("getattr(data, 'sampler')", "pass"),
        ("None", "pass"),
    ],
)
def test_a_sampler_that_is_told_the_epoch_or_is_not_made_in_sight(made: str, told: str) -> None:
    assert sampled(made, told, sampler="sampler") == []


def test_a_sampler_that_the_file_makes_itself_speaks_for_itself() -> None:
    own = "class mk:\n    def __iter__(self):\n        self.epoch += 1\n        return iter(shuffled(self.epoch))\n"
    assert sampled(text=SAMPLED.replace("from lib import mk", own), sampler="sampler") == []


def test_a_call_that_steps() -> None:
    text = loop(given="net, optimizer", step="box.go(optimizer)")
    assert "step" not in {kind for kind, _ in events(text)}
    assert ("step", "optimizer") in events(text, **{"box.go": "step"})


def test_a_call_that_steps_by_the_rules_of_the_scaler() -> None:
    text = loop(given="net, scaler", backward="scaler.scale(loss).backward()", step="box.go()")
    found = [kind for kind, _ in events(text, **{"box.go": "step"})]
    assert found[found.index("backward") + 1 :] == ["unscale", "step", "scaler update", "opaque"]


def test_what_a_call_that_steps_does_besides_is_a_doubt() -> None:
    text = loop(given="net, optimizer", step="box.go(optimizer); note = zero")
    for pedantic, expected in ((False, []), (True, ["missing-zero-grad"])):
        settings = Settings(pedantic=pedantic, custom=Custom(roles=(("box.go", "step"),)))
        assert [finding.rule for finding in check_text(text, "a.py", settings).findings] == expected


def test_a_call_that_makes_whole_updates_is_none_of_another_optimizer() -> None:
    text = loop(given="net, optimizer", backward="inner.step(loss); loss.backward()", step="optimizer.step()")
    assert ("step", "inner.step") in events(text, **{"inner.step": "update"})


def test_a_call_that_runs_backward() -> None:
    text = loop(given="net, optimizer", backward="run(loss)", step="optimizer.step()")
    assert "backward" in {kind for kind, _ in events(text, run="backward")}


def test_a_call_that_makes_whole_updates() -> None:
    text = loop(given="net", backward="self.update(loss)", step="pass")
    found = [kind for kind, _ in events(text, **{"self.update": "update"})]
    assert found[-3:] == ["backward", "step", "zero_grad"]


def test_a_call_that_clears() -> None:
    text = loop(given="net, optimizer", backward="wipe(optimizer); loss.backward()", step="optimizer.step()")
    assert ("zero_grad", "optimizer") in events(text, wipe="clear")
    assert ("zero_grad", "wipe()") in events(text.replace("wipe(optimizer)", "wipe()"), wipe="clear")


def test_a_call_that_is_harmless() -> None:
    text = loop(given="net, optimizer", backward="loss.backward(); peek_gradients(optimizer)", step="optimizer.step()")
    assert "opaque" in {kind for kind, _ in events(text)}
    assert "opaque" not in {kind for kind, _ in events(text, peek_gradients="harmless")}


def test_a_number() -> None:
    text = """
def train(net, loader, optimizer, k):
    for x in loader:
        for _ in range(k):
            net(x).mean().backward()
        optimizer.step()  # gradlint: assume k=2
"""
    region = trace_text(text, "a.py", None)[0]
    assert sum(event.kind == "backward" for event in region.scenarios[0].events) == 2 * sum(
        event.kind == "step" for event in region.scenarios[0].events
    )


WINDOW = """
def train(net, loader, optimizer, args, due):
    for i, x in enumerate(loader):
        (net(x).mean() / args.many).backward()
        if due(i):{comment}
            optimizer.step()
            optimizer.zero_grad()
"""


def test_a_window_whose_end_is_told() -> None:
    told_so = WINDOW.format(comment="  # gradlint: assume window=args.many")
    (region,) = trace_text(told_so, "a.py", None)
    assert region.bindings == (("args.many", 3),)
    assert {event.detail for event in region.scenarios[0].events if event.kind == "backward"} == {"weight 1/3"}
    assert region.scenarios[0].ledgers[0].executed == region.scenarios[0].ledgers[0].meant
    assert check_text(told_so, "a.py", Settings(pedantic=True)).findings == ()


def test_a_window_that_is_told_by_its_number() -> None:
    (region,) = trace_text(WINDOW.format(comment="  # gradlint: assume window=5"), "a.py", None)
    assert region.scenarios[0].ledgers[0].executed.windows == (5,)


def test_a_window_anywhere_else_is_a_name_or_a_size() -> None:
    text = WINDOW.replace("due(i)", "i % args.many == args.many - 1").format(comment="")
    assert trace_text(text + "# gradlint: assume window=5\n", "a.py", None)[0].bindings == (("args.many", 5),)


HALVES = """
class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer

    def forward(self, x):
        self.net(x).mean().backward()

    def update(self):{comment}
        self.optimizer.step()
"""


def test_a_function_that_is_called_after_another() -> None:
    assert len(trace_text(HALVES.format(comment=""), "a.py", None)) == 2
    (region,) = trace_text(HALVES.format(comment="  # gradlint: assume after=forward"), "a.py", None)
    kinds = [event.kind for event in region.scenarios[0].events]
    assert kinds[:3] == ["forward", "backward", "step"]
    found = check_text(HALVES.format(comment="  # gradlint: assume after=forward"), "a.py", Settings()).findings
    assert [finding.rule for finding in found] == []
    assert check_text(HALVES.format(comment=""), "a.py", Settings()).unjudged
