"""Edits inside a statement: the loss, an argument, a pair of parentheses."""

from __future__ import annotations

from typing import get_args

import pytest

from fix.edits import at, done, refused
from gradlint.fix.realise import _CARRY_OUT
from gradlint.model.edits import Argument, Call, Change, Choose, Detach, Divisor, Iterate, Loss, Replace, Undivide


def test_every_edit_of_the_vocabulary_can_be_carried_out() -> None:
    assert set(_CARRY_OUT) == set(get_args(Change))


# Replace and Call


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("opt.step()  # now\n", "scaler.step(opt)  # now\n"),
        ("a(); opt.step(); b()\n", "a(); scaler.step(opt); b()\n"),
        ("if a: opt.step()\n", "if a: scaler.step(opt)\n"),
        ("x = [\n    opt.step(),  # é\n]\n", "x = [\n    scaler.step(opt),  # é\n]\n"),
        ("é = 1; x = opt.step()\n", "é = 1; x = scaler.step(opt)\n"),
    ],
)
def test_an_expression_is_replaced_where_it_stands(text: str, after: str) -> None:
    head = "opt = scaler = 1\n"
    assert done(head + text, Replace(at("opt.step()"), "scaler.step(opt)")) == head + after


def test_a_replacement_by_a_name_that_nobody_knows_is_refused() -> None:
    assert refused("opt.step()\n", Replace(at("opt.step()"), "scaler.step(1)")) == "`scaler` is not at hand there"


def test_half_an_expression_is_no_place() -> None:
    assert refused("opt.step()\n", Replace(at("step()"), "f()")) == "the place holds no whole expression"


def test_two_edits_of_one_place_overlap() -> None:
    twice = Replace(at("opt.step()"), "print()")
    assert refused("opt.step()\n", twice, twice) == "two edits overlap"


@pytest.mark.parametrize("text", ["opt.zero_grad\n", "if a: opt.zero_grad  # why\n", "a; opt.zero_grad; b\n"])
def test_parentheses_are_added(text: str) -> None:
    assert done(text, Call(at("opt.zero_grad"))) == text.replace("opt.zero_grad", "opt.zero_grad()")


# The loss in a backward call

LOOP = """\
from m import accumulation as n, scaler, loader, net, opt, accelerator, f
for i, x in enumerate(loader):
    loss = net(x)
    {}
    if (i + 1) % n == 0:
        opt.step()
"""
WINDOW = at("if (i + 1) % n == 0:\n        opt.step()")


@pytest.mark.parametrize(
    ("backward", "after"),
    [
        ("loss.backward()", "(loss / n).backward()"),
        ("loss.backward(retain_graph=True)  # keep", "(loss / n).backward(retain_graph=True)  # keep"),
        ("(loss).backward()", "(loss / n).backward()"),
        ("(loss + f(x)).backward()", "((loss + f(x)) / n).backward()"),
        ("(loss * 2).backward()", "(loss * 2 / n).backward()"),
        ("(loss if x else f(x)).backward()", "((loss if x else f(x)) / n).backward()"),
        ("net(x).mean().backward()", "(net(x).mean() / n).backward()"),
        ("scaler.scale(loss).backward()", "scaler.scale(loss / n).backward()"),
        ("scaler.scale(loss + f(x)).backward()", "scaler.scale((loss + f(x)) / n).backward()"),
        ("accelerator.backward(loss)", "accelerator.backward(loss / n)"),
        ("accelerator.backward(loss, retain_graph=True)", "accelerator.backward(loss / n, retain_graph=True)"),
        ("f(loss).backward()", "(f(loss) / n).backward()"),
    ],
)
def test_the_loss_is_divided_by_what_the_guard_counts_to(backward: str, after: str) -> None:
    call = backward.partition("  #")[0]
    edit = Loss(at(call), "{} / {window}", WINDOW)
    assert done(LOOP.replace("{}", backward), edit) == LOOP.replace("{}", after)


