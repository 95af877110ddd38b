"""What a repair passes on the way: what works with a rate, what measures scaled gradients, who is given a norm."""

from __future__ import annotations

import difflib

import pytest

from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings


def moved(text: str) -> list[str]:
    """The changed lines of a safe repair, each with its neighbours."""
    result = fix_text(text, "loop.py", Settings()).text
    lines = list(difflib.unified_diff(text.splitlines(), result.splitlines(), lineterm="", n=1))[2:]
    return [f"{line[:1]}{line[1:].strip()}" for line in lines if not line.startswith("@@")]


def doubts(text: str) -> list[str]:
    """Why a repair is offered only where it is asked for."""
    applied = fix_text(text, "loop.py", Settings(), unsafe=True).applied
    return [one.fix.reason for one in applied if one.fix is not None]


# ------------------------------------------------------------------------------------ rates

EARLY = """
import torch
import torch.nn.functional as F


def shifted(model, x, size):
    out = model(x)
    return out - size * torch.autograd.grad(out.sum(), x, create_graph=True)[0]


def train(model, loader, turns, writer, log, bar, cfg, inner):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for turn in range(turns):
        sched.step()
        for x, y in loader:
            opt.zero_grad()
{body}
            opt.step()
        {tail}
"""
BACK = "            F.mse_loss(model(x), y).backward()"

TOLD = {
    "printed": f'            rate = sched.get_last_lr()[0]\n            print(f"{{rate:.4f}}")\n{BACK}',
    "logged": f'{BACK}\n            writer.add_scalar("rate", opt.param_groups[0]["lr"], turn)',
    "noted": f'            log["rate"] = sched.get_last_lr()[0]\n{BACK}',
    "a word": f"""\
            words = "{{:.3f}}".format(sched.get_last_lr()[0])
            bar.set_postfix(r=words)
{BACK}""",
    "rounded and printed": f"            rate = round(opt.param_groups[0]['lr'], 4)\n            print(rate)\n{BACK}",
    "a group is clipped": f"""\
{BACK}
            for group in opt.param_groups:
                torch.nn.utils.clip_grad_norm_(group["params"], 1.0)""",
    "settings have one of their own": f'            y = y + cfg["lr"] * torch.randn_like(y)\n{BACK}',
}


@pytest.mark.parametrize("name", TOLD)
def test_a_rate_that_is_told_on_the_way_stays_that_of_the_step(name: str) -> None:
    changed = [line for line in moved(EARLY.format(body=TOLD[name], tail="print(turn)")) if line[0] != " "]
    assert changed == ["-sched.step()", "+sched.step()"]


AS_LARGE = {
    "noise": """\
            noise = sched.get_last_lr()[0] * torch.randn_like(x)
            F.mse_loss(model(x + noise), y).backward()""",
    "a weight of the loss": """\
            rate = opt.param_groups[0]["lr"]
            loss = F.mse_loss(model(x), y)
            (loss + rate * loss.square()).backward()""",
    "a decay": f"""\
{BACK}
            for p in model.parameters():
                p.data.mul_(1 - 0.1 * sched.get_last_lr()[0])""",
    "a temperature": f"            model.heat = 0.1 + sched.get_last_lr()[0]\n{BACK}",
}


@pytest.mark.parametrize("name", AS_LARGE)
def test_what_is_as_large_as_the_rate_of_a_step_stays_so(name: str) -> None:
    changed = [line for line in moved(EARLY.format(body=AS_LARGE[name], tail="print(turn)")) if line[0] != " "]
    assert changed == ["-sched.step()", "+sched.step()"]


