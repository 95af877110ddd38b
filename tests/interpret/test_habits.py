"""Habits of hand-written loops, each as a pair: what is right is silent, and what is wrong is told.

A case is a whole file and the findings it has, as `row rule`; those that only `--pedantic` shows are not among them.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from gradlint import check_source, fix_source


def found(source: str) -> set[str]:
    """`row rule` of every certain finding."""
    return {f"{finding.span.row} {finding.rule}" for finding in check_source(dedent(source).lstrip("\n"))}


WINDOW = """
import torch
{above}
def train(loader, model, optimizer{parameters}):
    for step, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(x), y)
        (loss / {window}).backward()
        if (step + 1) % {window} == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize("window", ["CFG.accum", "CFG().accum", "Child.accum", "Setting.NOW.value"])
@pytest.mark.parametrize("wrong", [False, True])
def test_a_class_holds_the_settings(window: str, wrong: bool) -> None:
    above = (
        "import enum\nclass CFG:\n    accum = 2\nclass Child(CFG):\n    lr = 0.1\n"
        "class Setting(enum.Enum):\n    NOW = enum.auto()\n"
    )
    source = WINDOW.format(above=above, window=window, parameters="")
    if wrong:
        source = source.replace(f"(loss / {window})", "loss")
    rules = {one.split()[1] for one in found(source)}
    assert rules == ({"unscaled-accumulation-loss"} if wrong else set())


def test_a_class_constant_of_one_is_there_to_be_raised() -> None:
    source = WINDOW.format(above="class CFG:\n    accum = 1\n", window="CFG.accum", parameters="")
    assert found(source) == set()
    assert found(source.replace("(loss / CFG.accum)", "loss")) == {"8 unscaled-accumulation-loss"}


def test_a_class_attribute_is_set_from_outside() -> None:
    above = "class CFG:\n    accum = 1\ndef parse(args):\n    pass\nCFG.accum = 4\n"
    assert found(WINDOW.format(above=above, window="CFG.accum", parameters="")) == set()


SUMS = """
import torch

def train(model, loader, opt):
    opt.zero_grad()
    for i, b in enumerate(loader):
        losses = model(b)
        scaled = {scaled}
        sum(scaled.values()).backward()
        if (i + 1) % 4 == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()
"""


@pytest.mark.parametrize(
    ("scaled", "wrong"),
    [
        ("{k: v / 4 for k, v in losses.items()}", False),
        ("dict((k, v / 4) for k, v in losses.items())", False),
        ("dict([(k, v / 4) for k, v in losses.items()])", False),
        ("{k: v for k, v in losses.items()}", True),
        ("losses", True),
    ],
)
def test_a_dictionary_of_losses(scaled: str, wrong: bool) -> None:
    assert found(SUMS.format(scaled=scaled)) == ({"8 unscaled-accumulation-loss"} if wrong else set())


KEPT = """
def train(model, criterion, loader, optimizer, epochs, weights):
    for epoch in range(epochs):
        running, totals = 0.0, {{"a": 0.0, "b": 0.0}}
        for x, y in loader:
            {losses}
            {total}
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            {kept}
        print(epoch, running / len(loader), totals)
"""
FROM_CRITERION, FROM_MODEL = "losses = criterion(model(x), y)", "losses = model(x, y)"
OF_ALL = [
    "total = sum(losses.values())",
    "total = sum(loss for loss in losses.values())",
    "total = sum([loss for loss in losses.values()])",
    "total = sum(weights[name] * loss for name, loss in losses.items())",
    "total = sum(loss for k, loss in losses.items() if k in weights)",
    "total = 0.0\n            for loss in losses.values():\n                total = total + loss",
    "total = 0.0\n            for k, loss in losses.items():\n                total += loss * weights[k]",
]


@pytest.mark.parametrize(("kept", "wrong"), [("running += total", True), ("running += total.item()", False)])
@pytest.mark.parametrize("total", OF_ALL)
@pytest.mark.parametrize("losses", [FROM_CRITERION, FROM_MODEL])
def test_sums_over_a_dictionary_of_losses(losses: str, total: str, kept: str, wrong: bool) -> None:
    assert names(KEPT.format(losses=losses, total=total, kept=kept)) == (["loss-graph-leak"] if wrong else [])


def test_a_sum_over_the_names_of_losses() -> None:
    losses = 'losses = {"a": criterion(model(x), y), "b": model(x).mean()}'
    total = "total = sum(losses[name] for name in losses)"
    assert names(KEPT.format(losses=losses, total=total, kept="running += total")) == ["loss-graph-leak"]
    assert names(KEPT.format(losses=losses, total=total, kept="running += float(total)")) == []


ENTRIES = "for k, v in losses.items():\n                totals[k] += v"


@pytest.mark.parametrize(
    ("losses", "total", "kept", "wrong"),
    [
        (FROM_CRITERION, OF_ALL[0], ENTRIES, True),
        (FROM_CRITERION, OF_ALL[0], f"{ENTRIES}.detach()", False),
        (FROM_CRITERION, OF_ALL[0], f"{ENTRIES}.item()", False),
        (
            FROM_CRITERION,
            OF_ALL[0],
            f"losses = {{k: v.item() for k, v in losses.items()}}\n            {ENTRIES}",
            False,
        ),
        (FROM_CRITERION, 'total = losses["total"]', ENTRIES, False),
        ("total, losses = criterion(model(x), y)", "pass", ENTRIES, False),
    ],
)
def test_what_is_kept_of_each_loss(losses: str, total: str, kept: str, wrong: bool) -> None:
    assert names(KEPT.format(losses=losses, total=total, kept=kept)) == (["loss-graph-leak"] if wrong else [])


NETWORKS = """
import torch

def train(nets, loader):
    opts = {opts}
    scaler = torch.amp.GradScaler()
    for x in loader:
        for k in ("a", "b"):
            opts[k].zero_grad()
            with torch.autocast("cuda"):
                loss = nets[k](x).mean()
            scaler.scale(loss).backward()
            scaler.step(opts[k])
        {update}
"""


@pytest.mark.parametrize("update", ["scaler.update()", "pass"])
@pytest.mark.parametrize(
    "opts",
    ["{k: torch.optim.SGD(nets[k].parameters(), 0.1) for k in ('a', 'b')}", "dict(a=A, b=B)"],
)
def test_optimizers_of_a_dictionary_stay_apart(opts: str, update: str) -> None:
    made = opts.replace("A,", "torch.optim.SGD(nets['a'].parameters(), 0.1),").replace(
        "b=B", "b=torch.optim.SGD(nets['b'].parameters(), 0.1)"
    )
    rules = {one.split()[1] for one in found(NETWORKS.format(opts=made, update=update))}
    assert rules == (set() if update != "pass" else {"missing-scaler-update"})


HANDED = """
import contextlib
from torch.nn.parallel import DistributedDataParallel as DDP

def context(model, i, n):
    if {test}:
        return {first}
    return {second}

def train(net, optimizer, windows):
    model = DDP(net)
    for batches in windows:
        optimizer.zero_grad()
        for i, b in enumerate(batches):
            with context(model, i, len(batches)):
                loss = model(b).mean() / len(batches)
                loss.backward()
        optimizer.step()
"""
OFF, ON = "model.no_sync()", "contextlib.nullcontext()"


@pytest.mark.parametrize(
    ("test", "first", "second"),
    [("i < n - 1", OFF, ON), ("i + 1 != n", OFF, ON), ("i == n - 1", ON, OFF), ("i + 1 >= n", ON, OFF)],
)
def test_a_helper_hands_out_the_context(test: str, first: str, second: str) -> None:
    assert found(HANDED.format(test=test, first=first, second=second)) == set()


def test_a_helper_hands_out_no_context() -> None:
    assert found(HANDED.format(test="i < n - 1", first=ON, second=ON)) == {"16 missing-no-sync"}


def test_lightning_hands_out_two_optimizers() -> None:
    source = """
        import lightning.pytorch as pl
        import torch

        class GAN(pl.LightningModule):
            def __init__(self, g, d):
                super().__init__()
                self.automatic_optimization = False
                self.g, self.d = g, d

            def configure_optimizers(self):
                return [torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())]

            def training_step(self, batch, batch_idx):
                first, second = self.optimizers()
                self.manual_backward(self.g(batch).mean() / 4)
                if (batch_idx + 1) % 4 == 0 or self.trainer.is_last_batch:
                    first.step()
                    first.zero_grad()
    """
    assert found(source) == set()