@pytest.mark.parametrize(
    ("made", "given", "after"),
    [
        ("[net(x), f(x)]", "losses", "[loss / n for loss in losses]"),
        ("[f(one) for one in x]", "losses", "[loss / n for loss in losses]"),
        ("net(x)", "[losses, f(x) + 1]", "[losses / n, (f(x) + 1) / n]"),
        ("net(x)", "(losses, f(x))", "[losses / n, f(x) / n]"),
        ("net(x)", "[f(one) for one in x]", "[loss / n for loss in [f(one) for one in x]]"),
        ("net(x)", "losses", "losses / n"),
    ],
)
def test_each_loss_of_a_list_is_divided(made: str, given: str, after: str) -> None:
    text = LOOP.replace("loss = net(x)", f"losses = {made}").replace("{}", "torch.autograd.backward({})")
    text = f"import torch\n{text}"
    edit = Loss(at(f"torch.autograd.backward({given})"), "{} / {window}", WINDOW)
    assert done(text.replace("{}", given), edit) == text.replace("{}", after)


@pytest.mark.parametrize(
    ("guard", "divisor"),
    [
        ("(i + 1) % n == 0", "n"),
        ("i % cfg['steps'] == cfg['steps'] - 1", "cfg['steps']"),
        ("not (i + 1) % self.n", "self.n"),
        ("(i + 1) % (a * b) == 0", "(a * b)"),
        ("(i + 1) % 4 == 0 or i + 1 == len(loader)", "4"),
        ("count >= n", "n"),
        ("count == n - 1", "(n - 1)"),
    ],
)
def test_windows_as_guards_write_them(guard: str, divisor: str) -> None:
    text = (
        f"n = a = b = cfg = self = count = 1\nfor i in loader:\n    loss.backward()\n    if {guard}:\n        step()\n"
    )
    edit = Loss(at("loss.backward()"), "{} / {window}", at(f"if {guard}:\n        step()"))
    assert f"(loss / {divisor}).backward()" in done(text, edit)


def test_a_guard_behind_a_name_is_looked_up() -> None:
    text = "def f(i, n):\n    last = (i + 1) % n == 0\n    loss.backward()\n    if last:\n        step()\n"
    edit = Loss(at("loss.backward()"), "{} / {window}", at("if last:\n        step()"))
    assert "    (loss / n).backward()\n" in done(text, edit)


def test_a_counted_loop_is_a_window() -> None:
    text = "k = 4\nfor micro in range(2 * k):\n    loss.backward()\nstep()\n"
    edit = Loss(at("loss.backward()"), "{} / {window}")
    assert "    (loss / (2 * k)).backward()\n" in done(text, edit)


def test_a_loop_over_a_list_is_a_window() -> None:
    text = "batches = []\nfor micro in batches:\n    loss.backward()\nstep()\n"
    assert "    (loss / len(batches)).backward()\n" in done(text, Loss(at("loss.backward()"), "{} / {window}"))


@pytest.mark.parametrize(
    ("text", "boundary", "reason"),
    [
        ("loss.backward()\n", None, "no loop in this function says how long the window is"),
        ("for x in iter(f()):\n    loss.backward()\n", None, "what the loop iterates has no plain name"),
        (
            "if done(i):\n    loss.backward()\n",
            at("if done(i):\n    loss.backward()"),
            "the guard of the step does not name the window's length",
        ),
    ],
)
def test_a_loss_that_cannot_be_divided(text: str, boundary: object, reason: str) -> None:
    edit = Loss(at("loss.backward()"), "{} / {window}", boundary)  # type: ignore[arg-type]
    assert reason in refused(text, edit)


def test_a_loss_is_scaled() -> None:
    text = "scaler = net = 1\nloss.backward()\n(net(1) + 2).backward()\n"
    once = done(text, Loss(at("loss.backward()"), "scaler.scale({})"))
    assert once == text.replace("loss.backward()", "scaler.scale(loss).backward()")
    assert done(once, Loss(at("(net(1) + 2).backward()"), "scaler.scale({})")) == once.replace(
        "(net(1) + 2).backward()", "scaler.scale(net(1) + 2).backward()"
    )