WORKED = {
    "a helper": "            F.mse_loss(shifted(model, x, sched.get_last_lr()[0]), y).backward()",
    "a helper by a name": """\
            size = sched.get_last_lr()[0]
            out = shifted(model, x, size)
            F.mse_loss(out, y).backward()""",
    "settings for a helper": """\
            own = {{**cfg, "size": sched.get_last_lr()[0]}}
            F.mse_loss(shifted(model, x, own["size"]), y).backward()""",
    "an inner step": """\
            fast = dict(model.named_parameters())
            slopes = torch.autograd.grad(F.mse_loss(model(x), y), list(fast.values()), create_graph=True)
            fast = {{name: p - opt.param_groups[0]["lr"] * g for (name, p), g in zip(fast.items(), slopes)}}
            F.mse_loss(torch.func.functional_call(model, fast, (x,)), y).backward()""",
    "another optimizer": f"""\
            for group in inner.param_groups:
                group["lr"] = sched.get_last_lr()[0]
{BACK}""",
    "another optimizer, half as fast": f"""\
            for group in inner.param_groups:
                group["lr"] = 0.5 * opt.param_groups[0]["lr"]
{BACK}""",
}


@pytest.mark.parametrize("name", WORKED)
def test_what_goes_down_by_a_rate_on_the_way_may_be_what_the_schedule_is_for(name: str) -> None:
    text = EARLY.format(body=WORKED[name].replace("{{", "{").replace("}}", "}"), tail="print(turn)")
    assert moved(text) == []
    assert any("works with its rate" in doubt for doubt in doubts(text))


COUNTED = """
import torch
import torch.nn.functional as F


def train(model, loader, turns):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda n: {factor})
    for turn in range(1, turns + 1):
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            opt.zero_grad()
            {one}
            {two}
            opt.step()
"""
FROM_ONE = ["1 / max(n, 1)", "1 / max(1.0, n)", "1 / n if n else 1.0", "1 / (n or 1)", "1.0 if n < 1 else n**-0.5"]
FROM_NOUGHT = ["1 / (1 + n)", "0.9**n", "0.5 ** (n // 2)", "0.9 ** max(0, n)", "1.0 if n < 3 else 0.1"]


@pytest.mark.parametrize("factor", FROM_ONE)
def test_a_schedule_may_be_counted_from_one(factor: str) -> None:
    """Between the forward and the backward it stands where it was put, and its function gives 0 what it gives 1."""
    text = COUNTED.format(factor=factor, one="sched.step()", two="loss.backward()")
    assert moved(text) == []
    assert any("count the moves from one" in doubt for doubt in doubts(text))


@pytest.mark.parametrize("factor", FROM_NOUGHT)
def test_a_schedule_that_is_counted_from_nought_moves_behind_the_step(factor: str) -> None:
    changed = moved(COUNTED.format(factor=factor, one="sched.step()", two="loss.backward()"))
    assert changed == [" opt.zero_grad()", "-sched.step()", " loss.backward()", " opt.step()", "+sched.step()"]


@pytest.mark.parametrize("factor", [FROM_ONE[0], *FROM_NOUGHT])
def test_right_at_the_step_the_two_have_changed_places(factor: str) -> None:
    changed = moved(COUNTED.format(factor=factor, one="loss.backward()", two="sched.step()"))
    assert [line for line in changed if line[0] != " "] in (
        ["-sched.step()", "+sched.step()"],
        ["+opt.step()", "-opt.step()"],
    )


# ------------------------------------------------------------------------------------ scaled gradients

SCALED = """
import torch
from torch import nn


def length(params):
    return torch.stack([p.grad.norm() for p in params]).norm().item()


def true_length(params, scaler):
    return length(params) / scaler.get_scale()


def train(model, loader, norms, cfg, rescaled, keeper):
    params = list(model.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
{body}
        scaler.step(opt)
        scaler.update()
"""
CLIP = "        nn.utils.clip_grad_norm_(params, {limit})"
FIRST = {
    "a limit": f"        limit = min(1.0, 0.5 * length(params))\n{CLIP.format(limit='limit')}",
    "a norm and a limit": f"""\
        norm = torch.stack([p.grad.norm() for p in params]).norm()
        limit = 0.5 * norm.item()
{CLIP.format(limit="limit")}""",
    "a question": f"""\
        norm = length(params)
        if norm > 1.0:
    {CLIP.format(limit="1.0")}""",
    "a list": f"        norms.append(length(params))\n{CLIP.format(limit='sum(norms) / len(norms)')}",
    "a keeper": f"        keeper.see(length(params))\n{CLIP.format(limit='keeper.limit')}",
    "a clip without a limit": f"""\
        norm = nn.utils.clip_grad_norm_(params, float("inf"))
{CLIP.format(limit="0.5 * norm.item()")}""",
}


