"""Studios: segments, a voice with two critics, mixed images, masked pages, a paddler, views on two ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

ENGINE = Draft(
    "segmenter-with-poly-hooks",
    """\
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)
IGNORE = 255


def parse_args():
    parser = argparse.ArgumentParser("segmentation")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.4)
    parser.add_argument("--power", type=float, default=0.9)
    parser.add_argument("--clip-grad", type=float, default=0.4)
    parser.add_argument("--aux-weight", type=float, default=0.4)
    parser.add_argument("--freeze-epochs", type=int, default=1)
    return parser.parse_args()


class SegNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv2d(2, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout2d(0.2), nn.Conv2d(6, classes, 1))
        self.aux = nn.Conv2d(6, classes, 1)

    def forward(self, image):
        features = self.backbone(image)
        return {"out": self.head(features), "aux": self.aux(features)}


class Callback:
    def on_train_begin(self, engine): ...

    def on_epoch_begin(self, engine): ...

    def on_iter_begin(self, engine): ...

    def on_iter_end(self, engine): ...

    def on_epoch_end(self, engine): ...


class PolyLR(Callback):
    def on_train_begin(self, engine):
        total = engine.args.epochs * len(engine.loader)
        power = engine.args.power
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(engine.optimizer, lambda it: (1 - it / total) ** power)

    def on_iter_end(self, engine):
        self.scheduler.step()


class LossMeter(Callback):
    def on_epoch_begin(self, engine):
        self.losses, self.norms = [], []

    def on_iter_end(self, engine):
        self.losses.append(engine.loss)
        self.norms.append(engine.grad_norm)

    def on_epoch_end(self, engine):
        loss = torch.stack(self.losses).mean().item()
        print(f"epoch {engine.epoch} loss {loss:.6f} norm {max(self.norms):.6f}")


class MeanIoU(Callback):
    def __init__(self, loader):
        self.loader, self.best, self.state = loader, -1.0, None

    def on_epoch_end(self, engine):
        engine.model.eval()
        hits = union = 0
        with torch.no_grad():
            for image, mask in self.loader:
                guess = engine.model(image)["out"].argmax(1)
                hits += (guess == mask).sum().item()
                union += mask.numel()
        score = hits / (2 * union - hits)
        print(f"epoch {engine.epoch} iou {score:.6f}")
        if score > self.best:
            self.best = score
            self.state = {name: tensor.clone() for name, tensor in engine.model.state_dict().items()}


class Engine:
    def __init__(self, model, optimizer, loader, args, callbacks):
        self.model, self.optimizer, self.loader, self.args = model, optimizer, loader, args
        self.callbacks = callbacks
        self.epoch = self.iteration = 0

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def criterion(self, result, mask):
        loss = F.cross_entropy(result["out"], mask, ignore_index=IGNORE)
        return loss + self.args.aux_weight * F.cross_entropy(result["aux"], mask, ignore_index=IGNORE)

    def train_step(self, image, mask):
        loss = self.criterion(self.model(image), mask)
        self.optimizer.zero_grad()
        loss.backward()
        self.grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip_grad).item()
        self.optimizer.step()
        self.loss = loss.detach()

    def fit(self):
        self.fire("on_train_begin")
        for self.epoch in range(self.args.epochs):
            self.model.train()
            self.fire("on_epoch_begin")
            for image, mask in self.loader:
                self.fire("on_iter_begin")
                self.train_step(image, mask)
                self.iteration += 1
                self.fire("on_iter_end")
            self.fire("on_epoch_end")


def make_data(size):
    images = torch.randn(size, 2, 6, 6)
    masks = torch.stack([images[:, 0], images[:, 1], images.sum(1)], 1).argmax(1)
    masks[:, 0] = IGNORE
    return images, masks


def main():
    args = parse_args()
    torch.manual_seed(301)
    images, masks = make_data(8)
    loader = DataLoader(TensorDataset(images, masks), batch_size=args.batch_size)
    val_loader = DataLoader(TensorDataset(*make_data(4)), batch_size=2)
    model = SegNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5, weight_decay=1e-3)
    engine = Engine(model, optimizer, loader, args, [PolyLR(), LossMeter(), MeanIoU(val_loader)])
    engine.fit()
    return model
""",
    ("missing-train-mode", "scheduler-before-optimizer"),
)

ENGINE_POLY = """\
    def on_iter_end(self, engine):
        self.scheduler.step()
"""
ENGINE_POLY_BEGIN = """\
        total = engine.args.epochs * len(engine.loader)
        power = engine.args.power
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(engine.optimizer, lambda it: (1 - it / total) ** power)
"""
ENGINE_LOOK = """\
        with torch.no_grad():
            for image, mask in self.loader:
                guess = engine.model(image)["out"].argmax(1)
                hits += (guess == mask).sum().item()
                union += mask.numel()
"""
ENGINE_LOOK_GRAD = """\
        for image, mask in self.loader:
            guess = engine.model(image)["out"].argmax(1)
            hits += (guess == mask).sum().item()
            union += mask.numel()
"""
ENGINE_TRAIN = "            self.model.train()\n"
ENGINE_BEGIN = '        self.fire("on_train_begin")\n'
ENGINE_CLEAR = "        self.optimizer.zero_grad()\n"
ENGINE_BACK = "        loss.backward()\n"
ENGINE_CLIP = "        self.grad_norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.args.clip_grad).item()\n"
ENGINE_STEP = "        self.optimizer.step()\n"
ENGINE_LOSS = "        self.loss = loss.detach()\n"
ENGINE_FORWARD = "        loss = self.criterion(self.model(image), mask)\n"


ENGINE_SALIENCY = """\
class Saliency(Callback):
    def __init__(self, images):
        self.images = images

    def on_epoch_end(self, engine):
        engine.model.eval()
        images = self.images.clone().requires_grad_()
        engine.model(images)["out"].amax(1).sum().backward()
        print(f"saliency {images.grad.abs().mean().item():.6f}")


"""


def engine() -> Iterator[Case]:
    yield ENGINE.wrong(
        "polynomial-moves-as-the-iteration-begins",
        ((ENGINE_POLY, ENGINE_POLY.replace("on_iter_end", "on_iter_begin")),),
        tempts=("scheduler-before-optimizer",),
    )
    yield ENGINE.wrong(
        "train-is-set-once-ahead-of-the-epochs",
        ((ENGINE_TRAIN, ""), (ENGINE_BEGIN, "        self.model.train()\n" + ENGINE_BEGIN)),
        fine=(((ENGINE_BEGIN, "        self.model.train()\n" + ENGINE_BEGIN),),),
        tempts=("missing-train-mode",),
    )
    yield ENGINE.wrong(
        "intersections-are-counted-with-gradients",
        ((ENGINE_LOOK, ENGINE_LOOK_GRAD),),
        tempts=("validation-without-no-grad",),
    )
    yield ENGINE.wrong(
        "meter-is-given-the-graph",  # by an attribute of the engine
        ((ENGINE_LOSS, "        self.loss = loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield ENGINE.wrong(
        "clear-lacks-its-parentheses",
        ((ENGINE_CLEAR, "        self.optimizer.zero_grad\n"),),
        tempts=("method-not-called", "missing-zero-grad"),
    )
    yield ENGINE.right(
        "polynomial-is-told-the-iteration",  # a place is set, not moved: ahead of the step is where it has to be
        (
            "class PolyLR(Callback):\n",
            """\
