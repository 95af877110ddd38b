"""Repairs marked safe that broke working loops: each is now left alone, unsafe with the point that fails, or right."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from fix.known_harm import LOOPS
from gradlint.check.engine import fix_text
from gradlint.model.settings import Settings

SYNCHRONISED = [
    "-            norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)",
    "+            if accelerator.sync_gradients:",
    "+                norm = accelerator.clip_grad_norm_(model.parameters(), 1.0)",
]

EVALUATED = [
    "-            logits = model(x)",
    "+            with torch.no_grad():",
    "+                logits = model(x)",
]

ATTACKED = [
    "-        right += (net(x).argmax(1) == y).sum().item()",
    "+        with torch.no_grad():",
    "+            right += (net(x).argmax(1) == y).sum().item()",
]

RIGHT = {
    "one loop that trains and evaluates": [
        "-        run(net, valid)",
        "+        with torch.no_grad():",
        "+            run(net, valid)",
    ],
    "a norm that is clipped and kept after each micro-batch": [
        "-            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)",
        '+            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))',
        "+                torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)",
    ],
    "a norm that decides whether to go on": [
        "-        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
        '+        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))',
        "+            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    ],
    "a window that has to be a number to divide by": [
        "-        torch.nn.functional.mse_loss(net(x), y).backward()",
        "+        (torch.nn.functional.mse_loss(net(x), y) / accum).backward()",
    ],
    "gradients that an object has left which a step calls": [
        "+            self.polish.zero_grad()",
        "-                self.polish.zero_grad()",
    ],
    "gradients that an object has left which a step calls, and nothing clears": [
        "+            self.polish.zero_grad()",
    ],
    "gradients that a closure out of sight has left in front of rounds": ["+        polish.zero_grad()"],
    "gradients that a closure out of sight has left, and the network is cleared": ["+            polish.zero_grad()"],
    "gradients that another method has left in front of rounds": [
        "+            self.opt.zero_grad()",
        "-                self.opt.zero_grad()",
    ],
    "a late clip behind a guard that is always open": [
        "+        norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
        "-            norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)",
    ],
    "a schedule in front of a step, and its rate told behind it": ["+        opt.step()", "-        opt.step()"],
    "a schedule in front of a step, and noise as large as its rate behind it": [
        "-        cooling.step()",
        "+        cooling.step()",
    ],
    "an attack of a library in the evaluation": ATTACKED,
    "an attack behind a helper of the file in the evaluation": ATTACKED,
    "an attack that holds the network in the evaluation": ATTACKED,
    "an attack that the evaluation is given": ATTACKED,
    "an attack that settings name, and that finds the network among them": ATTACKED,
    "a network that is only looked at in the evaluation": [
        "-    for x, y in loader:",
        "-        if shown:",
        "-            print(net, isinstance(net, nn.Module))",
        "-        right += (net(x).argmax(1) == y).sum().item()",
        "+    with torch.no_grad():",
        "+        for x, y in loader:",
        "+            if shown:",
        "+                print(net, isinstance(net, nn.Module))",
        "+            right += (net(x).argmax(1) == y).sum().item()",
    ],
    "a clear in front of a step, whose gradients are read behind it, in a script that is run as such": [
        "+        self.opt.zero_grad()",
        "-        self.opt.zero_grad()",
    ],
    "a loss that may be a number": [
        "-        total += aux",
        "+        total += aux.detach() if isinstance(aux, torch.Tensor) else aux",
    ],
    "a step past the scaler now and then, behind its update": [
        "+        if i % 5 == 0:",
        "+            scaler.step(head_opt)",
        "-        if i % 5 == 0:",
        "-            head_opt.step()",
    ],
    "a sampler that each round goes through in several epochs": [
        "+            sampler.set_epoch(number * epochs + epoch)",
    ],
    "one norm of scaled gradients, and one optimizer steps now and then": [
        "+        scaler.unscale_(opt)",
        "+        scaler.unscale_(head_opt)",
    ],
    "a sampler that may be none": ["+        if sampler is not None:", "+            sampler.set_epoch(epoch)"],
    "a sampler that a function makes, or not": [
        "+        if sampler is not None:",
        "+            sampler.set_epoch(epoch)",
    ],
    "one norm, and an optimizer that steps every other time": [
        "+        scaler.unscale_(fast)",
        "+        scaler.unscale_(slow)",
    ],
    "one norm of what several optimizers step in turn": ["+    for o in opts:", "+        scaler.unscale_(o)"],
    "a network that nothing is held still of": ["+        net.train()"],
    "a frozen trunk that trains with the whole": ["+        net.train()"],
    "a trunk that is put to sleep, and the whole is woken in the next line": ["+        net.train()"],
    "a trunk that was frozen and is trained": ["+        net.train()"],
    "a trunk that is put to sleep each time that the whole is woken": ["+        net.train()"],
    "a teacher that is held still": ["+        net.train()"],
    "a part of a teacher that is held still": ["+        net.train()"],
    "a trunk that is asked by itself and woken": ["+        net.train()"],
    "a frozen trunk that is put to sleep by itself": ["+        net.train()", "+        net.trunk.eval()"],
    "a trunk that is told not to train": ["+        net.train()", "+        net.trunk.train(False)"],
    "a schedule of batches whose optimizer steps now and then": ["-        sched_g.step()", "+        sched_g.step()"],
    "a frozen network whose image is fitted by LBFGS": ["+            optimizer.zero_grad()"],
    "a discriminator that is never cleared": ["+        optimizerD.zero_grad()"],
    "a discriminator that is cleared too late": ["+        optimizerD.zero_grad()", "-        optimizerD.zero_grad()"],
    "a clear that is too early, and gradients that set the next rate": [
        "+        opt.zero_grad()",
        "-        opt.zero_grad()",
    ],
    "gradients that are read behind the step": ["+        opt.zero_grad()"],
    "a clip of scaled gradients before a skip": ["+        scaler.unscale_(opt)", "+            scaler.update()"],
    "a clip of scaled gradients before a return": ["+    scaler.unscale_(opt)", "+        scaler.update()"],
    "a trunk that is kept in eval mode": ["+        model.train()", "+        model.trunk.eval()"],
    "the generator's clip": [
        "+        torch.nn.utils.clip_grad_norm_(G.parameters(), 1.0)",
        "-        torch.nn.utils.clip_grad_norm_(G.parameters(), 1.0)",
    ],
    "no_sync around the last backward, by a condition": [
        "-        out = model(x)",
        "-        loss = torch.nn.functional.mse_loss(out, y) / accum",
        "-        with model.no_sync() if last else contextlib.nullcontext():",
        "+        with model.no_sync() if not last else contextlib.nullcontext():",
        "+            out = model(x)",
        "+            loss = torch.nn.functional.mse_loss(out, y) / accum",
    ],
    "torch's DDP or Apex's": [
        "+from contextlib import nullcontext",
        "-        loss = torch.nn.functional.mse_loss(model(x), y) / accum",
        "-        loss.backward()",
        "+        with nullcontext() if (idx + 1) % accum == 0 or not isinstance(model, DDP) else model.no_sync():",
        "+            loss = torch.nn.functional.mse_loss(model(x), y) / accum",
        "+            loss.backward()",
    ],
    "an evaluation in the middle, with gradients on": [
        "-                for a, b in test_loader:",
        "-                    total += torch.nn.functional.cross_entropy(model(a), b).item()",
        "+                with torch.no_grad():",
        "+                    for a, b in test_loader:",
        "+                        total += torch.nn.functional.cross_entropy(model(a), b).item()",
        "+                model.train()",
    ],
    "a sampler that only the script makes": ["+        loader.sampler.set_epoch(epoch)"],
    "a DDP that is annotated, and made now and then": [
        "-        loss = torch.nn.functional.mse_loss(model(x), y) / accum",
        "-        loss.backward()",
        "+        with nullcontext() if (idx + 1) % accum == 0 or not isinstance(model, DDP) else model.no_sync():",
        "+            loss = torch.nn.functional.mse_loss(model(x), y) / accum",
        "+            loss.backward()",
    ],
    "a norm that is read where the gradients synchronise": SYNCHRONISED,
    "a norm that is read behind the way on": SYNCHRONISED,
    "a norm that is read behind the loop": SYNCHRONISED,
    "two backwards among the forwards of one autocast": [
        "-            loss.backward()",
        "+        loss.backward()",
        '+        with torch.autocast("cuda", dtype=torch.bfloat16):',
        "-            aux.backward()",
        "+        aux.backward()",
    ],
    "keys that are taken behind a backward in autocast": [
        "-            optimizer.zero_grad()",
        "-            loss.backward()",
        "-            losses.update(loss.item(), len(x))",
        "+        optimizer.zero_grad()",
        "+        loss.backward()",
        "+        losses.update(loss.item(), len(x))",
        '+        with torch.autocast("cuda", dtype=torch.bfloat16):',
        "-            optimizer.step()",
        "+        optimizer.step()",
    ],
    "a score that is computed behind a backward in autocast": [
        "-            loss.backward()",
        "-            optimizer.step()",
        "+        loss.backward()",
        "+        optimizer.step()",
        '+        with torch.autocast("cuda", dtype=torch.bfloat16):',
    ],
    "what is told behind a backward in autocast": [
        "-            loss.backward()",
        "-            optimizer.step()",
        "-            if step % 10 == 0:",
        '-                log(f"{loss.item():.4f}")',
        "+        loss.backward()",
        "+        optimizer.step()",
        "+        if step % 10 == 0:",
        '+            log(f"{loss.item():.4f}")',
    ],
    "one norm of two optimizers' scaled gradients": [
        "+        scaler.unscale_(opt)",
        "+        scaler.unscale_(head_opt)",
    ],
    "one norm of two optimizers' gradients, one of them unscaled": ["+        scaler.unscale_(head_opt)"],
    "a step past the scaler behind its update": ["+        scaler.step(head_opt)", "-        head_opt.step()"],
    "a clip and a step past the scaler behind its update": [
        "+        scaler.unscale_(head_opt)",
        "+        nn.utils.clip_grad_norm_(head.parameters(), 1.0)",
        "+        scaler.step(head_opt)",
        "-        nn.utils.clip_grad_norm_(head.parameters(), 1.0)",
        "-        head_opt.step()",
    ],
    "a step past the scaler in front of its update": ["-        head_opt.step()", "+        scaler.step(head_opt)"],
    "a sleep that is not called, and nobody wakes": ["-    net.eval", "+    net.eval()", "+        net.train()"],
    "a sleep that is not called, and the net is woken": ["-    net.eval", "+    net.eval()"],
    "a clear that is not called in front of the step": ["-        opt.zero_grad", "+        opt.zero_grad()"],
    "groups that are clipped in each micro-batch": [
        "-        for group in opt.param_groups:",
        '-            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)',
        "+            for group in opt.param_groups:",
        '+                torch.nn.utils.clip_grad_norm_(group["params"], 1.0)',
    ],
    "gradients that a helper looks at behind the step": ["+            opt.zero_grad()"],
    "optimizers of one scaler that is never updated": ["+        scaler.update()"],
    "optimizers of one scaler that is never updated, each with a backward": ["+            scaler.update()"],
    "a clear that is not called in a window whose rest is kept": [
        "-            opt.zero_grad",
        "+            opt.zero_grad()",
    ],
    "two backwards at the end of one autocast": [
        "-            aux.backward(retain_graph=True)",
        "-            loss.backward()",
        "+        aux.backward(retain_graph=True)",
        "+        loss.backward()",
    ],
    "an iterator that is named ahead of the new head": ["+    weights = list(weights)"],
    "an iterator that is named ahead of the freezing": ["+    weights = list(weights)"],
    "an iterator over a model that goes to its device": [
        "-    weights = critic.parameters()",
        "+    weights = list(critic.parameters())",
    ],
    "a critic that is cleared for each micro-batch": [
        "+        self.opt_c.zero_grad()",
        "-            self.opt_c.zero_grad()",
    ],
    "a critic of windows that is never cleared": ["+        self.opt_c.zero_grad()"],
    "a critic of windows that is cleared before its step": [
        "+        self.opt_c.zero_grad()",
        "-        self.opt_c.zero_grad()",
    ],
    "a critic whose window ends with the maker's turn": [
        "-        opt_c.zero_grad()",
        "+            opt_c.zero_grad()",
    ],
    "two networks that have nothing in common": ["+        opt_c.zero_grad()", "-            opt_c.zero_grad()"],
    "two schedules that both move too early": [
        "-        sched_c.step()",
        "-        sched_m.step()",
        "+        sched_c.step()",
        "+        sched_m.step()",
    ],
    "a schedule beside one that is told the epoch": ["-        sched_c.step()", "+        sched_c.step()"],
    "a temperature that is fitted in the evaluation": EVALUATED,
    "a temperature that a closure fits": EVALUATED,
    "a temperature whose slope a helper asks for": EVALUATED,
    "a scale that is fitted on what the evaluation computes": [
        "-            out = net(x)",
        "+            with torch.no_grad():",
        "+                out = net(x)",
    ],
    "rates that are only printed for each micro-batch": ["+            sched.step()", "-        sched.step()"],
    "rates that are noted with each update": ["+            sched.step()", "-        sched.step()"],
    "rates that are noted at the end of each epoch": ["+                sched.step()", "-            sched.step()"],
    "a plain decay at the head of each turn, counted from one": ["-        sched.step()", "+        sched.step()"],
    "a line that goes down at the head of each turn": ["-        sched.step()", "+        sched.step()"],
    "steps at the head of each turn, counted from one": ["-        sched.step()", "+        sched.step()"],
    "half a cosine at the head of each turn, counted from one": ["-        sched.step()", "+        sched.step()"],
    "a warm-up by one more than its count": ["-        sched.step()", "+        sched.step()"],
    "a count that is kept from being nought, right at the step": ["+        opt.step()", "-        opt.step()"],
    "two losses with a clear of all between them": ["+        melt.zero_grad()", "-        melt.zero_grad()"],
    "an evaluation behind a fit": [
        "-        for x, y in held_out:",
        "-            total += F.cross_entropy(net(x) * scale, y).item()",
        "+        with torch.no_grad():",
        "+            for x, y in held_out:",
        "+                total += F.cross_entropy(net(x) * scale, y).item()",
    ],
    "a schedule whose function is as long as the updates": [
        "-            sched.step()",
        "+                sched.step()",
    ],
    "a rest of DDP that is used behind the loop": [
        "-        loss = nn.functional.l1_loss(model(inputs), targets)",
        "-        (loss / accumulate).backward()",
        "+        with nullcontext() if pending + 1 == accumulate or i == len(loader) - 1 else model.no_sync():",
        "+            loss = nn.functional.l1_loss(model(inputs), targets)",
        "+            (loss / accumulate).backward()",
    ],
    "two optimizers cleared side by side between two losses": [
        "+        slow.zero_grad()",
        "+        fast.zero_grad()",
        "-        slow.zero_grad()",
        "-        fast.zero_grad()",
    ],
    "an evaluation under another name leaves the mode": ["+        net.train()"],
    "a prepared schedule that moves in front of the step": [
        "+            optimizer.step()",
        "-            optimizer.step()",
    ],
    "a plain backward in a window that Accelerate counts": [
        "-            loss.backward()",
        "+            (loss / accelerator.gradient_accumulation_steps).backward()",
    ],
    "two networks that are evaluated together": ["+        encoder.train()", "+        head.train()"],
    "two networks that are evaluated together, one of them at rest since it was trained": ["+        head.train()"],
    "a method that sets the mode, a part of it at rest, and is called once": [
        "+            self.model.train()",
        "+            self.model.stem.eval()",
    ],
    "schedules that move one after the other, at the head of the epoch": [
        "-            for scheduler in self.schedulers:",
        "-                scheduler.step()",
        "+            for scheduler in self.schedulers:",
        "+                scheduler.step()",
    ],
    "schedules that move one after the other, and are kept at the end of the epoch": [
        "-            for scheduler in self.schedulers:",
        "-                scheduler.step()",
        "+            for scheduler in self.schedulers:",
        "+                scheduler.step()",
    ],
    "a filter that is used up, beside a method under no_grad": [
        "-        self.trained = filter(lambda p: p.requires_grad, model.parameters())",
        "+        self.trained = list(filter(lambda p: p.requires_grad, model.parameters()))",
    ],
}
"""What a safe repair changes, where there is a right one."""

UNSAFE = {
    "a window that another method allows to be 0": "is a number to divide by at all",
    "a clip in front of a helper that divides by hand and steps": "changed by hand between the clip and the step",
    "a window that may be -1, for an update with each micro-batch": "is a number to divide by at all",
    "a window that may be none": "is a number to divide by at all",
    "a window that may be 0, for no update at all": "is a number to divide by at all",
    "gradients that a closure out of sight has left in front of counted windows": "leaves in gradients cannot be seen",
    "a wrapper that is only bound when distributed": "`ddp` may not be bound there",
    "a DDP with arguments out of sight": "torch's own DDP cannot be seen",
    "a DDP from elsewhere": "torch's own DDP cannot be seen",
    "a clip of what is remembered behind the step": "it may be there for that",
    "a sampler that a setting of another library may leave out": "the loader has another sampler",
    "a sampler of another kind": "the loader has another sampler",
    "a schedule over the epochs that moves with each batch": "was made as long as there are epochs",
    "a loss that another file computes": "goes back from a mean cannot be seen",
    "an optimizer that a library gives back": "what its step does with a scale, cannot be seen",
    "gradients that are compared with those of another network": "cleared now and then",
    "a step of two passes that is never cleared": "goes through the same lines twice",
    "a schedule whose warm-up another function counts": "only its function says",
    "a schedule whose function multiplies the updates by the window": "only its function says",
    "a schedule whose function divides its count by the window": "only its function says",
    "a schedule whose function makes whole windows of its count": "only its function says",
    "a rest of DDP that is used behind the loop over a stream": "whether `stream` has a length cannot be seen",
    "a rest of DDP behind a loop that may be left early": "leaves the usual way",
    "a clear beside another, of what was clipped": "takes the same loss away, and may be meant to",
    "a scaler that somebody else holds": "it may have no `unscale_`",
    "batches that are remembered by their number": "remembers batches by their number",
    "gradients that are looked at in each micro-batch": "see its own gradients only",
    "an iterator over a model that grows in the loop": "other parameters may be trained later",
    "a norm that is clipped and kept after each micro-batch": "would see its own gradients only",
    "an evaluation for a PyTorch that has no no_grad": "may have no `no_grad`",
    "rates that are noted for each micro-batch": "its rate is noted for each micro-batch",
    "rates that are noted in a record for each micro-batch": "its rate is noted for each micro-batch",
    "a count that is kept from being nought": "its function may count the moves from one",
    "a schedule beside one that nobody can see": "`sched_m.step()` moves as early",
    "a temperature that is fitted by what the evaluation computes in one line": "goes back from what has no graph",
    "a trunk that is woken in a later epoch": "`model.trunk.train()` may undo what keeps a part of `model`",
    "a trunk that a helper holds still": "`part.eval()` keeps a part of `net`",
    "a trunk that was held still and woken with the whole": "`part.eval()` keeps a part of `net`",
    "a trunk that its network hands to a helper": "`part.eval()` may keep a part of `net`",
    "a trunk that its network puts to sleep once": "`self.trunk.eval()` may keep a part of `net`",
    "a trunk that is put to sleep under another name": "`trunk.eval()` may keep a part of `net`",
    "a trunk that slept before the network got it": "may keep a part of `net`",
    "a trunk whose mode is set": "`net.trunk.training = False` may keep a part of `net`",
    "a trunk that is put to sleep by the class of all modules": "`nn.Module.eval(net.trunk)` may keep a part of `net`",
    "a trunk that is fetched by its name": "may keep a part of `net`",
    "parts whose names nobody knows": "may keep a part of `net`",
    "parts that a helper holds still, one by one": "`hold_still(part)` may keep a part of `net`",
    "batch norms that are put to sleep one by one": "`silence(module)` may keep a part of `net`",
    "batch norms that are put to sleep wherever they are": "`module.eval()` may keep a part of `net`",
    "batch norms that a method puts to sleep": "`one.eval()` may keep a part of `net`",
    "a helper of elsewhere that freezes by its name": "`elsewhere.freeze_trunk(net)` may keep a part of `net`",
    "a frozen trunk that nothing has woken": "a part of `net` is held still, and nothing puts `net`",
    "a frozen trunk, and another part sleeps": "a part of `net` is held still, and nothing puts `net`",
    "some parameters that are frozen, and nothing is woken": "`p.requires_grad = False` holds parts of `net` still",
}
"""Why a repair is offered only where it is asked for."""


@pytest.mark.parametrize("name", LOOPS)
def test_a_safe_repair_is_right_or_not_made(name: str) -> None:
    result = fix_text(LOOPS[name], f"{name}.py", Settings())
    lines = difflib.unified_diff(LOOPS[name].splitlines(), result.text.splitlines(), lineterm="", n=0)
    changed = [line for line in list(lines)[2:] if not line.startswith("@@") and line != "+"]
    assert changed == RIGHT.get(name, [])


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_repair_says_which_point_fails(name: str) -> None:
    result = fix_text(LOOPS[name], f"{name}.py", Settings(), unsafe=True)
    reasons = [one.fix.reason for one in result.applied if one.fix is not None and one.fix.safety.value == "unsafe"]
    assert any(UNSAFE[name] in reason for reason in reasons), reasons


@pytest.mark.parametrize("way", ["skip", "return"])
def test_a_repair_that_brings_a_crash_is_not_even_offered(way: str) -> None:
    """Unscaled before the way out, the gradients would be unscaled again: an error on the rare way is one, too."""
    loop = LOOPS[f"a clip of scaled gradients before a {way}"]
    alone = Settings(select=("clip-scaled-gradients",))
    result = fix_text(loop, "skips.py", alone, unsafe=True)
    assert (result.text, [one.rule for one in result.remaining]) == (loop, ["clip-scaled-gradients"])


def test_one_of_a_pair_is_not_made_alone() -> None:
    """Moved in alone, the forward of a `no_sync` the other way round would end all synchronisation."""
    loop = LOOPS["no_sync around the last backward, by a condition"]
    alone = fix_text(loop, "pair.py", Settings(select=frozenset({"forward-outside-no-sync"})))
    assert alone.text == loop


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a sleep that is not called, and nobody wakes", "it brings missing-train-mode"),
        ("a clear that is not called in front of the step", "it brings zero-grad-before-step"),
    ],
)
def test_a_call_is_not_made_without_what_it_brings(name: str, reason: str) -> None:
    """While a method is only named, the mistake that its call would make is told already, and is none yet."""
    alone = Settings(select=("method-not-called",))
    assert fix_text(LOOPS[name], "named.py", alone).text == LOOPS[name]
    made = fix_text(LOOPS[name], "named.py", alone, unsafe=True).applied
    assert [one.fix.reason for one in made if one.fix is not None] == [reason]


def test_a_field_of_another_file_needs_the_gradients_that_no_repair_takes() -> None:
    """Under torch the loop runs as it is, and not as the unsafe repair would have it: the safe ones leave it alone."""
    torch = pytest.importorskip("torch")
    source = LOOPS["a field of another file that answers with its normals"]

    class Field(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.inner = torch.nn.Linear(3, 1)

        def forward(self, points: torch.Tensor) -> dict[str, torch.Tensor]:  # type: ignore[name-defined]
            points = points.clone().requires_grad_(True)
            value = self.inner(points).tanh()
            (normals,) = torch.autograd.grad(value.sum(), points, create_graph=True)
            return {"value": value, "normal_map": normals}

    def run(text: str) -> object:
        space: dict[str, Any] = {"Field": Field}
        exec(compile(text.replace("from field import Field", ""), "loop", "exec"), space)
        points = [torch.ones(2, 3)]
        return space["train"](points, points)

    assert run(source)
    unsafe = fix_text(source, "loop.py", Settings(pedantic=True), unsafe=True).text
    assert "no_grad" in unsafe
    with pytest.raises(RuntimeError, match="does not require grad"):
        run(unsafe)