@pytest.mark.parametrize("name", FIRST)
def test_gradients_are_unscaled_ahead_of_what_the_limit_is_worked_out_of(name: str) -> None:
    first = FIRST[name].split("\n")[0].strip()
    assert moved(SCALED.format(body=FIRST[name])) == [
        " scaler.scale(loss).backward()",
        "+scaler.unscale_(opt)",
        f" {first}",
    ]


AT_THE_CLIP = {
    "a norm is printed": "print(length(params))",
    "a norm is noted": "norms.append(length(params))",
    "the scale is taken out": "limit = length(params) / scaler.get_scale()",
    "the scale is taken out in a helper": "limit = true_length(params, scaler)",
    "weights are measured": "limit = 0.1 * sum(p.norm().item() for p in params)",
    "settings say it": "limit = cfg.limit",
}


@pytest.mark.parametrize("name", AT_THE_CLIP)
def test_gradients_are_unscaled_at_the_clip_whose_limit_has_no_scale(name: str) -> None:
    ahead = AT_THE_CLIP[name]
    clip = CLIP.format(limit="limit" if ahead.startswith("limit") else "1.0")
    assert moved(SCALED.format(body=f"        {ahead}\n{clip}")) == [
        f" {ahead}",
        "+scaler.unscale_(opt)",
        f" {clip.strip()}",
    ]


def test_whether_a_scale_is_taken_out_of_a_limit_may_not_be_seen() -> None:
    text = SCALED.format(body=f"        limit = rescaled(length(params))\n{CLIP.format(limit='limit')}")
    assert moved(text) == []
    assert any("looks at gradients that are scaled" in doubt for doubt in doubts(text))


# ------------------------------------------------------------------------------------ norms that are kept

WINDOW = """
import torch
from torch import nn


def adjust(trainer):
    trainer.rate.apply()


def train(model, batches, rate, log, trainer):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    hooks = {hooks}
    for batch in batches:
        opt.zero_grad()
        for x, y in batch.chunk(4):
            (nn.functional.mse_loss(model(x), y) / 4).backward()
            {kept} = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            {told}
        {asked}
        opt.step()
        print(rate)
"""


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("rate.see(norm)", "rate.apply()"),
        ("rate.see(norm.item())", "rate.opt.param_groups[0]['lr'] = rate.now"),
        ("rate.see(norm)", "opt.param_groups[0]['lr'] = rate.of(4)"),
        ("rate.see(norm)", "if rate.due(): rate.apply()"),
        ("trainer.rate.see(norm)", "adjust(trainer)"),
        ("trainer.rate.see(norm)", "trainer.apply()"),
    ],
)
def test_a_norm_is_told_ahead_of_who_asks_for_it(told: str, asked: str) -> None:
    changed = moved(WINDOW.format(hooks="[]", kept="norm", told=told, asked=asked))
    assert [line for line in changed if told in line or asked in line] == [f"-{told}", f"+{told}", f" {asked}"]


@pytest.mark.parametrize(
    ("kept", "told", "asked"),
    [("rate.norm", "pass", "rate.apply()"), ("rate.norm", "pass", "opt.param_groups[0]['lr'] = 1 / rate.norm")],
)
def test_a_norm_is_kept_ahead_of_who_asks_for_it(kept: str, told: str, asked: str) -> None:
    changed = moved(WINDOW.format(hooks="[]", kept=kept, told=told, asked=asked))
    clip = f"{kept} = nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    assert [line for line in changed if clip in line or asked in line] == [f"-{clip}", f"+{clip}", f" {asked}"]