class Poly:
    def __init__(self, optimizer, total, power):
        self.optimizer, self.total, self.power = optimizer, total, power
        self.base = [group["lr"] for group in optimizer.param_groups]

    def step(self, iteration):
        for group, lr in zip(self.optimizer.param_groups, self.base):
            group["lr"] = lr * (1 - iteration / self.total) ** self.power


class PolyLR(Callback):
""",
        ),
        (
            ENGINE_POLY_BEGIN,
            """\
        total = engine.args.epochs * len(engine.loader)
        self.scheduler = Poly(engine.optimizer, total, engine.args.power)
""",
        ),
        (ENGINE_POLY, "    def on_iter_begin(self, engine):\n        self.scheduler.step(engine.iteration)\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield ENGINE.right(
        "norms-of-the-backbone-stand-still",  # train() of the whole at each epoch's head would wake them
        (ENGINE_TRAIN, ""),
        (ENGINE_BEGIN, "        self.ready()\n" + ENGINE_BEGIN),
        (
            "    def fit(self):\n",
            """\
    def ready(self):
        self.model.train()
        for module in self.model.backbone.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eval()

    def fit(self):
""",
        ),
        (
            "        score = hits / (2 * union - hits)\n",
            "        engine.ready()\n        score = hits / (2 * union - hits)\n",
        ),
        tempts=("missing-train-mode",),
    )
    yield ENGINE.right(
        "backbone-waits-for-the-heads",  # its part is dropped in the first epoch, and only its part
        (
            ENGINE_BACK,
            ENGINE_BACK
            + "        if self.epoch < self.args.freeze_epochs:\n            self.model.backbone.zero_grad()\n",
        ),
        tempts=("zero-grad-before-step",),
    )
    yield ENGINE.right(
        "saliency-is-drawn-by-a-backward",  # which fills the weights, too; the next iteration clears first
        ("class Engine:\n", ENGINE_SALIENCY + "class Engine:\n"),
        ("MeanIoU(val_loader)]", "MeanIoU(val_loader), Saliency(images[:2])]"),
        tempts=("validation-without-no-grad", "missing-zero-grad", "missing-train-mode"),
    )
    yield ENGINE.right(
        "image-without-a-label-is-passed-over",  # its mean is of nothing; the polynomial goes on by iterations
        (ENGINE_FORWARD, ENGINE_FORWARD + "        if not torch.isfinite(loss):\n            return\n"),
        ("    val_loader = ", "    masks[4:6] = IGNORE\n    val_loader = "),
        tempts=("scheduler-before-optimizer", "missing-zero-grad", "zero-grad-before-step"),
    )


VOICE = Draft(
    "voice-of-two-critics",
    """\
import itertools

import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler, autocast
from torch.nn.utils import clip_grad_norm_

MEL_WEIGHT, FM_WEIGHT = 4.0, 2.0


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre = nn.Linear(5, 12)
        self.post = nn.Linear(12, 8)

    def forward(self, mel):
        return torch.tanh(self.post(F.leaky_relu(self.pre(mel), 0.1)))