CLEARING = """
import torch

def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        for name, p in model.named_parameters():
            if {test}:
                p.grad = None
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("test", "wrong"),
    [
        ("'prototypes' in name", False),
        ("p.dim() == 1", False),
        ("name in frozen and p.grad is not None", False),
        ("p.grad is not None", True),
        ("p.requires_grad", True),
    ],
)
def test_clearing_some_gradients(test: str, wrong: bool) -> None:
    assert bool(found(CLEARING.format(test=test))) is wrong


def test_each_fold_has_an_optimizer_of_its_own() -> None:
    source = """
        import torch
        from models import Net

        def epoch_of(model, loader, optimizer):
            for step, (x, y) in enumerate(loader):
                (torch.nn.functional.mse_loss(model(x), y) / 2).backward()
                if (step + 1) % 2 == 0:
                    optimizer.step()
                    optimizer.zero_grad()

        def main(loader, folds, epochs):
            for fold in folds:
                model = Net()
                optimizer = torch.optim.AdamW(model.parameters())
                for epoch in range(epochs):
                    epoch_of(model, loader, optimizer)
    """
    assert found(source) == {"7 dropped-accumulation-tail"}


ACCELERATED = """
import torch
from accelerate import Accelerator

def main(args, model, loader{parameters}):
    optimizer = torch.optim.AdamW(model.parameters())
    {made}
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for step, batch in enumerate(loader):
        accelerator.backward(model(**batch).loss)
        if (step + 1) % args.accumulation_steps == 0 or step == len(loader) - 1:
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("made", "parameters", "wrong"),
    [
        ("accelerator = Accelerator()", "", True),
        ("accelerator = Accelerator(mixed_precision='bf16')", "", True),
        ("accelerator = Accelerator(gradient_accumulation_steps=args.accumulation_steps)", "", False),
        ("accelerator = Accelerator(**settings)", ", settings", False),
        ("accelerator = Accelerator(gradient_accumulation_plugin=plugin)", ", plugin", False),
        ("pass", ", accelerator", False),
    ],
)
def test_a_window_beside_accelerate(made: str, parameters: str, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(ACCELERATED.format(made=made, parameters=parameters))}
    assert rules == ({"unscaled-accumulation-loss"} if wrong else set())


FOLDS = """
import torch
from accelerate import Accelerator
from models import Net

def main(args, data):
    accelerator = Accelerator()
    for loader in data.folds():
        accelerator = Accelerator()
        model = Net()
        optimizer = torch.optim.AdamW(model.parameters())
        model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
        for epoch in range(args.epochs):
            model.train()
            optimizer.zero_grad()
            for step, (x, y) in enumerate(loader):
                loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
                accelerator.backward(loss)
                if {test} or step + 1 == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
"""


@pytest.mark.parametrize(("test", "wrong"), [("step % args.accum == 0", True), ("(step + 1) % args.accum == 0", False)])
@pytest.mark.parametrize("made", ["    accelerator = Accelerator()\n", "        accelerator = Accelerator()\n"])
def test_the_optimizer_of_the_next_fold_does_not_share_a_count(made: str, test: str, wrong: bool) -> None:
    source = FOLDS.format(test=test).replace(f":\n{made}", ":\n", 1)
    assert names(source) == (["accumulation-off-by-one"] if wrong else [])


def test_optimizers_that_take_turns_share_accelerates_count() -> None:
    source = """
        import torch
        from accelerate import Accelerator

        def main(gen, disc, loader):
            accelerator = Accelerator(gradient_accumulation_steps=4)
            opt_g = torch.optim.AdamW(gen.parameters())
            opt_d = torch.optim.AdamW(disc.parameters())
            gen, disc, opt_g, opt_d, loader = accelerator.prepare(gen, disc, opt_g, opt_d, loader)
            for x in loader:
                with accelerator.accumulate(disc):
                    accelerator.backward(disc(x).mean() / 4)
                    opt_d.step()
                    opt_d.zero_grad()
                with accelerator.accumulate(gen):
                    accelerator.backward(gen(x).mean() / 4)
                    opt_g.step()
                    opt_g.zero_grad()
    """
    assert found(source) == set()


UNKNOWN_WEIGHT = """
import torch
from accelerate import Accelerator

def main(args, model, head, loader):
    accelerator = Accelerator({made})
    optimizer = torch.optim.AdamW([*model.parameters(), *head.parameters()])
    model, head, optimizer, loader = accelerator.prepare(model, head, optimizer, loader)
    for x, t in loader:
        with accelerator.accumulate(model, head):
            out, deviation = model(x)
            loss = (out - x).square().mean() / torch.exp(deviation)
            {divided}
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
"""
BY_ARGS = "gradient_accumulation_steps=args.window"


@pytest.mark.parametrize(
    ("made", "divided", "wrong"),
    [
        (BY_ARGS, "loss = loss / args.window", True),
        (BY_ARGS, "loss /= args.window", True),
        (BY_ARGS, "loss = args.a * loss + args.b * head(x).mean(); loss = loss / args.window", True),
        (BY_ARGS, "loss = (loss + head(x).mean()) / args.window", True),
        (BY_ARGS, "pass", False),
        (BY_ARGS, "loss = loss / args.terms", False),
        (BY_ARGS, "terms = 3; loss = loss / terms", False),
        (BY_ARGS, "loss = (loss + 0.1 * out.mean() + head(x).mean()) / 3", False),
        (BY_ARGS, "loss = loss + head(x).mean() / args.window", False),
        ("", "loss = loss / args.window", False),
        ("gradient_accumulation_steps=1", "loss = loss / args.window", False),
        ("gradient_accumulation_steps=args.gas", "loss = loss / args.window", False),
    ],
)
def test_accelerate_divides_by_its_window(made: str, divided: str, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(UNKNOWN_WEIGHT.format(made=made, divided=divided))}
    assert rules == ({"accumulation-divisor-mismatch"} if wrong else set())


def test_a_division_that_is_taken_back_leaves_the_accelerators() -> None:
    divided = "loss = head(x).mean() * args.window / args.window"
    assert found(UNKNOWN_WEIGHT.format(made=BY_ARGS, divided=divided)) == set()


def test_an_accelerator_from_outside_may_have_any_window() -> None:
    source = """
        class Trainer:
            def __init__(self, accelerator, model, optimizer):
                self.accelerator = accelerator
                self.model, self.optimizer = accelerator.prepare(model, optimizer)

            def train_epoch(self, loader):
                for batch in loader:
                    self.optimizer.zero_grad()
                    self.accelerator.backward(self.model(**batch).loss)
                    self.optimizer.step()
    """
    assert found(source) == set()


COPIES = """
import copy
import torch

def train(backbone, loader, held):
    student = copy.deepcopy(backbone)
    other = copy.deepcopy(backbone)
    opt = torch.optim.AdamW(student.parameters())
    student.train()
    for i, (x, y) in enumerate(loader):
        opt.zero_grad()
        torch.nn.functional.cross_entropy(student(x), y).backward()
        opt.step()
        if i % 100 == 0:
            {evaluated}.eval()
            with torch.no_grad():
                for tx, ty in held:
                    {evaluated}(tx)
"""


@pytest.mark.parametrize("evaluated", ["student", "other"])
def test_two_copies_are_two_models(evaluated: str) -> None:
    rules = {one.split()[1] for one in found(COPIES.format(evaluated=evaluated))}
    assert rules == ({"missing-train-mode"} if evaluated == "student" else set())


COUNTED = """
import torch

class Trainer:
    def __init__(self, model, optimizer, accum):
        self.model, self.optimizer, self.accum = model, optimizer, accum

    def train_epoch(self, epoch, loader):
        for idx, (x, y) in enumerate(loader):
            it = idx + epoch * len(loader){one}
            loss = torch.nn.functional.mse_loss(self.model(x), y)
            (loss / self.accum).backward()
            if it % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
"""


@pytest.mark.parametrize(("one", "wrong"), [("", True), (" + 1", False)])
def test_the_epoch_is_a_parameter(one: str, wrong: bool) -> None:
    assert ("12 accumulation-off-by-one" in found(COUNTED.format(one=one))) is wrong