def test_a_scaled_loss_that_was_thrown_away_goes() -> None:
    text = "scaler = 1\nscaler.scale(loss)\nloss.backward()\n"
    assert done(text, Loss(at("loss.backward()"), "scaler.scale({})")) == "scaler = 1\nscaler.scale(loss).backward()\n"


def test_a_change_only_where_a_condition_holds() -> None:
    text = "scaler = opt = amp = 1\n# spend\nopt.step()\nlog()\n"
    change = Replace(at("opt.step()"), "scaler.step(opt)")
    assert done(text, Choose("amp", change, "scaler.update()")) == (
        "scaler = opt = amp = 1\n# spend\n"
        "if amp:\n    scaler.step(opt)\n    scaler.update()\nelse:\n    opt.step()\nlog()\n"
    )
    assert refused(text, Choose("use_amp", change)) == "`use_amp` is not at hand there"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("(loss / n).backward()\n", "loss.backward()\n"),
        ("(f(x) / n).backward()\n", "f(x).backward()\n"),
        ("((a + b) / n).backward()\n", "(a + b).backward()\n"),
        ("scaler.scale(loss / n).backward()\n", "scaler.scale(loss).backward()\n"),
        ("accelerator.backward(loss / n)\n", "accelerator.backward(loss)\n"),
        ("loss = net(x) / n\nloss.backward()\n", "loss = net(x)\nloss.backward()\n"),
        ("loss /= n  # mean\nloss.backward()\n", "loss.backward()\n"),
        ("loss = loss / n\nloss.backward()\n", "loss.backward()\n"),
    ],
)
def test_a_division_is_taken_out(text: str, after: str) -> None:
    call = text.splitlines()[-1]
    assert done(text, Undivide(at(call))) == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("loss.backward()\n", "the division of the loss cannot be found"),
        ("(loss * n).backward()\n", "the loss is not divided in the backward call"),
        ("loss /= n\nloss /= m\nloss.backward()\n", "the division of the loss cannot be found"),
    ],
)
def test_a_division_that_is_not_there(text: str, reason: str) -> None:
    assert refused(text, Undivide(at(text.splitlines()[-1]))) == reason


@pytest.mark.parametrize(
    ("backward", "after"),
    [
        ("(loss / len(loader)).backward()", "(loss / n).backward()"),
        ("(loss / (8 * 2)).backward()", "(loss / n).backward()"),
        ("loss /= 8\n    loss.backward()", "loss /= n\n    loss.backward()"),
        ("scaler.scale(loss / 8).backward()", "scaler.scale(loss / n).backward()"),
    ],
)
def test_another_divisor(backward: str, after: str) -> None:
    edit = Divisor(at(backward.splitlines()[-1].strip()), WINDOW)
    assert done(LOOP.replace("{}", backward), edit) == LOOP.replace("{}", after)


def test_a_divisor_that_is_not_there() -> None:
    text = LOOP.replace("{}", "loss.backward()")
    assert refused(text, Divisor(at("loss.backward()"), WINDOW)) == "the division cannot be found"


# Iterate and Argument


def test_the_value_that_is_used_up_is_kept_in_a_list() -> None:
    text = "params = net.parameters()\nopt = SGD(params)\nclip(params, 1.0)\n"
    assert done(text, Iterate(at("clip(params, 1.0)"))) == text.replace("net.parameters()", "list(net.parameters())")