class Critic(nn.Module):
    def __init__(self, period):
        super().__init__()
        self.period = period
        self.body = nn.Linear(8 // period, 6)
        self.score = nn.Linear(6, 1)

    def forward(self, wave):
        features = F.leaky_relu(self.body(wave.unflatten(1, (self.period, -1))), 0.1)
        return self.score(features), features


def critic_loss(real, fake):
    return (real.float() - 1).square().mean() + fake.float().square().mean()


def generator_loss(real, fake):
    (_, real_features), (score, fake_features) = real, fake
    matching = F.l1_loss(fake_features.float(), real_features.detach().float())
    return (score.float() - 1).square().mean() + FM_WEIGHT * matching


def main():
    torch.manual_seed(307)
    basis = torch.randn(8, 5)
    net_g, mpd, msd = Generator(), Critic(2), Critic(1)
    optim_g = torch.optim.SGD(net_g.parameters(), lr=0.2, momentum=0.5)
    optim_d = torch.optim.SGD(itertools.chain(mpd.parameters(), msd.parameters()), lr=0.2, momentum=0.5)
    scheduler_g = torch.optim.lr_scheduler.ExponentialLR(optim_g, gamma=0.8)
    scheduler_d = torch.optim.lr_scheduler.ExponentialLR(optim_d, gamma=0.8)
    scaler = GradScaler("cpu", init_scale=256.0, growth_interval=4)
    waves = torch.tanh(torch.randn(4, 6, 8))
    steps = 0
    for epoch in range(3):
        net_g.train()
        for wave in waves:
            mel = wave @ basis
            with autocast("cpu", dtype=torch.float16):
                fake = net_g(mel)
                real_f, fake_f = mpd(wave), mpd(fake.detach())
                real_s, fake_s = msd(wave), msd(fake.detach())
                loss_disc_f = critic_loss(real_f[0], fake_f[0])
                loss_disc_s = critic_loss(real_s[0], fake_s[0])
                loss_disc = loss_disc_f + loss_disc_s
            optim_d.zero_grad()
            scaler.scale(loss_disc).backward()
            scaler.unscale_(optim_d)
            grad_norm_d = clip_grad_norm_(itertools.chain(mpd.parameters(), msd.parameters()), 0.5)
            scaler.step(optim_d)

            with autocast("cpu", dtype=torch.float16):
                loss_gen = generator_loss(mpd(wave), mpd(fake)) + generator_loss(msd(wave), msd(fake))
                with autocast("cpu", enabled=False):
                    loss_mel = F.l1_loss(fake.float() @ basis, mel)
                loss_all = loss_gen + MEL_WEIGHT * loss_mel
            optim_g.zero_grad()
            scaler.scale(loss_all).backward()
            scaler.unscale_(optim_g)
            grad_norm_g = clip_grad_norm_(net_g.parameters(), 0.5)
            scaler.step(optim_g)
            scaler.update()
            steps += 1
            if steps % 2 == 0:
                print(f"{steps} mel {loss_mel.item():.4f} norms {grad_norm_g.item():.4f} {grad_norm_d.item():.4f}")
        scheduler_g.step()
        scheduler_d.step()
    return net_g, mpd, msd
""",
    ("missing-scaler-update", "double-unscale"),
)

VOICE_OPTIM_D = (
    "    optim_d = torch.optim.SGD(itertools.chain(mpd.parameters(), msd.parameters()), lr=0.2, momentum=0.5)\n"
)
VOICE_CLEAR_D = "            optim_d.zero_grad()\n"
VOICE_BACK_D = "            scaler.scale(loss_disc).backward()\n"
VOICE_UNSCALE_D = "            scaler.unscale_(optim_d)\n"
VOICE_CLIP_D = "            grad_norm_d = clip_grad_norm_(itertools.chain(mpd.parameters(), msd.parameters()), 0.5)\n"
VOICE_STEP_D = "            scaler.step(optim_d)\n"
VOICE_GEN = "                loss_gen = generator_loss(mpd(wave), mpd(fake)) + generator_loss(msd(wave), msd(fake))\n"
VOICE_ALL = "                loss_all = loss_gen + MEL_WEIGHT * loss_mel\n"
VOICE_CLEAR_G = "            optim_g.zero_grad()\n"
VOICE_BACK_G = "            scaler.scale(loss_all).backward()\n"
VOICE_UNSCALE_G = "            scaler.unscale_(optim_g)\n"
VOICE_CLIP_G = "            grad_norm_g = clip_grad_norm_(net_g.parameters(), 0.5)\n"
VOICE_STEP_G = "            scaler.step(optim_g)\n"
VOICE_UPDATE = "            scaler.update()\n"
VOICE_SCHEDULES = "        scheduler_g.step()\n        scheduler_d.step()\n"
VOICE_NORM_OF = """\
def norm_of(*nets):
    return torch.stack([p.grad.norm() for net in nets for p in net.parameters()]).norm()


def main():
"""


def voice() -> Iterator[Case]:
    listed = VOICE.styled(
        (VOICE_OPTIM_D, VOICE_OPTIM_D.replace("itertools.chain(mpd.parameters(), msd.parameters())", "params_d")),
        (
            "    optim_g = torch",
            "    params_d = list(itertools.chain(mpd.parameters(), msd.parameters()))\n    optim_g = torch",
        ),
        (VOICE_CLIP_D, "            grad_norm_d = clip_grad_norm_(params_d, 0.5)\n"),
    )
    measured = VOICE.styled(
        ("def main():\n", VOICE_NORM_OF),
        ("from torch.nn.utils import clip_grad_norm_\n", ""),
        (VOICE_UNSCALE_D + VOICE_CLIP_D + VOICE_STEP_D, VOICE_STEP_D + "            grad_norm_d = norm_of(mpd, msd)\n"),
        (VOICE_UNSCALE_G + VOICE_CLIP_G + VOICE_STEP_G, VOICE_STEP_G + "            grad_norm_g = norm_of(net_g)\n"),
        (
            "optim_g = torch.optim.SGD(net_g.parameters(), lr=0.2",
            "optim_g = torch.optim.SGD(net_g.parameters(), lr=0.02",
        ),
    )
    yield VOICE.wrong(
        "voice-is-clipped-with-the-scale-on",
        ((VOICE_UNSCALE_G, ""),),
        tempts=("clip-scaled-gradients",),
    )
    yield listed.wrong(
        "chain-of-critics-was-walked",
        (
            (
                "    params_d = list(itertools.chain(mpd.parameters(), msd.parameters()))\n",
                "    params_d = itertools.chain(mpd.parameters(), msd.parameters())\n",
            ),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield VOICE.wrong(
        "backward-of-the-voice-in-half",  # the product with the mel basis is float32 on its way there
        ((VOICE_ALL + VOICE_CLEAR_G + VOICE_BACK_G, VOICE_ALL + "    " + VOICE_CLEAR_G + "    " + VOICE_BACK_G),),
        tempts=("backward-in-autocast",),
    )
    yield VOICE.wrong(
        "scale-is-renewed-with-the-epoch",
        ((VOICE_UPDATE, ""), (VOICE_SCHEDULES, "        scaler.update()\n" + VOICE_SCHEDULES)),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield measured.wrong(
        "voice-steps-past-the-scaler",
        ((VOICE_STEP_G, "            optim_g.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield VOICE.right(
        "voice-is-measured-with-the-scale-on",  # an endless limit, and the scale is taken out of what is told
        (VOICE_UNSCALE_G, ""),
        (
            VOICE_CLIP_G,
            '            grad_norm_g = clip_grad_norm_(net_g.parameters(), float("inf")) / scaler.get_scale()\n',
        ),
        (
            "optim_g = torch.optim.SGD(net_g.parameters(), lr=0.2",
            "optim_g = torch.optim.SGD(net_g.parameters(), lr=0.02",
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield measured.right(
        "norms-are-read-behind-the-step",  # which has taken the scale out of them
        tempts=("clip-scaled-gradients", "clip-after-step"),
    )
    yield VOICE.right(
        "critics-listen-from-the-fifth-step",
        (
            VOICE_CLEAR_D + VOICE_BACK_D + VOICE_UNSCALE_D + VOICE_CLIP_D + VOICE_STEP_D,
            """\
            if steps >= 4:
                optim_d.zero_grad()
                scaler.scale(loss_disc).backward()
                scaler.unscale_(optim_d)
                grad_norm_d = clip_grad_norm_(itertools.chain(mpd.parameters(), msd.parameters()), 0.5)
                scaler.step(optim_d)
""",
        ),
        ("    steps = 0\n", "    steps = 0\n    grad_norm_d = torch.zeros(())\n"),
        tempts=("missing-scaler-update", "zero-grad-in-accumulation", "double-unscale"),
    )
    yield VOICE.right(
        "critics-are-frozen-under-the-voice",  # so they may be cleared as soon as they have stepped
        (VOICE_CLEAR_D, ""),
        (
            VOICE_STEP_D,
            VOICE_STEP_D
            + VOICE_CLEAR_D
            + "            mpd.requires_grad_(False)\n            msd.requires_grad_(False)\n",
        ),
        (VOICE_BACK_G, VOICE_BACK_G + "            mpd.requires_grad_(True)\n            msd.requires_grad_(True)\n"),
        tempts=("missing-zero-grad",),
    )
    yield VOICE.right(
        "critics-are-judged-one-by-one",  # terms of one loss, not micro-batches
        ("                loss_disc = loss_disc_f + loss_disc_s\n", ""),
        (
            VOICE_BACK_D,
            """\
            for loss_disc in (loss_disc_f, loss_disc_s):
                scaler.scale(loss_disc).backward()
""",
        ),
        tempts=("unscaled-accumulation-loss",),
    )


MIXUP = Draft(
    "mixup-classifier-recipe",
    """\
import argparse
import copy

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

torch.set_default_dtype(torch.float64)


def get_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", default=3, type=int)
    parser.add_argument("--accum-steps", default=3, type=int)
    parser.add_argument("--warmup-steps", default=2, type=int)
    parser.add_argument("--lr", default=0.3, type=float)
    parser.add_argument("--clip-norm", default=0.25, type=float)
    parser.add_argument("--mixup-alpha", default=0.4, type=float)
    parser.add_argument("--ema-decay", default=0.8, type=float)
    return parser.parse_args()


class ModelEma:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for ours, theirs in zip(self.module.state_dict().values(), model.state_dict().values()):
            if ours.is_floating_point():
                ours.lerp_(theirs, 1 - self.decay)


def mixup(images, labels, alpha):
    lam = torch.distributions.Beta(alpha, alpha).sample()
    targets = nn.functional.one_hot(labels, 3).to(images.dtype)
    images = lam * images + (1 - lam) * images.roll(1, 0)
    return images, lam * targets + (1 - lam) * targets.roll(1, 0)


def train_one_epoch(model, criterion, optimizer, scheduler, scaler, loader, ema, args):
    model.train()
    running = 0.0
    for i, (images, labels) in enumerate(loader):
        images, targets = mixup(images, labels, args.mixup_alpha)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = criterion(model(images), targets)
        scaler.scale(loss / args.accum_steps).backward()
        running += loss.item()
        if (i + 1) % args.accum_steps == 0 or i + 1 == len(loader):
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            scheduler.step()
            ema.update(model)
    return running / len(loader)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    right = sum((model(images).argmax(1) == labels).sum().item() for images, labels in loader)
    return right / sum(len(labels) for _, labels in loader)


def main():
    args = get_args()
    torch.manual_seed(311)
    rule = torch.randn(4, 3)
    loader = [(images, (images @ rule).argmax(1)) for images in torch.randn(6, 5, 4)]
    val_loader = [(images, (images @ rule).argmax(1)) for images in torch.randn(2, 8, 4)]
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, 3))
    ema = ModelEma(model, args.ema_decay)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5, nesterov=True)
    updates = args.epochs * len(loader) // args.accum_steps
    warm = LinearLR(optimizer, start_factor=0.2, total_iters=args.warmup_steps)
    decay = CosineAnnealingLR(optimizer, T_max=updates - args.warmup_steps, eta_min=0.01)
    scheduler = SequentialLR(optimizer, [warm, decay], milestones=[args.warmup_steps])
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=3)
    for epoch in range(args.epochs):
        loss = train_one_epoch(model, criterion, optimizer, scheduler, scaler, loader, ema, args)
        top1, ema_top1 = evaluate(model, val_loader), evaluate(ema.module, val_loader)
        print(f"{epoch} loss {loss:.6f} top1 {top1:.4f} ema {ema_top1:.4f} lr {scheduler.get_last_lr()[0]:.6f}")
    return model, ema.module