def test_a_record_kept_elsewhere_knows_the_epoch() -> None:
    source = """
        from elsewhere import Context

        class Trainer:
            def fit(self, model, optimizer, loader, epochs):
                context = Context()
                for epoch in range(epochs):
                    context.update_context(epoch=epoch)
                    for i, (x, y) in enumerate(loader):
                        self.fire("on_batch_start", context)
                        loss = self.criterion(model(x), y)
                        loss.backward()
                        if (i + 1 + len(loader) * context.epoch) % self.batch_accumulate == 0:
                            optimizer.step()
                            optimizer.zero_grad()
    """
    assert found(source) == {"11 unscaled-accumulation-loss"}


def test_exists_asks_for_none() -> None:
    source = """
        import torch
        from helpers import exists

        def train(args, model, optimizer, loader, scaler=None):
            for i, (x, y) in enumerate(loader):
                loss = torch.nn.functional.mse_loss(model(x), y) / args.accum
                scaler.scale(loss).backward() if exists(scaler) else loss.backward()
                if (i + 1) % args.accum == 0 or i + 1 == len(loader):
                    scaler.step(optimizer) if exists(scaler) else optimizer.step()
                    scaler.update() if exists(scaler) else None
                    optimizer.zero_grad()
    """
    assert found(source) == set()
    assert {one.split()[1] for one in found(source.replace(" / args.accum", ""))} == {"unscaled-accumulation-loss"}


SWITCHED = """
import torch

class Trainer:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.opt = torch.optim.Adam(model.parameters())
        self.scaler = torch.amp.GradScaler()

    def epoch(self, loader):
        for x in loader:
            self.opt.zero_grad()
            if self.cfg["fp16"]:
                self.scaler.scale(self.model(x).mean()).backward()
            else:
                self.model(x).mean().backward()
            {unscale}
            if self.cfg["clip"]:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            if self.cfg["fp16"]:
                self.scaler.step(self.opt)
                self.scaler.update()
            else:
                self.opt.step()
"""


@pytest.mark.parametrize(
    ("unscale", "wrong"),
    [
        ("pass", True),
        ("if self.cfg['fp16']: self.scaler.unscale_(self.opt)", False),
        ("if self.cfg['unscale']: self.scaler.unscale_(self.opt)", False),
    ],
)
def test_switches_of_their_own(unscale: str, wrong: bool) -> None:
    assert {one.split()[1] for one in found(SWITCHED.format(unscale=unscale))} == (
        {"clip-scaled-gradients"} if wrong else set()
    )


def test_an_actor_that_is_not_trained_yet() -> None:
    source = """
        import torch

        class PPO:
            def __init__(self, policy):
                self.policy = policy

            def update(self, s, update_actor=True):
                policy_loss, value_loss = self.losses(s)
                self.policy.actor_optimizer.zero_grad()
                if update_actor:
                    policy_loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.actor.parameters(), 1.0)
                self.policy.actor_optimizer.step()
                self.policy.critic_optimizer.zero_grad()
                value_loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.critic.parameters(), 1.0)
                self.policy.critic_optimizer.step()

            def train(self, buffer, update_actor=True):
                for s in buffer:
                    self.update(s, update_actor)
    """
    assert found(source) == set()


TAILED = """
def train(model, loader, optimizer, loss_fn, args):
    accum_steps = args.accum_steps
    last = len(loader) % accum_steps
    start = len(loader) - last
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        {before}
        if i >= start:
            accum_steps = last
        {after}
        (loss_fn(model(x), y) / accum_steps).backward()
        if need:
            optimizer.step()
            optimizer.zero_grad()
"""
NEED = "need = i + 1 == len(loader) or (i + 1) % accum_steps == 0"


def test_a_tail_that_is_computed_is_looked_at_with_more_than_one_batch() -> None:
    right = "need = i + 1 == len(loader) or (i + 1) % args.accum_steps == 0"
    assert found(TAILED.format(before=right, after="pass")) == set()
    findings = check_source(TAILED.format(before=NEED, after="pass"))
    assert [finding.rule for finding in findings] == ["accumulation-divisor-mismatch"]
    assert findings[0].message.startswith("Near the end of an epoch")


ZEROED = """
def train_step(model, optimizer, loss_fn, batch, batch_idx, accum):
    x, y = batch
    {first}
    loss = loss_fn(model(x), y) / accum
    loss.backward()
    if (batch_idx + 1) % accum == 0:
        optimizer.step()


def fit(model, optimizer, loss_fn, loader, epochs, accum):
    for epoch in range(epochs):
        for i, batch in enumerate(loader):
            train_step(model, optimizer, loss_fn, batch, i, accum)
"""


def test_a_zero_at_the_windows_end_does_not_excuse_the_tail() -> None:
    misplaced = ZEROED.format(first="if (batch_idx + 1) % accum == 0:\n        optimizer.zero_grad()")
    assert {one.split()[1] for one in found(misplaced)} == {"zero-grad-in-accumulation", "dropped-accumulation-tail"}
    assert {one.split()[1] for one in found(ZEROED.format(first="optimizer.zero_grad()"))} == {
        "zero-grad-in-accumulation"
    }


CHUNKED = """
import torch

def update(model, optimizer, images, labels, size):
    optimizer.zero_grad()
    for x, y in zip({pieces}):
        loss = torch.nn.functional.cross_entropy(model(x), y)
        {weighed}.backward()
    optimizer.step()

def fit(model, optimizer, loader):
    for images, labels in loader:
        update(model, optimizer, images, labels, 16)
"""


@pytest.mark.parametrize(
    ("pieces", "weighed", "wrong"),
    [
        ("images.split(size), labels.split(size)", "loss", True),
        ("torch.chunk(images, 4), torch.chunk(labels, 4)", "loss", True),
        ("images.split(size), labels.split(size)", "(loss * len(x) / len(images))", False),
        ("images.split(size, 1), labels.split(size, 1)", "loss", False),
    ],
)
def test_a_batch_that_is_cut_into_micro_batches(pieces: str, weighed: str, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(CHUNKED.format(pieces=pieces, weighed=weighed))}
    assert rules == ({"unscaled-accumulation-loss"} if wrong else set())


HELPER = """
import torch

def limit(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0){more}

def train(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        limit(model)
        model(x).mean().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("more", "row"), [("", 9), ("\n    model.zero_grad()", 4)])
def test_where_a_mistake_in_a_helper_stands(more: str, row: int) -> None:
    rows = {one.partition(" ")[0] for one in found(HELPER.format(more=more)) if "clip-before-backward" in one}
    assert rows == {str(row if not more else 4)}


@pytest.mark.parametrize("meter", ["losses_m", "self.meters['loss']", "top1", "batch_time", "pbar", "metric_logger"])
def test_a_meter_touches_no_gradient(meter: str) -> None:
    source = """
        import torch
        from utils import make

        class Trainer:
            def epoch(self, model, optimizer, loader, meters):
                losses_m = top1 = batch_time = pbar = metric_logger = make()
                for i, (x, y) in enumerate(loader):
                    loss = torch.nn.functional.cross_entropy(model(x), y)
                    METER.update(loss, x.size(0))
                    loss.backward()
                    if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                        optimizer.step()
                        optimizer.zero_grad()
    """
    assert "unscaled-accumulation-loss" in {one.split()[1] for one in found(source.replace("METER", meter))}


def test_weights_that_add_up_to_nothing() -> None:
    source = """
        def train(loader, model, opt, flag, w1, w2):
            def part(x, on):
                pass
            for x in loader:
                opt.zero_grad()
                a, b = part(x, flag), part(x, flag)
                total = (a if a is not None else 0.0) + (b if b is not None else 0.0)
                loss = (w1 if flag else w2) * total
                loss.backward()
                opt.step()
    """
    assert found(source) == set()


DEEPSPEED = """
import deepspeed

def train(args, net, data):
    config = {{"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": {steps}}}
    engine, _, loader, _ = deepspeed.initialize(model=net, training_data=data, config=config)
    for step, batch in enumerate(loader):
        loss = engine(**batch).loss{divided}
        engine.backward(loss)
        {step}