def test_a_generator_becomes_a_list() -> None:
    text = "params = (p for p in net.parameters() if p.requires_grad)\nclip(params, 1.0)\n"
    after = "params = [p for p in net.parameters() if p.requires_grad]\nclip(params, 1.0)\n"
    assert done(text, Iterate(at("clip(params, 1.0)"))) == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("clip(net.parameters(), 1.0)\n", "the parameters have no name"),
        ("clip(params, 1.0)\n", "the iterator is made in another place or in several"),
        ("params = f()\nparams = g()\nclip(params, 1.0)\n", "the iterator is made in another place or in several"),
    ],
)
def test_an_iterator_that_is_made_elsewhere(text: str, reason: str) -> None:
    assert refused(text, Iterate(at(text.splitlines()[-1]))) == reason


HELD = "params = net.parameters()\n{}\nopt = SGD(params)\nclip(params, 1.0)\n"
FILTERED = HELD.replace("net.parameters()", "filter(lambda p: p.requires_grad, net.parameters())")
PARTS = "a part of what the iterator gives is taken by itself"
CHANGED = "the model may get other parameters before the iterator is first used"
ELSEWHERE = "where the iterator is first used cannot be seen"


@pytest.mark.parametrize(
    "between",
    [
        "net = net.to(device)",
        "net.train()",
        "net.steps = 0",
        "net.fc.weight.data = x",
        "net.fc.weight.grad = None",
        "nn.init.zeros_(net.fc.weight)",
        "net.load_state_dict(saved)",
        "print(net, sum(p.numel() for p in net.parameters()))",
        "for p in net.body.parameters():\n    p.requires_grad = False",
        "net.requires_grad_(False)",
        "target = deepcopy(net)",
        "ddp = DistributedDataParallel(net)",
        "out = net(x)\nout.detach()",
        "other.head = nn.Linear(2, 2)",
        "def grow():\n    net.head = f()",
        "net = build()",
    ],
)
def test_what_leaves_a_model_its_parameters(between: str) -> None:
    text = HELD.format(between)
    assert done(text, Iterate(at("clip(params, 1.0)"))) == text.replace(
        "params = net.parameters()", "params = list(net.parameters())"
    )


@pytest.mark.parametrize(
    "between",
    [
        "net.head = nn.Linear(2, 2)",
        "net.head = None",
        "net.body.fc.weight = nn.Parameter(x)",
        "net.layers[0] = f()",
        "del net.head",
        "setattr(net, 'head', f())",
        "net.add_module('head', f())",
        "net.layers.append(f())",
        "net.prune()",
        "grow(net)",
        "Trainer(model=net)",
        "net.load_state_dict(saved, assign=True)",
        "other = net\nother.head = f()",
        "nets = {'a': net}\nnets['a'].head = f()",
        "for one in net.children():\n    one.fc = f()",
        "if c:\n    net.head = f()",
        "with g(net):\n    pass",
        "def grow():\n    net.head = f()\ngrow()",
    ],
)
def test_what_may_give_a_model_other_parameters(between: str) -> None:
    """Then the list is made where the iterator is first used, and finds what that finds."""
    text = HELD.format(between)
    assert refused(text, Iterate(at("clip(params, 1.0)"))) == CHANGED
    late = text.replace("opt =", "params = list(params)\nopt =")
    assert done(text, Iterate(at("clip(params, 1.0)"), late=True)) == late
    now = text.replace("params = net.parameters()", "params = list(net.parameters())")
    assert done(text, Iterate(at("clip(params, 1.0)"), anyway=True)) == now


@pytest.mark.parametrize(
    "between",
    [
        "first = next(params)",
        "few = list(islice(params, 2))",
        "frozen = w in params",
        "first = params.__next__()",
        "for p in params:\n    if p.dim() > 1:\n        break",
    ],
)
def test_an_iterator_of_which_a_part_is_taken_becomes_a_list_behind_that(between: str) -> None:
    """A list has no `next`, and gives what was taken once more."""
    text = HELD.format(between)
    assert refused(text, Iterate(at("clip(params, 1.0)"))) == PARTS
    assert refused(text, Iterate(at("clip(params, 1.0)"), anyway=True)) == PARTS
    late = text.replace("opt =", "params = list(params)\nopt =")
    assert done(text, Iterate(at("clip(params, 1.0)"), late=True)) == late