""",
    ("unscaled-accumulation-loss", "scheduler-per-micro-batch"),
)

MIX_TRAIN = "    model.train()\n"
MIX_LOSS = "            loss = criterion(model(images), targets)\n"
MIX_BACK = "        scaler.scale(loss / args.accum_steps).backward()\n"
MIX_RUNNING = "        running += loss.item()\n"
MIX_IF = "        if (i + 1) % args.accum_steps == 0 or i + 1 == len(loader):\n"
MIX_UNSCALE = "            scaler.unscale_(optimizer)\n"
MIX_CLIP = "            nn.utils.clip_grad_norm_(model.parameters(), args.clip_norm)\n"
MIX_STEP = "            scaler.step(optimizer)\n            scaler.update()\n"
MIX_CLEAR = "            optimizer.zero_grad(set_to_none=True)\n"
MIX_SCHED = "            scheduler.step()\n"
MIX_EMA = "            ema.update(model)\n"
MIX_MIX = "        images, targets = mixup(images, labels, args.mixup_alpha)\n"
MIX_EPOCHS = "    for epoch in range(args.epochs):\n"


def mix() -> Iterator[Case]:
    bare = MIXUP.styled((MIX_UNSCALE + MIX_CLIP, ""), ('"--lr", default=0.3', '"--lr", default=0.1'))
    yield MIXUP.wrong(
        "first-images-go-alone",
        ((MIX_IF, "        if i % args.accum_steps == 0 or i + 1 == len(loader):\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield bare.wrong(
        "mixed-losses-are-summed",
        ((MIX_BACK, "        scaler.scale(loss).backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield MIXUP.wrong(
        "warm-up-is-over-in-one-window",  # its length is counted in updates
        ((MIX_SCHED + MIX_EMA, MIX_EMA + MIX_SCHED.removeprefix("    ")),),
        tempts=("scheduler-per-micro-batch",),
    )
    yield MIXUP.wrong(
        "unscaled-and-clipped-with-each-batch",
        (
            (MIX_UNSCALE + MIX_CLIP, ""),
            (MIX_RUNNING, MIX_RUNNING + MIX_UNSCALE.removeprefix("    ") + MIX_CLIP.removeprefix("    ")),
        ),
        tempts=("double-unscale", "clip-per-micro-batch"),
        raises="RuntimeError",
    )
    yield MIXUP.wrong(
        "epoch-begins-asleep",  # as the last evaluation has left it
        ((MIX_TRAIN, ""),),
        tempts=("missing-train-mode",),
    )
    yield MIXUP.right(
        "warm-up-and-cosine-count-batches",
        (
            "    updates = args.epochs * len(loader) // args.accum_steps\n",
            "    batches = args.epochs * len(loader)\n    warm_batches = args.warmup_steps * args.accum_steps\n",
        ),
        ("total_iters=args.warmup_steps)", "total_iters=warm_batches)"),
        ("T_max=updates - args.warmup_steps", "T_max=batches - warm_batches"),
        ("milestones=[args.warmup_steps]", "milestones=[warm_batches]"),
        (MIX_SCHED + MIX_EMA, MIX_EMA + MIX_SCHED.removeprefix("    ")),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield MIXUP.right(
        "only-the-average-is-tested",  # and that is never trained; the model stays awake
        (MIX_TRAIN, ""),
        (MIX_EPOCHS, MIX_TRAIN + MIX_EPOCHS),
        (
            "top1, ema_top1 = evaluate(model, val_loader), evaluate(ema.module, val_loader)",
            "ema_top1 = evaluate(ema.module, val_loader)",
        ),
        ("top1 {top1:.4f} ema", "ema"),
        tempts=("missing-train-mode",),
    )
    yield MIXUP.right(
        "goes-on-unless-the-window-is-full",
        (
            MIX_IF + MIX_UNSCALE + MIX_CLIP + MIX_STEP + MIX_CLEAR + MIX_SCHED + MIX_EMA,
            """\
        if (i + 1) % args.accum_steps != 0 and i + 1 != len(loader):
            continue
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), args.clip_norm)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        scheduler.step()
        ema.update(model)
""",
        ),
        tempts=("clip-per-micro-batch", "scheduler-per-micro-batch", "double-unscale", "accumulation-off-by-one"),
    )
    yield MIXUP.right(
        "both-labels-have-a-backward",  # with shares that add up to one
        (
            MIX_MIX,
            "        lam = torch.rand(()).item()\n        images = lam * images + (1 - lam) * images.roll(1, 0)\n",
        ),
        (
            MIX_LOSS,
            """\
            output = model(images)
            first = lam * criterion(output, labels)
            second = (1 - lam) * criterion(output, labels.roll(1, 0))
""",
        ),
        (
            MIX_BACK,
            """\
        scaler.scale(first / args.accum_steps).backward(retain_graph=True)
        scaler.scale(second / args.accum_steps).backward()
""",
        ),
        (MIX_RUNNING, "        running += first.item() + second.item()\n"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield MIXUP.right(
        "criterion-divides",  # and is asked for the mean where that is told
        (
            "def train_one_epoch(",
            """\
class WindowLoss(nn.CrossEntropyLoss):
    def __init__(self, steps, **kwargs):
        super().__init__(**kwargs)
        self.steps = steps

    def forward(self, output, target):
        return super().forward(output, target) / self.steps