"""


@pytest.mark.parametrize(
    ("steps", "divided", "step", "wrong"),
    [
        ("8", " / 8", "engine.step()", True),
        ("args.gas", " / args.gas", "engine.step()", True),
        ("args.gas", "", "engine.step()", False),
        ("8", " / 2", "engine.step()", False),
        ("args.gas", "; loss /= args.gas", "engine.step()", True),
        ("args.gas", "; loss /= args.terms", "engine.step()", False),
        ("1", " / 4", "if (step + 1) % 4 == 0: engine.step()", False),
    ],
)
def test_deepspeed_divides_by_its_window(steps: str, divided: str, step: str, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(DEEPSPEED.format(steps=steps, divided=divided, step=step))}
    assert rules == ({"accumulation-divisor-mismatch"} if wrong else set())


def names(source: str) -> list[str]:
    """The rules of every certain finding."""
    return sorted(one.split()[1] for one in found(source))


DEAD_END = """
import torch
from timm.utils import NativeScaler

def train_one_epoch(model, loader, optimizer, loss_scaler, bf16=False):
    dtype = torch.bfloat16 if bf16 else torch.float16
    for videos, target in loader:
        if loss_scaler is None:
            with torch.autocast("cuda", dtype=dtype):
                loss = (model(videos) - target).mean()
        else:
            assert False
        if loss_scaler is None:
            model.backward(loss)
            model.step()
        else:
            optimizer.zero_grad()
            loss_scaler(loss, optimizer, parameters=model.parameters())
"""


def test_a_branch_that_always_fails_is_no_way_on() -> None:
    assert names(DEAD_END) == []


REDUCED_BY_HAND = """
import torch
from apex.parallel import DistributedDataParallel as DDP

def train(model, optimizer, loader, n):
    model = DDP(model)
    for step, batch in enumerate(loader):
        model.disable_allreduce()
        if (step + 1) % n == 0:
            model.enable_allreduce()
        (model(batch) / n).backward()
        if (step + 1) % n == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
"""


def test_apex_switches_its_all_reduce() -> None:
    assert "missing-no-sync" not in names(REDUCED_BY_HAND)
    bare = REDUCED_BY_HAND.replace("        model.disable_allreduce()\n", "")
    assert "missing-no-sync" in names(bare)


def test_a_wrapper_may_update_its_scaler() -> None:
    source = """
def train(model, optimizer, loader, accel):
    for x, y in loader:
        optimizer.zero_grad()
        accel.backward(criterion(model(x), y))
        accel.scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 10.0)
        accel.step(optimizer)
        UPDATE
"""
    assert names(source.replace("UPDATE", "accel.update()")) == []
    assert names(source.replace("UPDATE", "accel.update()").replace("accel", "accelerator")) == []
    assert "double-unscale" in names(source.replace("UPDATE", "print(x)"))


def test_a_tail_that_leaks_is_told_once() -> None:
    source = """
def main(args, model, optimizer, loader):
    for epoch in range(args.epochs):
        n = 0
        for x in loader:
            loss = model(x) / args.accum
            n += 1
            loss.backward()
            if n % args.accum == 0:
                optimizer.step()
                optimizer.zero_grad()
"""
    assert names(source) == ["dropped-accumulation-tail"]


def test_what_is_annotated_in_the_schedulers_module_is_one() -> None:
    source = """
from typing import Optional
import torch

class Trainer:
    def __init__(self, model, optimizer, moves: Optional[torch.optim.lr_scheduler.Optimizer] = None):
        self.model, self.optimizer, self.moves = model, optimizer, moves

    def train(self, loader):
        for idx, (x, y) in enumerate(loader):
            criterion(self.model(x), y).backward()
            self.optimizer.step()
            if self.moves:
                self.moves.step(idx)
            self.optimizer.zero_grad()
"""
    assert names(source) == []


@pytest.mark.parametrize(
    ("flag", "wrong"), [("k == size(args) - 1", False), ("plan(k)", False), ("True", True)], ids="size plan on".split()
)
def test_a_switch_that_nobody_can_compute_is_no_all_reduce(flag: str, wrong: bool) -> None:
    source = f"""
from torch.nn.parallel import DistributedDataParallel as DDP

def main(args, model, optimizer, loader):
    model = DDP(model)
    for step in range(args.steps):
        for k in range(args.accum):
            x, y = next(loader)
            model.require_backward_grad_sync = {flag}
            loss = model(x, y) / args.accum
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
"""
    assert ("missing-no-sync" in names(source)) is wrong


@pytest.mark.parametrize(
    ("length", "wrong"),
    [
        ("epochs * len(loader)", False),
        ("3 * len(loader)", False),
        ("total", False),
        ("int(0.9 * total)", False),
        ("epochs * len(loader) // 2", True),
        ("updates", True),
        ("shrunk", True),
        ("EPOCHS", False),
        ("10", False),
        ("UPDATES", True),
    ],
)
def test_a_schedule_as_long_as_all_batches_moves_with_each(length: str, wrong: bool) -> None:
    source = f"""
import torch
EPOCHS = 10
UPDATES = 10

def fit(model, loader, optimizer, epochs):
    total = epochs * len(loader)
    updates = total // 2
    shrunk = epochs * len(loader)
    shrunk //= 2
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max={length})
    for epoch in range(epochs):
        for i, x in enumerate(loader):
            (model(x) / 2).backward()
            if (i + 1) % 2 == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
            scheduler.step()
"""
    assert ("scheduler-per-micro-batch" in names(source)) is wrong


BOUNDARY = """
import torch
class Scaler:
    def __init__(self):
        self.scaler = torch.amp.GradScaler()
    def __call__(self, loss, opt, update=True):
        self.scaler.scale(loss).backward()
        if update:
            self.scaler.step(opt)
            self.scaler.update()
def train(model, loader, opt, scaler, accum):
    for it, x in enumerate(loader):
        with torch.autocast("cuda"):
            loss = model(x) / accum
        last = {test}
        scaler(loss, opt, {handed})
        if last:
            opt.zero_grad()
def main(model, loader):
    train(model, loader, torch.optim.SGD(model.parameters(), 0.1), Scaler(), {window})
"""


@pytest.mark.parametrize("handed", ["last", "update=last", "update={test}", "update=not (not last)"])
@pytest.mark.parametrize("window", [4, 8])
@pytest.mark.parametrize("wrong", [False, True])
def test_the_end_of_a_window_is_handed_over(handed: str, window: int, wrong: bool) -> None:
    test = f"{'it' if wrong else '(it + 1)'} % accum == 0 or it + 1 == len(loader)"
    source = BOUNDARY.format(test=test, handed=handed.format(test=test), window=window)
    assert found(source) == ({"7 accumulation-off-by-one"} if wrong else set())


GROUP = """
from contextlib import ExitStack, nullcontext
from torch.nn.parallel import DistributedDataParallel as DDP
def update(net, optimizer, samples):
    model = DDP(net)
    optimizer.zero_grad()
    {above}
    for i, sample in enumerate(samples):
        {sync}
            (model(sample) / {length}).backward()
    optimizer.step()
def train(net, optimizer, groups):
    for samples in groups:
        update(net, optimizer, samples)