def test_an_iterator_of_which_a_part_is_taken_later_stays() -> None:
    text = HELD.format("").replace("clip(params", "first = next(params)\nclip(params")
    assert refused(text, Iterate(at("clip(params, 1.0)"))) == PARTS
    assert refused(text, Iterate(at("clip(params, 1.0)"), late=True)) == ELSEWHERE


def test_an_iterator_that_is_only_asked_whether_it_is_there_becomes_a_list() -> None:
    text = HELD.format("assert params is not None")
    assert "params = list(net.parameters())" in done(text, Iterate(at("clip(params, 1.0)")))


@pytest.mark.parametrize(
    ("between", "value"),
    [
        ("for p in net.body.parameters():\n    p.requires_grad = False", FILTERED),
        ("freeze.requires_grad_(False)", FILTERED),
        ("loss.backward()", HELD.replace("net.parameters()", "(p for p in net.parameters() if p.grad is not None)")),
        ("f()", HELD.replace("net.parameters()", "(p for p in net.parameters() if wanted(p))")),
        ("size = 3", HELD.replace("net.parameters()", "(p for p in net.parameters() if p.numel() > size)")),
    ],
)
def test_what_a_filter_asks_may_have_another_answer(between: str, value: str) -> None:
    assert refused(value.format(between), Iterate(at("clip(params, 1.0)"))) == CHANGED


@pytest.mark.parametrize(
    ("between", "value"),
    [
        ("net = net.to(device)", FILTERED),
        ("f()", HELD.replace("net.parameters()", "(p for p in net.parameters() if p.dim() > 1)")),
        ("f()", HELD.replace("net.parameters()", "(p for n, p in net.named_parameters() if not n.endswith('bias'))")),
    ],
)
def test_what_a_filter_asks_has_the_same_answer(between: str, value: str) -> None:
    assert "list(" in done(value.format(between), Iterate(at("clip(params, 1.0)"))).replace("= [", "= list([")


@pytest.mark.parametrize(
    ("rest", "late", "reason"),
    [
        ("def go():\n    clip(params, 1.0)\n", False, ELSEWHERE),
        ("if c:\n    clip(params, 1.0)\n", False, ELSEWHERE),
        ("for x in xs:\n    net.grow()\n    clip(params, 1.0)\n", False, CHANGED),
        ("for x in xs:\n    net.grow()\n    clip(params, 1.0)\n", True, ELSEWHERE),
        ("held = params\nnet.grow()\nclip(held, 1.0)\n", False, CHANGED),
        ("held = params\nnet.grow()\nclip(held, 1.0)\n", True, ELSEWHERE),
    ],
)
def test_where_an_iterator_is_first_used(rest: str, late: bool, reason: str) -> None:
    clip = "clip(held, 1.0)" if "held" in rest else "clip(params, 1.0)"
    assert refused(f"params = net.parameters()\n{rest}", Iterate(at(clip), late)) == reason


KEPT = """\
class Agent:
    def __init__(self, critic):
        self.critic, self.actor = critic, Actor()
        self.weights = chain(critic.parameters(), self.actor.parameters())
        self.steps = 0
        {init}

    def learn(self, x):
        self.share(self.critic(x))
        {learn}
        clip(self.weights, 1.0)

    def share(self, loss):
        {share}
        loss.backward()


def share(net):
    {helper}


def main():
    {before}
    agent = Agent(net)
    {after}
    agent.learn(x)
"""
QUIET = dict.fromkeys(("init", "learn", "share", "helper", "before", "after"), "log()")


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"init": "self.optimizer = SGD(self.actor.parameters())", "learn": "self.actor.train()"},
        {"init": "share(critic)", "helper": "net.eval()"},
        {"before": "net.head = f()"},
        {"after": "agent.steps = 1"},
        {"after": "agent.share(1)"},
        {"after": "other.head = f()"},
        {"after": "print(net)"},
    ],
)
def test_an_iterator_that_an_object_keeps(others: dict[str, str]) -> None:
    text = KEPT.format(**QUIET | others)
    after = text.replace("= chain(critic.parameters(), self.actor.parameters())", "= list({})").format(
        "chain(critic.parameters(), self.actor.parameters())"
    )
    assert done(text, Iterate(at("clip(self.weights, 1.0)"))) == after