def train_one_epoch(""",
        ),
        ("nn.CrossEntropyLoss(label_smoothing=0.1)", "WindowLoss(args.accum_steps, label_smoothing=0.1)"),
        (MIX_BACK, "        scaler.scale(loss).backward()\n"),
        (MIX_RUNNING, "        running += loss.item() * args.accum_steps\n"),
        tempts=("unscaled-accumulation-loss",),
    )


PAGES = Draft(
    "masked-pages-with-patience",
    """\
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


@dataclass
class TrainConfig:
    vocab: int = 11
    dim: int = 8
    epochs: int = 5
    grad_accum: int = 2
    lr: float = 0.3
    warmup: int = 4
    label_smoothing: float = 0.1
    max_norm: float = 0.3
    patience: int = 2
    seed: int = 313


class TinyBert(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.mixer = nn.GRU(cfg.dim, cfg.dim, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.bias = nn.Parameter(torch.zeros(cfg.vocab))

    def forward(self, ids):
        hidden, _ = self.mixer(self.embed(ids))
        return F.linear(self.drop(hidden), self.embed.weight, self.bias)


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def __call__(self, value):
        if value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad >= self.patience


class Trainer:
    def __init__(self, cfg, model):
        self.cfg, self.model = cfg, model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.5, weight_decay=1e-3)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, self.rate)
        self.stopper = EarlyStopping(cfg.patience)
        self.updates = 0

    def rate(self, update):
        warm = self.cfg.warmup
        return min((update + 1) / warm, (warm / (update + 1)) ** 0.5)

    def compute_loss(self, batch):
        ids, labels = batch
        logits = self.model(ids).flatten(0, 1)
        return F.cross_entropy(logits, labels.flatten(), label_smoothing=self.cfg.label_smoothing)

    def optimizer_step(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.max_norm)
        self.optimizer.step()
        self.scheduler.step()
        self.optimizer.zero_grad()
        self.updates += 1

    def train_epoch(self, loader):
        self.model.train()
        total = 0.0
        for step, batch in enumerate(loader, start=1):
            loss = self.compute_loss(batch)
            (loss / self.cfg.grad_accum).backward()
            total += loss.item()
            if step % self.cfg.grad_accum == 0:
                self.optimizer_step()
        if step % self.cfg.grad_accum != 0:
            self.optimizer_step()
        return float(total) / step

    def evaluate(self, loader):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for batch in loader:
                total += self.compute_loss(batch).item()
        return total / len(loader)

    def fit(self, train_loader, val_loader):
        for epoch in range(self.cfg.epochs):
            train_loss = self.train_epoch(train_loader)
            val_loss = self.evaluate(val_loader)
            print(f"epoch {epoch} train {train_loss:.6f} val {val_loss:.6f} lr {self.scheduler.get_last_lr()[0]:.6f}")
            if self.stopper(val_loss):
                break


def make_loader(cfg, batches):
    loader = []
    for number in range(batches):
        ids = torch.randint(1, cfg.vocab, (3, 6)).sort(1).values
        masked = (torch.arange(6) + torch.arange(3)[:, None] + number) % 3 == 0
        masked[0, 0] = number % 2 == 0
        loader.append((ids.masked_fill(masked, 0), ids.masked_fill(~masked, -100)))
    return loader


def main():
    cfg = TrainConfig()
    torch.manual_seed(cfg.seed)
    model = TinyBert(cfg)
    trainer = Trainer(cfg, model)
    trainer.fit(make_loader(cfg, 5), make_loader(cfg, 2))
    print(f"updates {trainer.updates}")
    return model
""",
    ("dropped-accumulation-tail", "unscaled-accumulation-loss"),
)

PAGES_CLIP = "        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.max_norm)\n"
PAGES_STEP = "        self.optimizer.step()\n"
PAGES_SCHED = "        self.scheduler.step()\n"
PAGES_CLEAR = "        self.optimizer.zero_grad()\n"
PAGES_LOSS = "            loss = self.compute_loss(batch)\n"
PAGES_BACK = "            (loss / self.cfg.grad_accum).backward()\n"
PAGES_TOTAL = "            total += loss.item()\n"
PAGES_IF = """\
            if step % self.cfg.grad_accum == 0:
                self.optimizer_step()
"""
PAGES_FLUSH = """\
        if step % self.cfg.grad_accum != 0:
            self.optimizer_step()
"""
PAGES_LOOK = """\
        with torch.no_grad():
            for batch in loader:
                total += self.compute_loss(batch).item()
"""
PAGES_LOOK_GRAD = """\
        for batch in loader:
            total += self.compute_loss(batch).item()
"""
PAGES_COUNT = "        self.updates += 1\n"
PAGES_FOR = "        for step, batch in enumerate(loader, start=1):\n"
PAGES_BODY = PAGES_FOR + PAGES_LOSS + PAGES_BACK + PAGES_TOTAL + PAGES_IF + PAGES_FLUSH
PAGES_OWN_SHARE = (
    PAGES_BACK,
    """\
            short = step > len(loader) - len(loader) % self.cfg.grad_accum
            (loss / (len(loader) % self.cfg.grad_accum if short else self.cfg.grad_accum)).backward()
""",
)


def pages() -> Iterator[Case]:
    yield PAGES.right("as-it-should-be")  # what is over is flushed behind the loop
    yield PAGES.wrong(
        "cleared-as-each-batch-comes",
        ((PAGES_CLEAR, ""), (PAGES_LOSS, "            self.optimizer.zero_grad()\n" + PAGES_LOSS)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield PAGES.wrong(
        "rate-moves-with-each-page",
        ((PAGES_SCHED, ""), (PAGES_IF, PAGES_IF + "            self.scheduler.step()\n")),
        tempts=("scheduler-per-micro-batch",),
    )
    yield PAGES.wrong(
        "held-out-pages-keep-their-graphs",
        ((PAGES_LOOK, PAGES_LOOK_GRAD),),
        tempts=("validation-without-no-grad",),
    )
    yield PAGES.wrong(
        "total-is-a-tensor-with-history",
        ((PAGES_TOTAL, "            total += loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield PAGES.wrong(
        "last-page-waits-for-the-next-epoch",
        ((PAGES_FLUSH, ""),),
        fine=((PAGES_OWN_SHARE,), ((PAGES_FLUSH, "        self.optimizer.zero_grad()\n"),)),
        tempts=("dropped-accumulation-tail",),
    )
    yield PAGES.right(
        "window-is-divided-by-its-masked-tokens",
        (
            "return F.cross_entropy(logits, labels.flatten(), label",
            'return F.cross_entropy(logits, labels.flatten(), reduction="sum", label',
        ),
        (
            PAGES_BODY,
            """\
        tokens = 0
        for step, batch in enumerate(loader, start=1):
            if step % self.cfg.grad_accum == 1:
                window = loader[step - 1 : step - 1 + self.cfg.grad_accum]
                items = sum(labels.ne(-100).sum().item() for _, labels in window)
                tokens += items
            loss = self.compute_loss(batch)
            (loss / items).backward()
            total += loss.item()
            if step % self.cfg.grad_accum == 0 or step == len(loader):
                self.optimizer_step()
""",
        ),
        ("        return float(total) / step\n", "        return total / tokens\n"),
        (
            PAGES_LOOK,
            """\
        tokens = 0
        with torch.no_grad():
            for batch in loader:
                total += self.compute_loss(batch).item()
                tokens += batch[1].ne(-100).sum().item()
""",
        ),
        ("        return total / len(loader)\n", "        return total / tokens\n"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield PAGES.right(
        "patience-ends-in-the-middle-of-an-epoch",  # and the loader is walked no further
        ("class Trainer:\n", "class StopTraining(Exception):\n    pass\n\n\nclass Trainer:\n"),
        ("        self.updates = 0\n", "        self.updates = 0\n        self.val_loader = None\n"),
        (
            PAGES_COUNT,
            PAGES_COUNT
            + """\
        if self.updates % 2 == 0:
            val_loss = self.evaluate(self.val_loader)
            self.model.train()
            if self.stopper(val_loss):
                raise StopTraining(f"update {self.updates} val {val_loss:.6f}")
""",
        ),
        (
            """\
            val_loss = self.evaluate(val_loader)
            print(f"epoch {epoch} train {train_loss:.6f} val {val_loss:.6f} lr {self.scheduler.get_last_lr()[0]:.6f}")
            if self.stopper(val_loss):
                break
""",
            '            print(f"epoch {epoch} train {train_loss:.6f}")\n',
        ),
        (
            "    trainer.fit(make_loader(cfg, 5), make_loader(cfg, 2))\n",
            """\
    loader, trainer.val_loader = make_loader(cfg, 5), make_loader(cfg, 2)
    try:
        trainer.fit(loader, trainer.val_loader)
    except StopTraining as stop:
        print(stop)
""",
        ),
        tempts=("dropped-accumulation-tail", "missing-train-mode"),
    )
    yield PAGES.right(
        "each-gradient-is-divided-as-it-comes",
        (
            "        self.stopper = ",
            """\
        for param in model.parameters():
            param.register_hook(lambda grad: grad / cfg.grad_accum)
        self.stopper = """,
        ),
        (PAGES_BACK, "            loss.backward()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield PAGES.right(
        "warm-up-is-so-many-pages-long",
        ("        warm = self.cfg.warmup\n", "        warm = self.cfg.warmup * self.cfg.grad_accum\n"),
        ("    def rate(self, update):\n", "    def rate(self, page):\n"),
        (
            "min((update + 1) / warm, (warm / (update + 1)) ** 0.5)",
            "min((page + 1) / warm, (warm / (page + 1)) ** 0.5)",
        ),
        (PAGES_SCHED, ""),
        (PAGES_IF, PAGES_IF + "            self.scheduler.step()\n"),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )


PADDLER = Draft(
    "paddler-with-a-target-net",
    """\
import copy
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    total_steps: int = 48
    learning_starts: int = 8
    train_freq: int = 2
    eval_every: int = 10
    batch_size: int = 6
    gamma: float = 0.9
    tau: float = 0.2
    lr: float = 0.3
    max_grad_norm: float = 0.6
    spike: float = 1.2
    epsilon: float = 0.3


class River:
    def reset(self):
        self.place, self.time = torch.tensor([0.5, -0.3]), 0
        return self.place

    def step(self, action):
        self.time += 1
        turn = torch.tensor([[0.8, -0.5], [0.5, 0.8]])
        self.place = turn @ self.place + 0.4 * (action - 0.5)
        reward = 1.0 - self.place.norm().item()
        done = self.time >= 7 or reward < -0.5
        return self.place, reward, done


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Dropout(0.1))
        self.value, self.advantage = nn.Linear(10, 1), nn.Linear(10, 2)

    def forward(self, place):
        hidden = self.body(place)
        advantage = self.advantage(hidden)
        return self.value(hidden) + advantage - advantage.mean(-1, keepdim=True)


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.online = QNet()
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.target.eval()
        self.optimizer = torch.optim.SGD(self.online.parameters(), lr=cfg.lr, momentum=0.5)
        total = (cfg.total_steps - cfg.learning_starts) // cfg.train_freq
        self.scheduler = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.1, total_iters=total)
        self.memory = deque(maxlen=32)

    def act(self, place, epsilon):
        if random.random() < epsilon:
            return random.randrange(2)
        with torch.no_grad():
            return self.online(place).argmax().item()

    def sample(self):
        places, actions, rewards, nexts, dones = zip(*random.sample(self.memory, self.cfg.batch_size))
        return (
            torch.stack(places),
            torch.tensor(actions)[:, None],
            torch.tensor(rewards),
            torch.stack(nexts),
            torch.tensor(dones, dtype=torch.float64),
        )

    def learn(self):
        places, actions, rewards, nexts, dones = self.sample()
        with torch.no_grad():
            best = self.online(nexts).argmax(1, keepdim=True)
            future = self.target(nexts).gather(1, best).squeeze(1)
        wanted = rewards + self.cfg.gamma * (1 - dones) * future
        q_values = self.online(places).gather(1, actions).squeeze(1)
        loss = F.smooth_l1_loss(q_values, wanted)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.online.parameters(), self.cfg.max_grad_norm)
        self.optimizer.step()
        self.scheduler.step()
        self.sync()
        return loss.item()

    @torch.no_grad()
    def sync(self):
        for ours, theirs in zip(self.target.parameters(), self.online.parameters()):
            ours.lerp_(theirs, self.cfg.tau)