"""


@pytest.mark.parametrize(
    "sync",
    [
        "with model.no_sync() if {last} else nullcontext():",
        "with ExitStack() as stack:\n            if {last}: stack.enter_context(model.no_sync())",
    ],
)
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(("last", "rules"), [("i < {n} - 1", set()), ("i < {n}", {"step-without-sync"})])
def test_a_group_is_as_long_as_the_loop_over_it(sync: str, before: bool, last: str, rules: set[str]) -> None:
    """`samples` is what one update takes, and its length is asked inside the loop or before it."""
    length = "n" if before else "len(samples)"
    source = GROUP.format(
        above="n = len(samples)" if before else "pass",
        sync=sync.format(last=last.format(n=length)),
        length=length,
    )
    assert {told.split()[1] for told in found(source)} == rules


WEIGHED = """
from torch import nn
class Weighed(nn.Module):
    def __init__(self, net, {name}):
        super().__init__()
        self.net, self.{name} = net, {name}
    def forward(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        {divide}
        return loss
def train(net, loader, opt, accum):
    model = Weighed(net, {given})
    for i, (x, y) in enumerate(loader, 1):
        model(x, y).backward()
        if i % accum == 0 or i == len(loader):
            opt.step()
            opt.zero_grad()
"""


@pytest.mark.parametrize(
    ("name", "divide", "given", "wrong"),
    [
        ("n_accum", "loss = loss / self.n_accum", "accum", False),
        ("accum", "loss /= self.accum", "accum", False),
        ("accum", "loss = loss * self.accum", "accum", True),
        ("width", "loss = loss / self.width", "accum", False),
        ("width", "loss = loss / self.width", "net.width", True),
    ],
)
def test_a_forward_may_divide_by_the_window(name: str, divide: str, given: str, wrong: bool) -> None:
    source = WEIGHED.format(name=name, divide=divide, given=given)
    assert found(source) == ({"13 unscaled-accumulation-loss"} if wrong else set())


PIECES = """
import torch
def split(batch, n{more}):
    return zip(batch["x"].chunk(n{more}), batch["y"].chunk(n))
def train(model, stream, opt, updates):
    for _ in range(updates):
        opt.zero_grad()
        for x, y in split(next(stream), 4{given}):
            loss = torch.nn.functional.mse_loss(model(x), y)
            {backward}
        opt.step()
"""


@pytest.mark.parametrize(
    "call", ["batch['x'].chunk({n})", "torch.chunk(batch['x'], {n})", "torch.chunk(chunks={n}, input=batch['x'])"]
)
@pytest.mark.parametrize("count", ["2", "4", "n"])
@pytest.mark.parametrize("part", ["{n}", "len(pieces)"])
@pytest.mark.parametrize("wrong", [False, True])
def test_a_batch_is_cut_into_so_many(call: str, count: str, part: str, wrong: bool) -> None:
    source = f"""
        import torch
        def train(model, stream, opt, updates, n):
            for _ in range(updates):
                opt.zero_grad()
                batch = next(stream)
                pieces = {call.format(n=count)}
                for x in pieces:
                    loss = model(x).mean()
                    ({"loss" if wrong else "loss / " + part.format(n=count)}).backward()
                opt.step()
        """
    assert {told.split()[1] for told in found(source)} == set()
    every = {finding.rule for finding in check_source(dedent(source), pedantic=True)}
    assert every == ({"unscaled-accumulation-loss"} if wrong else set())


@pytest.mark.parametrize(
    ("backward", "more", "wrong"),
    [("loss.backward()", "", True), ("(loss / 4).backward()", "", False), ("loss.backward()", ", dim", False)],
)
def test_a_helper_cuts_the_batch(backward: str, more: str, wrong: bool) -> None:
    """Along which dimension decides whether its pieces are micro-batches."""
    source = PIECES.format(backward=backward, more=more, given=", 1" if more else "")
    assert found(source) == ({"9 unscaled-accumulation-loss"} if wrong else set())


FACTORY = """
import torch
from project import make_optimizer

def train(model, loader, args):
    optimizer = make_optimizer(args, model.parameters())
    for x, y in loader:
        mask = {mask}
        loss = ((model(x) - y) ** 2 * mask).mean()
        loss.backward()
        optimizer.step()
        {after}
"""


@pytest.mark.parametrize("mask", ["(y != 0).nonzero_mask()", "torch.zeros(3)", "y.non_zero", "torch.zeros_like(y)"])
def test_a_tensor_of_zeros_clears_no_gradient(mask: str) -> None:
    assert found(FACTORY.format(mask=mask, after="")) == {"10 missing-zero-grad"}


@pytest.mark.parametrize(
    "after",
    [
        "optimizer.zero_grad()",
        "args.hooks(zero_grad=True)",
        "args.zeroGradients()",
        "model.w.grad = torch.zeros_like(model.w)",
        "model.w.grad.data = torch.zeros(3)",
        "args.weight.grad.zero_()",
    ],
)
def test_a_factorys_optimizer_may_clear_where_the_file_shows_a_way(after: str) -> None:
    assert found(FACTORY.format(mask="1", after=after)) == set()


SPREAD = """
import torch
from contextlib import suppress
from functools import partial

class Base:
    def __init__(self, model, device="cuda", precision="float32", **others):
        dtype = None
        if precision == "amp":
            dtype = torch.float16
        if dtype is not None:
            self.autocast = partial(torch.autocast, device_type=device, dtype=dtype)
        else:
            self.autocast = suppress
        self.model = model

class Runner(Base):
    def __init__(self, model, device="cuda", **others):
        super().__init__(model=model, device=device, **others)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            with self.autocast():
                self.model(x).mean().backward()
            self.optimizer.step()

def main(args, model, loader):
    settings = {settings}
    Runner(model, **settings).run(loader)
"""


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ("vars(args).copy()", True),
        ("args.settings", True),
        ("dict(precision='amp')", True),
        ("dict(lr=0.1)", False),
        ("dict(precision='float32')", False),
        ("dict(**vars(args), precision='float32')", False),
        ("{}", False),
    ],
)
def test_what_a_spread_dictionary_may_hold_is_no_default(settings: str, wrong: bool) -> None:
    assert found(SPREAD.format(settings=settings)) == ({"25 backward-in-autocast"} if wrong else set())


FALLBACK = """
import torch
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

def main(args, model, optimizer, data):
    gpus = torch.cuda.device_count()
    {guard}
        gpus = 1
    sampler = DistributedSampler(data) if gpus > 1 else None
    loader = DataLoader(data, sampler=sampler)
    for epoch in range(args.epochs):
        {told}
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()
"""


@pytest.mark.parametrize(
    ("guard", "told", "wrong"),
    [
        ("if gpus > 1 and not args.group:", "pass", True),
        ("if args.single:", "pass", True),
        ("if gpus > 1 and not args.group:", "sampler.set_epoch(epoch)", False),
        ("if True:", "pass", False),
        ("while gpus > 1:", "pass", False),
    ],
)
def test_a_fallback_that_nobody_can_compute_is_not_always_taken(guard: str, told: str, wrong: bool) -> None:
    assert found(FALLBACK.format(guard=guard, told=told)) == ({"11 missing-set-epoch"} if wrong else set())


APEX = """
{imported}

def train(model, loader, optimizer, accum):
    for step, x in enumerate(loader):
        loss = model(x).mean() / accum
        with {context} as scaled:
            scaled.backward()
            if (step + 1) % accum == 0 or step + 1 == len(loader):
                {inside}
        if (step + 1) % accum == 0 or step + 1 == len(loader):
            {behind}
            optimizer.step()
            optimizer.zero_grad()
"""
CLIP = "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"


@pytest.mark.parametrize(
    ("imported", "context", "inside", "behind", "wrong"),
    [
        ("import torch\nfrom apex import amp", "amp.scale_loss(loss, optimizer)", CLIP, "pass", True),
        ("import torch, apex.amp", "apex.amp.scale_loss(loss, optimizer)", CLIP, "pass", True),
        ("import torch\nfrom apex import amp", "amp.scale_loss(loss, optimizer)", "pass", CLIP, False),
        ("import torch\nfrom apex import amp", "amp.scale_loss(loss, optimizer)", "pass", "pass", False),
        ("import torch\nfrom mine import amp", "amp.scale_loss(loss, optimizer)", CLIP, "pass", False),
    ],
)
def test_apex_unscales_where_its_context_ends(
    imported: str, context: str, inside: str, behind: str, wrong: bool
) -> None:
    source = APEX.format(imported=imported, context=context, inside=inside, behind=behind)
    assert {one.split()[1] for one in found(source)} == ({"clip-scaled-gradients"} if wrong else set())


EVALUATION = """
import torch
from {module} import {name}

def validate(model, loader, score):
    model.eval()
    total = 0
    for x, y in loader:
        out = {forward}
        {then}
    model.train()
    return total

def main(model, loader, held_out, score, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        print(validate(model, held_out, score))
"""


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, True),
        ({"forward": "model.forward(x)"}, True),
        ({"module": "torch.autograd", "name": "Variable"}, True),
        ({"forward": "model.predict(x)"}, False),
        ({"forward": "score.model(x)"}, False),
        ({"module": "torch", "name": "no_grad"}, True),
        ({"then": "total += score(out, y)  # no_grad() breaks the compiler here"}, False),
        ({"then": "torch.set_grad_enabled(False)"}, False),
        ({"forward": "model(Variable(x, volatile=True))"}, False),
        ({"forward": "model(x.requires_grad_())"}, False),
        ({"then": "score.attack(model, out)"}, False),
        ({"then": "out.mean().backward()"}, False),
        ({"then": "print(x.grad)"}, False),
    ],
)
def test_an_evaluation_that_nothing_switches_gradients_off_for(change: dict[str, str], wrong: bool) -> None:
    plain = {"module": "math", "name": "sqrt", "forward": "model(x)", "then": "total += score(out, y)"}
    assert ("8 validation-without-no-grad" in found(EVALUATION.format(**plain | change))) is wrong


BOTH = """
{head}

def run(net, batches, optimizer, mode):
    if mode == "train":
        net.train()
    else:
        net.eval()
    for x, y in batches:
        loss = nn.functional.mse_loss(net(x), y)
        if mode == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

def fit(net, batches, held_out, optimizer: torch.optim.SGD, epochs):
    for _ in range(epochs):
        run(net, batches, optimizer, mode="train")
        run(net, held_out, None, mode="valid")
"""


HELPED = """
def learn(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

def warm_up(net, batches, optimizer: torch.optim.SGD):
    for x, y in batches:
        learn(optimizer, nn.functional.mse_loss(net(x), y))
    fit(net, batches, batches, optimizer, 3)
"""


@pytest.mark.parametrize("helped", [False, True])
def test_one_function_for_both_is_called_under_no_grad(helped: bool) -> None:
    """Also where the backward stands in a helper, and another loop still goes through its forwards."""
    text = BOTH.format(head="import torch\nfrom torch import nn")
    if helped:
        inline = "optimizer.zero_grad()\n            loss.backward()\n            optimizer.step()"
        text = text.replace(inline, "learn(optimizer, loss)") + HELPED
    result = fix_source(text, unsafe=True)
    call = 'run(net, held_out, None, mode="valid")'
    assert result.text == text.replace(call, f"with torch.no_grad():\n            {call}")
    assert not result.remaining


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("import torch", "torch"),
        ("import torch as th", "th"),
        ("import torch.nn", "torch"),
        ("import torch.nn as nn", None),
        ("from torch import nn", None),
    ],
)
def test_gradients_are_switched_off_by_the_name_of_torch(head: str, name: str | None) -> None:
    text = EVALUATION.format(module="math", name="sqrt", forward="model(x)", then="total += score(out, y)")
    text = text.replace("import torch\n", f"{head}\n", 1)
    result = fix_source(text)
    switched = [line.strip() for line in result.text.splitlines() if "no_grad" in line]
    assert switched == ([f"with {name}.no_grad():"] if name else [])


FLAG = """
import torch
def train(model, loader, opt, n):
    last = False
    for i, x in enumerate(loader):
        {flag}
        (model(x) / n).backward()
        if last:
            opt.step()
            opt.zero_grad()
"""


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize(
    "flag",
    [
        "last = True if {test} else False",
        "last = False if not ({test}) else True",
        "last = False\n        if {test}: last = True",
        "last = True\n        if not ({test}): last = False",
        "if {test}: last = True\n        else: last = False",
    ],
)
def test_a_flag_is_the_test_that_sets_it(flag: str, wrong: bool) -> None:
    test = f"{'i' if wrong else '(i + 1)'} % n == 0 or i + 1 == len(loader)"
    assert {told.split()[1] for told in found(FLAG.format(flag=flag.format(test=test)))} == (
        {"accumulation-off-by-one"} if wrong else set()
    )


def test_numbers_may_be_flags_too() -> None:
    source = FLAG.format(flag="last = 1 if (i + 1) % n == 0 else 0").replace("if last:", "if last == 1:")
    assert found(source) == {"7 dropped-accumulation-tail"}


SCHEDULED = """
import torch
from {module} import {made}
def train(model, loader, opt, n, updates):
    schedule = {made}(opt, updates)
    for epoch in range(9):
        for i, x in enumerate(loader):
            (model(x) / n).backward()
            schedule.step()
            if (i + 1) % n == 0 or i + 1 == len(loader):
                opt.step()
                opt.zero_grad()
"""


@pytest.mark.parametrize(
    ("module", "made", "wrong"),
    [("torch.optim.lr_scheduler", "CosineAnnealingLR", True), ("schedulers", "UpAndDown", False)],
)
def test_how_long_a_foreign_schedule_is_nobody_knows(module: str, made: str, wrong: bool) -> None:
    source = SCHEDULED.format(module=module, made=made)
    assert {told.split()[1] for told in found(source)} == ({"scheduler-per-micro-batch"} if wrong else set())
    assert any(one.rule == "scheduler-per-micro-batch" for one in check_source(dedent(source), pedantic=True))


DEBUG = """
import torch

class Workspace:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.AdamW(net.parameters())
        self.count = {start}

    def run(self, cfg, loader):
        if cfg.training.debug:
            cfg.training.epochs = 2
            cfg.training.most = 3
        for _ in range(cfg.training.epochs):
            for number, batch in enumerate(loader):
                (self.net.compute_loss(batch) / cfg.training.accum).backward()
                if self.count % cfg.training.accum == 0:
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                self.count += 1
                if cfg.training.most is not None and number >= cfg.training.most - 1:
                    break
"""


@pytest.mark.parametrize("path", ["cfg.training", "cfg", "cfg.a.b"])
@pytest.mark.parametrize(("start", "wrong"), [("0", True), ("1", False)])
def test_a_short_run_is_for_those_who_debug(path: str, start: str, *, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(DEBUG.format(start=start).replace("cfg.training", path))}
    assert rules == ({"accumulation-off-by-one"} if wrong else set())


AVERAGE = """
import torch

def train(model, loader, optimizer, epochs):
    mean = (0.0, 0.0)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            mean = {mean}
            optimizer.step()
    return mean[0] / mean[1]
"""


@pytest.mark.parametrize(
    ("mean", "wrong"),
    [
        ("(mean[0] * 0.99 + loss, mean[1] * 0.99 + 1.0)", True),
        ("[mean[0] + loss, mean[1] + 1]", True),
        ("(mean[0] * 0.99 + loss.item(), mean[1] * 0.99 + 1.0)", False),
        ("(loss, mean[1] + 1)", False),
        ("(mean[1] + loss, 1)", False),
    ],
)
def test_a_sum_and_its_count_are_one_pair(mean: str, *, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(AVERAGE.format(mean=mean))}
    assert rules == ({"loss-graph-leak"} if wrong else set())


TASKS = """
import torch

def train(model, optimizer, loader, tasks, accum):
    count = 0
    for batch in loader:
        count += 1
        for number, task in enumerate(tasks):
            loss, _ = model(batch, task=task)
            (loss{share}).backward()
        if count % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize(("share", "wrong"), [(" / accum", False), ("", True)])
def test_what_a_batch_is_asked_for_is_no_micro_batch(share: str, *, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(TASKS.format(share=share))}
    assert rules - {"dropped-accumulation-tail"} == ({"unscaled-accumulation-loss"} if wrong else set())


GIVEN = """
import torch

def train(net, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = torch.nn.functional.mse_loss(net(x), y)
        scaler.scale(loss).backward()
        {step}
        scaler.update()
"""


@pytest.mark.parametrize(
    ("step", "wrong"), [("optimizer.step_and_update_lr(scaler)", False), ("optimizer.step()", True)]
)
def test_a_step_that_is_given_the_scaler_may_go_through_it(step: str, *, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(GIVEN.format(step=step))}
    assert rules == ({"step-bypasses-scaler"} if wrong else set())


RECORD = """
import torch

MICRO = 4

class Output(dict):
    __getattr__ = dict.__getitem__

class Net(torch.nn.Module):
    def __init__(self, parts=1):
        super().__init__()
        self.body, self.parts = torch.nn.Linear(4, 1), parts

    def forward(self, x):
        loss = self.body(x).square().mean()
        return Output(loss={loss})

def main(loader):
    net = Net(parts=MICRO)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    data = iter(loader)
    for _ in range(10):
        optimizer.zero_grad()
        for _ in range(MICRO):
            out = net(next(data))
            out.loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("loss", "wrong"), [("loss / self.parts", False), ("loss", True)])
def test_a_record_holds_a_loss_that_is_divided(loss: str, *, wrong: bool) -> None:
    rules = {one.split()[1] for one in found(RECORD.format(loss=loss))}
    assert rules == ({"unscaled-accumulation-loss"} if wrong else set())


MEASURED = """
import torch
from torch.nn import functional as F

class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def apply(self, batch):
        x, y = batch
        return F.mse_loss(self.net(x), y)

    def {outer}(self, batch):
        return {inner}

    def fit(self, loader, held_out):
        for _ in range(3):
            for batch in loader:
                self.optimizer.zero_grad()
                self.apply(batch).backward()
                self.optimizer.step()
            print(self.{name}(held_out))

    def {name}(self, held_out):
        total = 0.0
        for batch in held_out:
            total += self.{outer}(batch).item()
        return total
"""


@pytest.mark.parametrize(
    ("name", "outer", "inner", "told"),
    [
        ("evaluate", "once", "self.apply(batch)", True),
        ("evaluate", "apply", "F.mse_loss(self.net(batch[0]), batch[1])", True),
        ("evaluate", "train_loss", "self.apply(batch)", False),
        ("rollout", "once", "self.apply(batch)", False),
        ("evaluate", "plot", "self.apply(batch)", False),
    ],
)
def test_a_helper_runs_a_network_for_an_evaluation(name: str, outer: str, inner: str, told: bool) -> None:
    source = MEASURED.format(name=name, outer=outer, inner=inner)
    assert found(source) == ({"27 validation-without-no-grad"} if told else set())


def test_a_device_loader_of_a_loader() -> None:
    source = """
    import torch_xla.core.xla_model as xm
    import torch_xla.distributed.parallel_loader as pl
    from torch import nn, optim
    from torch.utils.data import DataLoader, DistributedSampler

    def fit(model, dataset, device):
        optimizer = optim.AdamW(model.parameters())
        loader = DataLoader(dataset, batch_size=16, sampler=DistributedSampler(dataset, shuffle=True))
        for _ in range(3):
            parallel = pl.ParallelLoader(loader, [device])
            for x, y in parallel.per_device_loader(device):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                xm.optimizer_step(optimizer)
    """
    assert {one.split()[1] for one in found(source)} == {"missing-set-epoch"}


PARSED = """
import argparse
import torch
from torch import nn

def train(args, model, loader, optimizer):
    for step, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / args.{name}
        loss.backward()
        if (step + 1) % args.{name} == 0{flush}:
            optimizer.step()
            optimizer.zero_grad()

def main(loader):
    parser = argparse.ArgumentParser(description="{text}", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--{name}", type=int, default=1)
    args = parser.{call}
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train(args, model, loader, optimizer)
"""


@pytest.mark.parametrize("text", ["Train", "What this is for, in so many words. " * 8])
@pytest.mark.parametrize("call", ["parse_args()", "parse_known_args()[0]"])
@pytest.mark.parametrize("name", ["accum", "gradient_accumulation_steps"])
@pytest.mark.parametrize("flush", [False, True])
def test_a_parser_may_say_much_of_itself(text: str, call: str, name: str, flush: bool) -> None:
    source = PARSED.format(text=text, call=call, name=name, flush=" or step + 1 == len(loader)" if flush else "")
    assert found(source) == (set() if flush else {"9 dropped-accumulation-tail"})


@pytest.mark.parametrize(
    ("clears", "told"),
    [("if net is not teacher: optimizer.zero_grad()", False), ("optimizer.zero_grad()", False), ("print(x)", True)],
)
@pytest.mark.parametrize("pairs", ["((student, first), (teacher, second))", "zip(nets, optimizers)"])
def test_a_clear_may_leave_one_of_two_out(pairs: str, clears: str, told: bool) -> None:
    """What is cleared for one of them is known not to be for the other: a clear for both would change it."""
    source = f"""
    from torch import nn, optim

    def train(student, teacher, loader):
        nets = nn.ModuleList([student, teacher])
        optimizers = [optim.SGD(net.parameters(), lr=0.1) for net in nets]
        first, second = optim.SGD(student.parameters(), lr=0.1), optim.SGD(teacher.parameters(), lr=0.1)
        for x, y in loader:
            for net, optimizer in {pairs}:
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
                {clears}
    """
    assert {one.split()[1] for one in found(source)} == ({"missing-zero-grad"} if told else set())


@pytest.mark.parametrize(
    ("layers", "told"),
    [
        ("nn.Sequential(nn.Conv2d(3, 3, 1), nn.InstanceNorm2d(3), nn.ReLU() if act else nn.Identity())", False),
        ("nn.Sequential(nn.Conv2d(3, 3, 1), nn.InstanceNorm2d(3, track_running_stats=True), nn.ReLU())", True),
        ("nn.Sequential(nn.Conv2d(3, 3, 1), nn.InstanceNorm2d(3, 1e-5, 0.1, True, True), nn.ReLU())", True),
        ("nn.Sequential(*[nn.Conv2d(3, 3, 1) for _ in range(act)])", False),
        ("nn.Sequential(*[nn.Dropout(0.1) for _ in range(act)])", True),
        ("nn.Sequential(nn.Conv2d(3, 3, 1), nn.ReLU() if act else nn.Dropout(0.1))", True),
        ("nn.Sequential(nn.Conv2d(3, 3, 1), nn.InstanceNorm2d(3, **act))", True),
        ("nn.InstanceNorm2d(*act)", True),
        ("nn.InstanceNorm2d(3)", False),
        ("activation(act)", False),
        ("dropping(act)", True),
        ("ready(act)", True),
    ],
)
def test_a_network_is_the_same_in_both_modes(layers: str, told: bool) -> None:
    source = f"""
    import torch
    from torch import nn
    from torch.nn import functional as F

    def activation(name):
        if name == "tanh":
            chosen = F.tanh
        else:
            chosen = F.relu
        return chosen

    def dropping(rate):
        return nn.Dropout(rate)

    LIGHT = nn.Dropout(0.1)

    def ready(name):
        return LIGHT if name else F.relu

    class Net(nn.Module):
        def __init__(self, act, pads):
            super().__init__()
            self.pads = pads
            self.first = nn.Conv2d(3, 3, 1)
            self.last = {layers}

        def forward(self, x):
            sizes = [round(pad * 2) for pad in self.pads]
            return self.last(self.first(F.pad(x, sizes)))

    def train(loader, held_out, act, pads):
        model = Net(act, pads)
        optimizer = torch.optim.Adam(model.parameters())
        model.train()
        for _ in range(3):
            for x, y in loader:
                optimizer.zero_grad()
                F.mse_loss(model(x), y).backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                print(sum(F.mse_loss(model(x), y) for x, y in held_out))
    """
    assert ("missing-train-mode" in {one.split()[1] for one in found(source)}) is told


def test_what_is_clipped_behind_a_step_may_be_handed_on() -> None:
    source = """
    import copy
    from torch import nn, optim
    from torch.nn.utils import clip_grad_norm_

    def train(fast, loader):
        slow = copy.deepcopy(fast)
        first, second = optim.SGD(fast.parameters(), lr=0.1), optim.SGD(slow.parameters(), lr=0.1)
        for x, y in loader:
            first.zero_grad()
            nn.functional.mse_loss(fast(x), y).backward()
            first.step()
            clip_grad_norm_(fast.parameters(), 0.2)
            for p, q in zip(fast.parameters(), slow.parameters()):
                q.grad = p.grad.clone()
            second.step()
    """
    assert found(source) == set()


def test_what_is_joined_in_a_function_may_be_of_this_batch() -> None:
    source = """
    import torch
    from torch import nn, optim

    def widen(state, action):
        state = torch.cat((state, action))
        return state

    def train(net, critic, loader, optimizer: optim.Adam):
        total = 0
        for x, y in loader:
            optimizer.zero_grad()
            out = net(x)
            loss = critic(widen(out, y)).mean()
            loss.backward()
            optimizer.step()
            print(widen(out, loss[None]).shape)
    """
    assert found(source) == set()


@pytest.mark.parametrize(
    ("schedules", "told"),
    [
        ('{"exponential": lr_scheduler.ExponentialLR, "cosine": lr_scheduler.CosineAnnealingLR}', True),
        ('{"step": lr_scheduler.StepLR, "plateau": lr_scheduler.ReduceLROnPlateau}', False),
        ('{"step": lr_scheduler.StepLR, "cycle": lr_scheduler.OneCycleLR}', False),
        ('{"step": lr_scheduler.StepLR, "own": make_schedule}', False),
    ],
)
def test_one_of_several_schedules(schedules: str, told: bool) -> None:
    source = f"""
    from torch import nn, optim
    from torch.optim import lr_scheduler
    from elsewhere import make_schedule

    SCHEDULES = {schedules}

    def train(net, loader, args):
        optimizer = optim.Adam(net.parameters())
        schedule = SCHEDULES[args.schedule](optimizer, **args.of_schedule)
        for _ in range(3):
            schedule.step()
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
    """
    assert ("scheduler-before-optimizer" in {one.split()[1] for one in found(source)}) is told


@pytest.mark.parametrize(
    ("goes", "told"),
    [
        ("for layer, last in zip(self.layers, self.lasts): x = last(layer(x))", True),
        ("for layer in self.layers: x = layer(x)", False),
        ("x = run([layer for layer in self.lasts], x)", True),
        ("x = run([(layer, 1) for layer in self.lasts], x)", True),
        ("x = self.norm(x)", True),
    ],
)
def test_a_part_of_a_network_may_drop_some(goes: str, told: bool) -> None:
    """What goes through several lists, or hands one on, may call what it holds; `self.norm` is no `torch.norm`."""
    source = f"""
    import torch
    from torch import nn
    from torch.nn import functional as F

    def run(layers, x):
        for layer in layers:
            x = layer(x) if callable(layer) else layer[0](x)
        return x

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
            {"self.norm = nn.BatchNorm1d(3)" if "norm" in goes else ""}
            {"self.lasts = nn.ModuleList([nn.Dropout(0.1) for _ in range(2)])" if "lasts" in goes else ""}

        def forward(self, x):
            {goes}
            return x

    def train(loader, held_out):
        model = Net()
        optimizer = torch.optim.Adam(model.parameters())
        model.train()
        for _ in range(3):
            for x, y in loader:
                optimizer.zero_grad()
                F.mse_loss(model(x), y).backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                print(sum(F.mse_loss(model(x), y) for x, y in held_out))
    """
    assert ("missing-train-mode" in {one.split()[1] for one in found(source)}) is told


def test_outputs_that_are_joined_may_be_gone_through() -> None:
    """They are told, and no repair cuts them off unasked."""
    source = """
    import torch
    from torch import nn, optim

    def train(net, head, loader):
        optimizer = optim.Adam(net.parameters())
        scores = torch.empty(0)
        for x, y in loader:
            optimizer.zero_grad()
            out = net(x)
            nn.functional.mse_loss(out, y).backward(retain_graph=True)
            optimizer.step()
            scores = torch.cat((scores, out))
        return torch.autograd.grad(head(scores).sum(), list(head.parameters()))
    """
    assert {one.split()[1] for one in found(source)} <= {"loss-graph-leak"}
    assert not fix_source(dedent(source)).applied


@pytest.mark.parametrize("call", ["parse_args([])", "parse_known_args([])[0]"])
def test_two_parsers_in_a_file(call: str) -> None:
    """Each has arguments of its own, whatever both are called."""
    source = f"""
    import argparse
    from torch import nn, optim

    def unrolled(net, x, y):
        parser = argparse.ArgumentParser(description="How deep a loss is unrolled, in so many words " * 4)
        parser.add_argument("--steps", type=int, default=4)
        args = parser.{call}
        return sum(nn.functional.mse_loss(net(x), y) for _ in range(args.steps)) / args.steps

    def main(loader):
        parser = argparse.ArgumentParser(description="How many batches make an update, in so many words " * 4)
        parser.add_argument("--steps", type=int, default=2)
        args = parser.{call}
        net = nn.Linear(3, 1)
        optimizer = optim.SGD(net.parameters(), lr=0.1)
        for i, (x, y) in enumerate(loader):
            (unrolled(net, x, y) / args.steps).backward()
            if (i + 1) % args.steps == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
    """
    assert found(source) == set()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("self.scaler.scale(loss)", False),
        ("loss", True),
        ("self.factor.scale(loss)", True),
        ("loss if a is None else self.scaler.scale(loss)", True),
        ("(self.note(self.scaler.scale(loss.detach())), loss)[1]", True),
    ],
)
def test_a_criterion_may_scale_what_it_gives(given: str, told: bool) -> None:
    source = f"""
    import torch
    from torch import nn

    class Contrast(nn.Module):
        def __init__(self, scaler, factor):
            super().__init__()
            self.scaler, self.factor = scaler, factor

        def forward(self, a, b):
            loss = nn.functional.mse_loss(a, b)
            return {given}

    def train(net, factor, loader):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        scaler = torch.amp.GradScaler("cuda")
        criterion = Contrast(scaler, factor)
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                out = net(x)
            loss = criterion(out, y)
            loss.backward()
            scaler.step(optimizer)
            scaler.update()
    """
    assert ("unscaled-backward" in {one.split()[1] for one in found(source)}) is told


@pytest.mark.parametrize(
    ("start", "loop", "told"),
    [
        ("", "for sample in made: yield sample", True),
        ("epoch = 0", "made.sampler.set_epoch(epoch); epoch += 1\n            for sample in made: yield sample", False),
        ("epoch = 0", "epoch += 1; made.sampler.epoch = epoch\n            for sample in made: yield sample", False),
        ("if not distributed: made = DataLoader(data)", "for sample in made: yield sample", True),
        ("made = DataLoader(data)", "for sample in made: yield sample", False),
    ],
)
def test_an_endless_generator_makes_its_loader(start: str, loop: str, told: bool) -> None:
    source = f"""
    import torch
    from torch.utils.data import DataLoader, DistributedSampler

    def samples(data, distributed):
        made = DataLoader(data, batch_size=8, sampler=DistributedSampler(data))
        {start}
        while True:
            {loop}

    def train(data, distributed, net, steps):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        stream = samples(data, distributed)
        for step in range(steps):
            optimizer.zero_grad()
            net(next(stream)).mean().backward()
            optimizer.step()
    """
    assert ("missing-set-epoch" in {one.split()[1] for one in found(source)}) is told


@pytest.mark.parametrize(
    ("start", "again", "by"),
    [
        ("left = WINDOW", "left = WINDOW", "WINDOW"),
        ("left, told = WINDOW, []", "left = WINDOW", "WINDOW"),
        ("left = 3", "left = 3", "3"),
        ("left = WINDOW", "left = WINDOW if long else 2", ""),
        ("stage = 0; left = long[stage]", "left = long[stage]; stage += 1", ""),
        ("size = 2; left = size", "left = size; size = 2 * size", ""),
    ],
)
def test_a_loss_is_divided_by_what_a_count_goes_down_from(start: str, again: str, by: str) -> None:
    source = f"""
    import torch
    WINDOW = 3

    def train(loader, model, optimizer, long):
        {start}
        for x, y in loader:
            torch.nn.functional.mse_loss(model(x), y).backward()
            left -= 1
            if left == 0:
                optimizer.step()
                optimizer.zero_grad()
                {again}
    """
    after = fix_source(dedent(source), unsafe=True).text
    assert "model(x), y) /" not in after or by
    assert not by or f"(torch.nn.functional.mse_loss(model(x), y) / {by}).backward()" in after


@pytest.mark.parametrize("guard", ["i % 600 == 500", "(i + 1) % 1000 == 0"])
@pytest.mark.parametrize("quiet", [False, True])
def test_an_evaluation_calls_what_somebody_may_clear_with(guard: str, quiet: bool) -> None:
    """Of several methods by one name one clears gradients: what comes now and then is an evaluation none the less."""
    source = f"""
    import contextlib
    import torch
    from torch import nn

    class Sensitivity:
        def measure(self, net, x):
            net.zero_grad()
            return x

    class Share:
        def measure(self, out, y):
            return (out.argmax(1) == y).sum()

    def validate(model, held, score):
        model.eval()
        with {"torch.no_grad()" if quiet else "contextlib.nullcontext()"}:
            for x, y in held:
                print(score.measure(model(x), y))
        model.train()

    def train(model, batches, held, score):
        optimizer = torch.optim.Adam(model.parameters())
        model.train()
        for i, (x, y) in enumerate(batches):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            if {guard}:
                validate(model, held, score)
    """
    rules = {one.split()[1] for one in found(source)}
    assert rules == (set() if quiet else {"validation-without-no-grad"})