@pytest.mark.parametrize(
    "others",
    [
        {"init": "self.actor.head = f()"},
        {"init": "share(critic)", "helper": "net.head = f()"},
        {"init": "self.share(1)", "share": "self.critic.head = f()"},
        {"init": "self.unseen()"},
        {"learn": "self.critic.add_module('head', f())"},
        {"share": "self.actor.head = f()"},
        {"after": "net.head = f()"},
        {"after": "agent.actor.head = f()"},
        {"after": "share(agent)", "helper": "net.actor.head = f()"},
        {"after": "unseen(net)"},
    ],
)
def test_an_iterator_that_an_object_keeps_while_its_models_grow(others: dict[str, str]) -> None:
    text = KEPT.format(**QUIET | others)
    assert refused(text, Iterate(at("clip(self.weights, 1.0)"))) == CHANGED


OFF = Argument("scaler", "GradScaler", "enabled", "False")


@pytest.mark.parametrize(
    ("made", "after"),
    [
        ("GradScaler()", "GradScaler(enabled=False)"),
        ('torch.amp.GradScaler("cuda")', 'torch.amp.GradScaler("cuda", enabled=False)'),
        ("GradScaler(enabled=amp)", "GradScaler(enabled=False)"),
        ("GradScaler(\n    init_scale=2.0,  # é\n)", "GradScaler(\n    init_scale=2.0,  # é\n    enabled=False,\n)"),
    ],
)
def test_an_argument(made: str, after: str) -> None:
    assert done(f"scaler = {made}\n", OFF) == f"scaler = {after}\n"


@pytest.mark.parametrize("text", ["other = GradScaler()\n", "scaler = GradScaler()\nscaler = GradScaler()\n"])
def test_an_object_that_is_made_elsewhere(text: str) -> None:
    assert refused(text, OFF) == "the GradScaler is made in another place or in several"


# Detach


@pytest.mark.parametrize(
    ("kept", "after"),
    [
        ("total += loss", "total += loss.detach()"),
        ("total += loss  # é", "total += loss.detach()  # é"),
        ("total = total + loss", "total = total + loss.detach()"),
        ("total = loss + total", "total = loss.detach() + total"),
        ("total += loss * len(x)", "total += loss.detach() * len(x)"),
        ("total += (a + b)", "total += (a + b).detach()"),
        ("losses.append(loss)", "losses.append(loss.detach())"),
        ("losses.append({'loss': loss, 'n': n})", "losses.append({'loss': loss.detach(), 'n': n})"),
        ("history['loss'] = loss", "history['loss'] = loss.detach()"),
    ],
)
def test_what_is_kept_is_detached(kept: str, after: str) -> None:
    text = "def f(x):\n    loss.backward()\n    {}\n"
    edit = Detach(at(kept.partition("  #")[0]))
    assert done(text.replace("{}", kept), edit) == text.replace("{}", after)


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        ("total: int", "the statement that keeps the loss has an unknown shape"),
        ("total += [a, b]", "the loss cannot be told from what else is kept"),
    ],
)
def test_what_is_kept_in_an_unknown_way(kept: str, reason: str) -> None:
    assert refused(f"loss.backward()\n{kept}\n", Detach(at(kept))) == reason


def test_what_was_put_together_elsewhere_is_no_tensor() -> None:
    text = "loss.backward()\npair = (loss, n)\npairs.append(pair)\n"
    assert refused(text, Detach(at("pairs.append(pair)"), parts=(0,))) == "what is kept was put together elsewhere"