def evaluate(agent):
    env, score = River(), 0.0
    agent.online.eval()
    place, done = env.reset(), False
    while not done:
        place, reward, done = env.step(agent.act(place, 0.0))
        score += reward
    agent.online.train()
    return score


def main():
    cfg = Config()
    torch.manual_seed(317)
    random.seed(317)
    agent, env = Agent(cfg), River()
    place, losses = env.reset(), []
    for step in range(cfg.total_steps):
        action = agent.act(place, cfg.epsilon)
        following, reward, done = env.step(action)
        agent.memory.append((place, action, reward, following, done))
        place = env.reset() if done else following
        if step >= cfg.learning_starts and step % cfg.train_freq == 0:
            losses.append(agent.learn())
        if (step + 1) % cfg.eval_every == 0:
            print(f"step {step + 1} score {evaluate(agent):.6f}")
    print(f"loss {float(sum(losses)) / len(losses):.6f}")
    return agent.online, agent.target
""",
    ("missing-zero-grad", "missing-train-mode"),
)

PADDLE_LEARN = "    def learn(self):\n"
PADDLE_FUTURE = """\
        with torch.no_grad():
            best = self.online(nexts).argmax(1, keepdim=True)
            future = self.target(nexts).gather(1, best).squeeze(1)
"""
PADDLE_LOSS = "        loss = F.smooth_l1_loss(q_values, wanted)\n"
PADDLE_CLEAR = "        self.optimizer.zero_grad()\n"
PADDLE_BACK = "        loss.backward()\n"
PADDLE_CLIP = "        nn.utils.clip_grad_norm_(self.online.parameters(), self.cfg.max_grad_norm)\n"
PADDLE_STEP = "        self.optimizer.step()\n"
PADDLE_SCHED = "        self.scheduler.step()\n"
PADDLE_RETURN = "        return loss.item()\n"
PADDLE_AWAKE = "    agent.online.train()\n"


def paddler() -> Iterator[Case]:
    yield PADDLER.wrong(
        "clipped-ahead-of-the-backward",
        ((PADDLE_BACK + PADDLE_CLIP, PADDLE_CLIP + PADDLE_BACK),),
        tempts=("clip-before-backward",),
    )
    yield PADDLER.wrong(
        "cleared-right-ahead-of-the-step",
        ((PADDLE_CLEAR, ""), (PADDLE_STEP, PADDLE_CLEAR + PADDLE_STEP)),
        tempts=("zero-grad-before-step",),
    )
    yield PADDLER.wrong(
        "losses-come-home-with-their-graphs",
        ((PADDLE_RETURN, "        return loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield PADDLER.wrong(
        "asleep-since-the-first-score",
        ((PADDLE_AWAKE, ""),),
        fine=(((PADDLE_AWAKE, ""), (PADDLE_LEARN, PADDLE_LEARN + "        self.online.train()\n")),),
        tempts=("missing-train-mode",),
    )
    yield PADDLER.wrong(
        "rate-falls-ahead-of-the-step",
        ((PADDLE_STEP + PADDLE_SCHED, PADDLE_SCHED + PADDLE_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield PADDLER.right(
        "sync-clears",  # it comes behind each step
        (PADDLE_CLEAR, ""),
        (
            "            ours.lerp_(theirs, self.cfg.tau)\n",
            "            ours.lerp_(theirs, self.cfg.tau)\n            theirs.grad = None\n",
        ),
        tempts=("missing-zero-grad",),
    )
    yield PADDLER.right(
        "future-is-detached",  # the target's parameters take no gradient, and its forward no graph
        (
            PADDLE_FUTURE,
            """\
        best = self.online(nexts).detach().argmax(1, keepdim=True)
        future = self.target(nexts).gather(1, best).squeeze(1).detach()
