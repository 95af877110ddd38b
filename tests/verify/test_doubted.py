"""What a run of a few batches cannot know of a loop: the verdict says so, and neither confirms nor accuses."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: no loop can be run")

from gradlint.verify import linter
from gradlint.verify.reasons import Reason
from gradlint.verify.result import Loop
from verify.wet import CONFIRMED, file_result, loops, said

HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
CE = "F.cross_entropy(model(x), y)"


def only(text: str) -> Loop:
    (loop,) = loops(HEAD + text)
    return loop


def refused(text: str) -> tuple[str, str]:
    """Why a loop is not confirmed."""
    loop = only(text)
    assert loop.verdict.value == "inconclusive", said(loop)
    return loop.reason, loop.detail


# ---------------------------------------------------------------------- gradients changed by hand

ADAPTIVE = f"""def train(model, opt, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = {CE}
        opt.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        for p in model.parameters():
            p.grad.mul_((p.norm() * 0.01 / p.grad.norm()).clamp(max=1.0))
        scaler.step(opt)
        scaler.update()
"""


def test_a_clip_by_hand_of_scaled_gradients_is_not_confirmed() -> None:
    assert said(only(ADAPTIVE)) == CONFIRMED
    reason, detail = refused(ADAPTIVE.replace("        scaler.unscale_(opt)\n", ""))
    assert (reason, detail.endswith("with the loss scale still in them")) == (Reason.HAND.value, True)


def test_all_gradients_at_once_are_changed_by_hand_too() -> None:
    by_hand = ADAPTIVE[ADAPTIVE.index("        for p in") : ADAPTIVE.index("        scaler.step")]
    each = "        gradients = [p.grad for p in model.parameters()]\n"
    each += "        norms = torch._foreach_norm(gradients)\n"
    each += "        torch._foreach_mul_(gradients, (1 / torch.stack(norms).norm()).clamp(max=1))\n"
    text = ADAPTIVE.replace(by_hand, each)
    assert said(only(text)) == CONFIRMED
    assert refused(text.replace("        scaler.unscale_(opt)\n", ""))[0] == Reason.HAND.value


@pytest.mark.parametrize(
    "change",
    [
        "p.grad.data = p.grad.data * torch.clamp(1 / p.grad.data.norm(), max=1)",
        "torch.clamp(p.grad, -0.5, 0.5, out=p.grad)",
        "torch.clamp_(p.grad, -0.5, 0.5)",
        "p.grad.sub_(p.grad.mean())",
    ],
)
def test_other_ways_to_change_a_gradient_in_place(change: str) -> None:
    old = ADAPTIVE[ADAPTIVE.index("p.grad.mul_") : ADAPTIVE.index("        scaler.step")]
    text = ADAPTIVE.replace(old, f"{change}\n")
    assert refused(text.replace("        scaler.unscale_(opt)\n", ""))[0] == Reason.HAND.value


def test_gradients_changed_by_hand_in_the_wrong_place() -> None:
    text = f"""def train(model, opt, loader, accum=4):
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            loss = {CE} / accum
            loss.backward()
            if (i + 1) % accum == 0 or i + 1 == len(loader):
                for p in model.parameters():
                    p.grad.mul_((1.0 / p.grad.norm(dim=0)).clamp(max=1.0))
                opt.step()
                opt.zero_grad()
"""
    assert said(only(text)) == CONFIRMED
    change = text[text.index("                for p in") : text.index("                opt.step")]
    each = "\n".join(line[4:] for line in change.splitlines()) + "\n"
    early = text.replace(change, "").replace("            if (i", f"{each}            if (i")
    reason, detail = refused(early)
    assert (reason, detail.endswith("before the last backward of the window")) == (Reason.HAND.value, True)
    late = text.replace(change, "").replace("opt.step()\n", f"opt.step()\n{change}")
    reason, detail = refused(late)
    assert (reason, detail.endswith("when no backward has filled them")) == (Reason.HAND.value, True)


# ---------------------------------------------------------------------- counters that are young

PHASED = f"""def train(model, opt, warmup, loader):
    scaler = torch.amp.GradScaler("cuda")
    step = 0
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = {CE}
        scaler.scale(loss).backward()
        scaler.step(opt)
        if step < 200:
            warmup.step()
            scaler.update()
        step += 1
"""


def test_what_comes_after_a_warm_up_is_looked_at() -> None:
    reason, detail = refused(PHASED)
    assert (reason, detail.startswith("line 14: where this guard is False, torch raises")) == (
        Reason.BRANCH.value,
        True,
    )
    right = PHASED.replace("            scaler.update()\n", "").replace(
        "step += 1", "scaler.update()\n        step += 1"
    )
    assert said(only(right)) == CONFIRMED


def test_a_flag_that_remembers_how_far_a_counter_has_come() -> None:
    text = PHASED.replace("        if step < 200:", "        warming = step < 200\n        if warming:")
    reason, detail = refused(text)
    assert (reason, "where this guard is False" in detail) == (Reason.BRANCH.value, True)


def test_a_clear_in_the_first_steps_only() -> None:
    text = f"""def train(model, opt, loader):
    for epoch in range(90):
        for x, y in loader:
            {CE}.backward()
            opt.step()
            if epoch <= 10:
                opt.zero_grad()
"""
    assert refused(text) == (Reason.BRANCH.value, "line 10: where this guard is False, missing-zero-grad shows")


# ---------------------------------------------------------------------- samplers

FOREVER = f"""from torch.utils.data import DataLoader, DistributedSampler


def forever(loader):
    while True:
        for batch in loader:
            yield batch


def train(model, data):
    sampler = DistributedSampler(data, seed=3)
    loader = DataLoader(data, sampler=sampler)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, (x, y) in enumerate(forever(loader)):
        opt.zero_grad()
        {CE}.backward()
        opt.step()
        if step == 5000:
            break
"""
UNTOLD = "line 15: nothing in sight tells this sampler the epoch, and no run saw a second pass"


@pytest.mark.parametrize("endless", ["forever(loader)", "itertools.cycle(loader)"])
def test_a_sampler_that_an_endless_iterator_begins_anew(endless: str) -> None:
    text = FOREVER.replace("forever(loader))", f"{endless})")
    text = (
        text
        if endless.startswith("forever")
        else text.replace("\n\n\ndef forever", "\nimport itertools\n\ndef forever")
    )
    assert refused(text) == (Reason.LOADER.value, UNTOLD)


def test_a_sampler_that_is_told_or_seen_once_is_no_doubt() -> None:
    told = FOREVER.replace("forever(loader)", "forever(loader, sampler)").replace("(loader):", "(loader, sampler):")
    told = told.replace("        for batch", "        sampler.set_epoch(sampler.epoch + 1)\n        for batch")
    assert (
        said(only(told.replace("def forever(loader, sampler, sampler)", "def forever(loader, sampler)"))) == CONFIRMED
    )
    assert said(only(FOREVER.replace("enumerate(forever(loader))", "enumerate(loader)"))) == CONFIRMED


EPOCHS = f"""from torch.utils.data import DataLoader, DistributedSampler


def train(model, data, epochs=9):
    sampler = DistributedSampler(data)
    loader = DataLoader(data, sampler=sampler)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        sampler.epoch = epoch
        for x, y in loader:
            opt.zero_grad()
            {CE}.backward()
            opt.step()
"""


def test_other_ways_to_tell_a_sampler_the_epoch() -> None:
    assert said(only(EPOCHS)) == CONFIRMED
    fresh = EPOCHS.replace("        sampler.epoch = epoch\n", "")
    assert only(fresh).rules == {"missing-set-epoch"}
    made = """        sampler = DistributedSampler(data, seed=epoch)
        loader = DataLoader(data, sampler=sampler)
"""
    assert said(only(EPOCHS.replace("        sampler.epoch = epoch\n", made))) == CONFIRMED


# ---------------------------------------------------------------------- what a limit is held against


def test_a_limit_that_is_multiplied_by_the_loss_scale() -> None:
    text = f"""def train(model, opt, loader, max_norm=2.0):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = {CE}
        scaler.scale(loss).backward()
        limit = max_norm * float(scaler.get_scale())
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
        scaler.step(opt)
        scaler.update()
"""
    assert said(only(text)) == CONFIRMED
    assert only(text.replace(" * float(scaler.get_scale())", "")).rules == {"clip-scaled-gradients"}
    unscaled = text.replace("        limit", "        scaler.unscale_(opt)\n        limit")
    assert refused(unscaled)[0] == Reason.UNEXPLAINED.value


# ---------------------------------------------------------------------- orders and iterators

PIPELINE = """class Pipeline:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
        self.stages = sorted([(3, self.apply), (2, self.back), (1, self.clear)], key=lambda stage: stage[0])

    def apply(self, loss):
        self.opt.step()

    def back(self, loss):
        loss.backward()

    def clear(self, loss):
        self.opt.zero_grad()

    def update(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        for _, stage in self.stages:
            stage(loss)


def train(model, loader):
    pipeline = Pipeline(model)
    for x, y in loader:
        pipeline.update(x, y)
"""


def test_functions_are_called_in_the_order_of_their_keys() -> None:
    assert said(only(PIPELINE)) == CONFIRMED
    in_place = PIPELINE.replace("sorted([", "[").replace(
        "], key=lambda stage: stage[0])", "]\n        self.stages.sort()"
    )
    assert said(only(in_place)) == CONFIRMED
    reverse = PIPELINE.replace("stage[0])", "stage[0], reverse=True)")
    assert said(only(reverse)) != CONFIRMED


def test_an_order_that_nobody_can_compute() -> None:
    reason, detail = refused(PIPELINE.replace("stage[0]", "PRIORITY(stage)"))
    assert reason != Reason.UNEXPLAINED.value, detail


def test_nobody_is_accused_of_what_the_linter_could_not_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        HEAD
        + f"""def train(model, opt, loader):
    for x, y in loader:
        {CE}.backward()
        opt.zero_grad()
        opt.step()
"""
    )
    (loop,) = linter.compared(file_result(text), text).loops
    assert loop.rules == {"zero-grad-before-step"}
    assert loop.verdict.value == "differs"
    found = linter.opinion(text, "train.py")
    monkeypatch.setattr(linter, "opinion", lambda text, path, settings: linter.Opinion((), (), found.unjudged))
    (loop,) = linter.compared(file_result(text), text).loops
    assert (loop.verdict.value, loop.reason) == ("inconclusive", Reason.UNEXPLAINED.value)


def test_parameters_that_a_generator_of_the_file_yields() -> None:
    text = """def owned(optimizer):
    for group in optimizer.param_groups:
        yield from group["params"]


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        for p in owned(opt):
            p.grad = None
        F.cross_entropy(model(x), y).backward()
        torch.nn.utils.clip_grad_norm_(owned(opt), 1.0)
        opt.step()
"""
    assert said(only(text)) == CONFIRMED
    assert only(
        text.replace("    for x", "    mine = owned(opt)\n    for x").replace("(owned(opt), 1", "(mine, 1")
    ).rules == {"clip-exhausted-parameters"}


# ---------------------------------------------------------------------- windows

WINDOWS = f"""def train(model, opt, loader, accum=4):
    assert len(loader) % accum == 0
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            loss = {CE} / accum
            loss.backward()
            if (i + 1) % accum == 0:
                opt.step()
                opt.zero_grad()
"""


@pytest.mark.parametrize(
    "kept_out",
    ["assert len(loader) % accum == 0", "if len(loader) % accum:\n        raise ValueError('uneven')"],
)
def test_data_that_whole_windows_make_up_has_no_ragged_end(kept_out: str) -> None:
    text = WINDOWS.replace("assert len(loader) % accum == 0", kept_out)
    assert said(only(text)) == CONFIRMED
    assert only(text.replace(f"    {kept_out}\n", "")).rules == {"dropped-accumulation-tail"}


def test_an_iterator_of_the_file_may_hold_the_rest_back() -> None:
    text = """def whole(loader, accum):
    held = []
    for batch in loader:
        held.append(batch)
        if len(held) == accum:
            yield from held
            held = []


"""
    loop = WINDOWS.replace("    assert len(loader) % accum == 0\n", "")
    reason, detail = refused(text + loop.replace("enumerate(loader)", "enumerate(whole(loader, accum))"))
    assert (reason, detail.startswith("an iterator of the file")) == (Reason.NOT_SEPARABLE.value, True)


def test_a_length_that_is_a_multiple_of_the_window() -> None:
    text = f"""def train(model, opt, data):
    batches = data.size(0) // (64 * 3) * 3
    for epoch in range(80):
        for b in range(batches):
            x, y = data[b], data[b]
            ({CE} / 3).backward()
            if b % 3 == 2:
                opt.step()
                opt.zero_grad()
"""
    assert said(only(text)) == CONFIRMED
    assert said(only(text.replace("// (64 * 3) * 3", "// 64"))) != CONFIRMED


def test_a_window_in_two_places_is_divided_by_all_of_it() -> None:
    text = f"""def train(model, opt, stream, parts=3):
    for n in range(100):
        opt.zero_grad()
        *early, final = [next(stream) for _ in range(parts)]
        for x, y in early:
            ({CE} / parts).backward()
        x, y = final
        ({CE} / parts).backward()
        opt.step()
"""
    assert said(only(text)) == CONFIRMED


def test_a_window_and_a_place_in_it_of_one_counter() -> None:
    text = f"""def train(model, opt, loader, accum=3):
    for i, (x, y) in enumerate(loader):
        update, micro = divmod(i, accum)
        if micro == 0:
            opt.zero_grad()
        ({CE} / accum).backward()
        if micro == accum - 1 or i + 1 == len(loader):
            opt.step()
"""
    assert said(only(text)) == CONFIRMED


# ---------------------------------------------------------------------- classes of the file


def test_an_optimizer_that_clears_what_it_has_applied() -> None:
    text = f"""class Consuming(torch.optim.SGD):
    def step(self, closure=None):
        loss = super().step(closure)
        for group in self.param_groups:
            for p in group["params"]:
                p.grad = None
        return loss


def train(model, loader):
    opt = Consuming(model.parameters(), lr=0.1)
    for x, y in loader:
        {CE}.backward()
        opt.step()
"""
    assert said(only(text)) == CONFIRMED


def test_a_train_of_its_own_that_freezes_a_part() -> None:
    text = """class Frozen(torch.nn.Module):
    def train(self, mode=True):
        super().train(mode)
        self.stem.eval()
        return self

    def forward(self, x):
        return self.head(self.stem(x))


def run(loader):
    model = Frozen()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(model(x), y).backward()
            opt.step()
"""
    assert said(only(text)) == CONFIRMED
    assert said(only(text.replace("self.stem.eval()", "self.eval()"))) != CONFIRMED


def test_optimizers_of_parts_of_one_model_share_nothing() -> None:
    text = """def train(model, loader):
    optimizers = [torch.optim.SGD(model.table.parameters(), lr=0.1), torch.optim.SGD(model.deep.parameters(), lr=0.1)]
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.binary_cross_entropy_with_logits(model(x), y)
        for optimizer in optimizers:
            optimizer.zero_grad()
        scaler.scale(loss).backward()
        for optimizer in optimizers:
            scaler.step(optimizer)
        scaler.update()
"""
    assert said(only(text)) == CONFIRMED