@pytest.mark.parametrize(
    ("kept", "told", "asked"),
    [
        ("norm", "rate.see(norm)", "print(batch)"),
        ('log["norm"]', "pass", 'log["turns"] = log["turns"] + 1'),
        ("rate.norm", "pass", "rate.turns = 3"),
    ],
)
def test_a_norm_that_nobody_asks_for_goes_to_the_step(kept: str, told: str, asked: str) -> None:
    changed = moved(WINDOW.format(hooks="[]", kept=kept, told=told, asked=asked))
    assert changed[-1] == " opt.step()"
    assert f"-{kept} = nn.utils.clip_grad_norm_(model.parameters(), 1.0)" in changed


@pytest.mark.parametrize(
    ("hooks", "kept", "told", "asked"),
    [
        ("[rate]", "norm", "rate.see(norm)", "hooks[0].apply()"),
        ("[]", "norm", "rate.see(norm); rate.apply()", "print(batch)"),
        ("[]", "rate.norm", "rate.apply()", "print(batch)"),
        ("[]", "rate.norm", "opt.param_groups[0]['lr'] = 1 / rate.norm", "print(batch)"),
    ],
)
def test_a_norm_that_is_asked_for_at_each_part_stays(hooks: str, kept: str, told: str, asked: str) -> None:
    assert moved(WINDOW.format(hooks=hooks, kept=kept, told=told, asked=asked)) == []


# ------------------------------------------------------------------------------------ steps of nobody knows what

TURNS = """
import torch
from torch import nn


def train(gen, critic, opt_g, other, batches, turns=2, parts=2):
    for n, real in enumerate(batches, 1):
        for share in real.chunk(parts):
            with torch.no_grad():
                fake = gen(torch.randn(len(share), 2))
            ((critic(fake).mean() - critic(share).mean()) / parts).backward()
        nn.utils.clip_grad_norm_(critic.parameters(), 0.6)
        other.step()
        if n % turns == 0:
            (-critic(gen(torch.randn(6, 2))).mean()).backward()
            opt_g.step()
        critic.zero_grad()
        gen.zero_grad()
"""


def test_a_clip_does_not_pass_a_step_of_nobody_knows_what() -> None:
    assert moved(TURNS) == []
    assert any("nobody sees what `other.step()` steps" in doubt for doubt in doubts(TURNS))


@pytest.mark.parametrize("name", ["opt_c", "opt_judge"])
def test_what_is_called_like_an_optimizer_steps_with_its_clip(name: str) -> None:
    text = TURNS.replace("other", name)
    assert doubts(text) == []
    assert moved(text) == []


# ------------------------------------------------------------------------------------ who reads what is clipped

READ_AT_THE_STEP = """
import torch


def size(params):
    return sum(p.grad.norm().item() for p in params)


def train(model, loader, optimizer, accum, log):
    for step, batch in enumerate(loader):
        (model(batch).mean() / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
{each}
        if (step + 1) % accum == 0 or step == len(loader) - 1:
            print(step)
            {inside}
            optimizer.step()
            optimizer.zero_grad()
"""
_CLIP = "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"


def test_a_clip_goes_ahead_of_who_reads_its_gradients_at_the_step() -> None:
    text = READ_AT_THE_STEP.format(each="", inside="log(size(model.parameters()))")
    guard = "if (step + 1) % accum == 0 or step == len(loader) - 1:"
    assert f"{guard}\n            {_CLIP}\n            print(step)" in fix_text(text, "loop.py", Settings()).text


def test_a_clip_goes_right_to_the_step_where_nobody_reads() -> None:
    text = READ_AT_THE_STEP.format(each="", inside="log(step)")
    assert f"{_CLIP}\n            optimizer.step()" in fix_text(text, "loop.py", Settings()).text


def test_a_clip_stays_ahead_of_who_reads_its_gradients_each_time() -> None:
    text = READ_AT_THE_STEP.format(each="        log(size(model.parameters()))", inside="log(step)")
    assert moved(text) == []
    assert doubts(text) == ["gradients that are read behind the clip would be read ahead of it"]