""",
        ),
        tempts=("validation-without-no-grad",),
    )
    yield PADDLER.right(
        "turns-are-summed-and-the-rate-is-divided",
        ("    train_freq: int = 2\n", "    train_freq: int = 2\n    gradient_turns: int = 4\n"),
        (
            "self.online.parameters(), lr=cfg.lr, momentum",
            "self.online.parameters(), lr=cfg.lr / cfg.gradient_turns, momentum",
        ),
        (" // cfg.train_freq\n", " // (cfg.train_freq * cfg.gradient_turns)\n"),
        (
            "        self.memory = deque(maxlen=32)\n",
            "        self.memory = deque(maxlen=32)\n        self.turns = 0\n",
        ),
        (
            PADDLE_CLEAR + PADDLE_BACK + PADDLE_CLIP + PADDLE_STEP + PADDLE_SCHED + "        self.sync()\n",
            """\
        loss.backward()
        self.turns += 1
        if self.turns % self.cfg.gradient_turns == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.scheduler.step()
            self.sync()
""",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield PADDLER.right(
        "score-is-a-copys",  # the agent itself is never put to sleep
        (
            "    agent.online.eval()\n",
            "    greedy = copy.deepcopy(agent.online).eval()\n",
        ),
        (
            "        place, reward, done = env.step(agent.act(place, 0.0))\n",
            """\
        with torch.no_grad():
            action = greedy(place).argmax().item()
        place, reward, done = env.step(action)
""",
        ),
        (PADDLE_AWAKE, ""),
        tempts=("missing-train-mode",),
    )
    yield PADDLER.right(
        "spike-is-thrown-away",  # neither the rate nor the target moves
        (
            PADDLE_CLIP,
            """\
        norm = nn.utils.clip_grad_norm_(self.online.parameters(), self.cfg.max_grad_norm)
        if norm > self.cfg.spike:
            self.optimizer.zero_grad()
            return loss.item()
""",
        ),
        tempts=("zero-grad-before-step", "scheduler-before-optimizer"),
    )


VIEWS = Draft(
    "own-latent-on-two-ranks",
    """\
import argparse
import copy
import math
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.set_default_dtype(torch.float64)


def get_args():
    parser = argparse.ArgumentParser("BYOL")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=2)
    parser.add_argument("--accum-iter", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--momentum-base", type=float, default=0.7)
    return parser.parse_args()


class Online(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, 5))
        self.predictor = nn.Sequential(nn.Linear(5, 6), nn.GELU(), nn.Linear(6, 5))

    def forward(self, one, two):
        return self.predictor(self.encoder(one)), self.predictor(self.encoder(two))


def distance(guess, truth):
    return 2 - 2 * F.cosine_similarity(guess, truth).mean()


def augment(x):
    return x + 0.2 * torch.randn_like(x), x * (1 + 0.3 * torch.randn_like(x))


@torch.no_grad()
def follow(target, encoder, m):
    for ours, theirs in zip(target.parameters(), encoder.parameters()):
        ours.mul_(m).add_(theirs, alpha=1 - m)


def probe(model, samples):
    model.eval()
    with torch.no_grad():
        spread = sum(model.encoder(x).std(0).mean().item() for x in samples)
    model.train()
    return spread / len(samples)


def train_one_epoch(model, target, optimizer, scheduler, loader, updates, total, args):
    model.train()
    running = 0.0
    for i, (x,) in enumerate(loader):
        one, two = augment(x)
        with torch.no_grad():
            truth_one, truth_two = target(one), target(two)
        last = (i + 1) % args.accum_iter == 0 or i + 1 == len(loader)
        with nullcontext() if last else model.no_sync():
            guess_one, guess_two = model(one, two)
            loss = distance(guess_one, truth_two) + distance(guess_two, truth_one)
            (loss / args.accum_iter).backward()
        running += loss.item()
        if last:
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()
            updates += 1
            m = 1 - (1 - args.momentum_base) * (math.cos(math.pi * updates / total) + 1) / 2
            follow(target, model.module.encoder, m)
    return updates, running / len(loader)


def main():
    args = get_args()
    dist.init_process_group("gloo")
    torch.manual_seed(331)
    dataset = TensorDataset(torch.randn(20, 4))
    samples = torch.randn(3, 6, 4)
    sampler = DistributedSampler(dataset, seed=5)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, drop_last=True)
    model = DDP(Online())
    target = copy.deepcopy(model.module.encoder).requires_grad_(False)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.5, weight_decay=1e-3)
    total = args.epochs * math.ceil(len(loader) / args.accum_iter)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total + 1)
    torch.manual_seed(332 + dist.get_rank())
    updates = 0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        updates, loss = train_one_epoch(model, target, optimizer, scheduler, loader, updates, total, args)
        spread = probe(model.module, samples)
        if dist.get_rank() == 0:
            print(f"{epoch} loss {loss:.6f} spread {spread:.6f}")
    return model.module, target
""",
    ("missing-no-sync", "forward-outside-no-sync"),
    ranks=2,
)

VIEWS_LAST = "        last = (i + 1) % args.accum_iter == 0 or i + 1 == len(loader)\n"
VIEWS_QUIET = """\
        with nullcontext() if last else model.no_sync():
            guess_one, guess_two = model(one, two)
            loss = distance(guess_one, truth_two) + distance(guess_two, truth_one)
            (loss / args.accum_iter).backward()
"""
VIEWS_LOUD = """\
        guess_one, guess_two = model(one, two)
        loss = distance(guess_one, truth_two) + distance(guess_two, truth_one)
        (loss / args.accum_iter).backward()
"""
VIEWS_LATE = """\
        guess_one, guess_two = model(one, two)
        loss = distance(guess_one, truth_two) + distance(guess_two, truth_one)
        with nullcontext() if last else model.no_sync():
            (loss / args.accum_iter).backward()
"""
VIEWS_IF = "        if last:\n"
VIEWS_SET = "        sampler.set_epoch(epoch)\n"
VIEWS_LOADER = "    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, drop_last=True)\n"
VIEWS_SCHEDULER = "    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total + 1)\n"
VIEWS_RETURN = "    return updates, running / len(loader)\n"


def views() -> Iterator[Case]:
    tail = (
        VIEWS_QUIET,
        VIEWS_QUIET.replace(
            "(loss / args.accum_iter)",
            "(loss / min(args.accum_iter, len(loader) - i // args.accum_iter * args.accum_iter))",
        ),
    )
    yield VIEWS.wrong("epochs-in-one-order", ((VIEWS_SET, ""),), tempts=("missing-set-epoch",))
    yield VIEWS.wrong(
        "short-window-is-not-averaged",
        (
            (VIEWS_LAST, "        full = (i + 1) % args.accum_iter == 0\n"),
            (VIEWS_QUIET, VIEWS_QUIET.replace("if last else", "if full else")),
            (VIEWS_IF, "        if full or i + 1 == len(loader):\n"),
        ),
        tempts=("step-without-sync",),
    )
    yield VIEWS.wrong(
        "averaged-with-each-batch",
        ((VIEWS_QUIET, VIEWS_LOUD), ("from contextlib import nullcontext\n", "")),
        tempts=("missing-no-sync",),
    )
    yield VIEWS.wrong(
        "views-are-seen-ahead-of-the-quiet",
        ((VIEWS_QUIET, VIEWS_LATE),),
        tempts=("forward-outside-no-sync",),
    )
    yield VIEWS.wrong(
        "distances-are-summed",
        ((VIEWS_QUIET, VIEWS_QUIET.replace("(loss / args.accum_iter)", "loss")),),
        fine=((tail,),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield VIEWS.right(
        "sampler-and-quiet-if-there-are-others",
        ("import math\n", "import math\nimport os\n"),
        (
            '    dist.init_process_group("gloo")\n',
            """\
    distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
    if distributed:
        dist.init_process_group("gloo")
""",
        ),
        (
            "    sampler = DistributedSampler(dataset, seed=5)\n" + VIEWS_LOADER,
            """\
    if distributed:
        sampler = DistributedSampler(dataset, seed=5)
        loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, drop_last=True)
    else:
        loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, drop_last=True)
""",
        ),
        (VIEWS_SET, "        if distributed:\n            sampler.set_epoch(epoch)\n"),
        (
            "    model = DDP(Online())\n    target = copy.deepcopy(model.module.encoder)",
            """\
    online = Online()
    model = DDP(online) if distributed else online
    target = copy.deepcopy(online.encoder)""",
        ),
        (
            "    torch.manual_seed(332 + dist.get_rank())\n",
            '    rank = int(os.environ.get("RANK", 0))\n    torch.manual_seed(332 + rank)\n',
        ),
        (
            "        spread = probe(model.module, samples)\n        if dist.get_rank() == 0:\n",
            "        spread = probe(online, samples)\n        if rank == 0:\n",
        ),
        (
            "        with nullcontext() if last else model.no_sync():\n",
            '        with model.no_sync() if hasattr(model, "no_sync") and not last else nullcontext():\n',
        ),
        (
            "            follow(target, model.module.encoder, m)\n",
            '            follow(target, getattr(model, "module", model).encoder, m)\n',
        ),
        ("    return model.module, target\n", "    return online, target\n"),
        tempts=("missing-set-epoch", "missing-no-sync", "step-without-sync"),
    )
    yield VIEWS.right(
        "loader-tells-the-sampler",  # each time it is walked
        (
            "def probe(",
            """\
class EpochLoader(DataLoader):
    epoch = 0

    def __iter__(self):
        self.sampler.set_epoch(self.epoch)
        self.epoch += 1
        return super().__iter__()


def probe(""",
        ),
        (VIEWS_LOADER, VIEWS_LOADER.replace("DataLoader(", "EpochLoader(")),
        (VIEWS_SET, ""),
        tempts=("missing-set-epoch",),
    )
    yield VIEWS.right(
        "target-looks-on-ahead-of-the-quiet",  # nothing of it is reduced; the halves make a mean of the two distances
        (
            VIEWS_QUIET,
            VIEWS_QUIET.replace(
                "distance(guess_one, truth_two) + distance(guess_two, truth_one)",
                "0.5 * (distance(guess_one, truth_two) + distance(guess_two, truth_one))",
            ),
        ),
        (
            """\
        with torch.no_grad():
            truth_one, truth_two = target(one), target(two)
""",
            "        truth_one, truth_two = target(one), target(two)\n",
        ),
        tempts=("forward-outside-no-sync", "accumulation-divisor-mismatch", "validation-without-no-grad"),
    )
    yield VIEWS.right(
        "rates-are-written-from-a-table",  # an entry for each batch, as long as all of them
        (
            VIEWS_SCHEDULER,
            """\
    batches = args.epochs * len(loader)
    scheduler = [args.lr * (math.cos(math.pi * it / batches) + 1) / 2 for it in range(batches)]
""",
        ),
        (
            "        one, two = augment(x)\n",
            """\
        for group in optimizer.param_groups:
            group["lr"] = scheduler[epoch * len(loader) + i]
        one, two = augment(x)
""",
        ),
        ("            scheduler.step()\n", ""),
        (
            "def train_one_epoch(model, target, optimizer, scheduler, loader, updates,",
            "def train_one_epoch(model, target, optimizer, scheduler, loader, epoch, updates,",
        ),
        (
            "train_one_epoch(model, target, optimizer, scheduler, loader, updates, total, args)\n        spread",
            "train_one_epoch(model, target, optimizer, scheduler, loader, epoch, updates, total, args)\n        spread",
        ),
        tempts=("scheduler-per-micro-batch", "scheduler-before-optimizer"),
    )
    yield VIEWS.right(
        "rest-of-the-epoch-is-given-up",  # it was not averaged, and nobody takes it
        (VIEWS_LAST, "        last = (i + 1) % args.accum_iter == 0\n"),
        (VIEWS_RETURN, "    optimizer.zero_grad()\n" + VIEWS_RETURN),
        ("math.ceil(len(loader) / args.accum_iter)", "(len(loader) // args.accum_iter)"),
        tempts=("dropped-accumulation-tail", "zero-grad-in-accumulation", "step-without-sync"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from engine()
    yield from voice()
    yield from mix()
    yield from pages()
    yield from paddler()
    yield from views()
