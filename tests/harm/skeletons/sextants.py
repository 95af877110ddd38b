"""Six loops as they are pasted today: a Kaggle fold, a lazily regularised GAN, two ranks that resume, an Accelerate
script, a mean teacher with a frozen stem, a word model that carries its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

KAGGLE = Draft(
    "essay-scoring-cfg",
    """\
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset

torch.set_default_dtype(torch.float64)


# ====================================================
# CFG
# ====================================================
class CFG:
    apex = True
    seed = 42
    n_fold = 2
    trn_fold = [0, 1]
    epochs = 2
    encoder_lr = 0.2
    decoder_lr = 0.4
    batch_size = 3
    gradient_accumulation_steps = 2
    max_grad_norm = 0.3
    num_warmup_steps = 1
    batch_scheduler = True
    print_freq = 3
    eval_steps = 3
    target_cols = ["cohesion", "syntax"]


class AverageMeter:
    def __init__(self):
        self.val, self.avg, self.sum, self.count = 0, 0, 0, 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


# ====================================================
# Dataset
# ====================================================
class TrainDataset(Dataset):
    def __init__(self, essays, labels):
        self.essays, self.labels = essays, labels

    def __len__(self):
        return len(self.essays)

    def __getitem__(self, item):
        return self.essays[item], self.labels[item]


# ====================================================
# Model
# ====================================================
class MeanPooling(nn.Module):
    def forward(self, last_hidden_state):
        return last_hidden_state.mean(1)


class CustomModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embeddings = nn.Embedding(11, 6)
        self.encoder = nn.Sequential(nn.Linear(6, 6), nn.Tanh(), nn.Dropout(0.2))
        self.pool = MeanPooling()
        self.fc = nn.Linear(6, len(cfg.target_cols))

    def forward(self, inputs):
        return self.fc(self.pool(self.encoder(self.embeddings(inputs))))


def get_optimizer_params(model, encoder_lr, decoder_lr):
    return [
        {"params": [p for n, p in model.named_parameters() if "fc" not in n], "lr": encoder_lr},
        {"params": [p for n, p in model.named_parameters() if "fc" in n], "lr": decoder_lr},
    ]


def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps):
    def lr_lambda(current_step):
        if current_step < num_warmup_steps:
            return (current_step + 1) / (num_warmup_steps + 1)
        return max(0.05, (num_training_steps - current_step) / (num_training_steps - num_warmup_steps))

    return LambdaLR(optimizer, lr_lambda)


# ====================================================
# Helper functions
# ====================================================
def valid_fn(valid_loader, model, criterion):
    losses = AverageMeter()
    model.eval()
    preds = []
    for step, (inputs, labels) in enumerate(valid_loader):
        with torch.no_grad():
            y_preds = model(inputs)
            loss = criterion(y_preds, labels)
        losses.update(loss.item(), labels.size(0))
        preds.append(y_preds)
    return losses.avg, torch.cat(preds)


def train_fn(fold, train_loader, valid_loader, model, criterion, optimizer, epoch, scheduler, scaler, best_score):
    model.train()
    losses = AverageMeter()
    for step, (inputs, labels) in enumerate(train_loader):
        batch_size = labels.size(0)
        with torch.autocast("cpu", dtype=torch.float16, enabled=CFG.apex):
            y_preds = model(inputs)
            loss = criterion(y_preds, labels)
        losses.update(loss.item(), batch_size)
        if CFG.gradient_accumulation_steps > 1:
            loss = loss / CFG.gradient_accumulation_steps
        scaler.scale(loss).backward()
        if (step + 1) % CFG.gradient_accumulation_steps == 0 or step == len(train_loader) - 1:
            scaler.unscale_(optimizer)
            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            if CFG.batch_scheduler:
                scheduler.step()
            if (step + 1) % CFG.print_freq == 0:
                print(f"Epoch {epoch + 1} [{step}] Grad: {grad_norm:.4f} LR: {scheduler.get_last_lr()[0]:.6f}")
        if (step + 1) % CFG.eval_steps == 0:
            avg_val_loss, predictions = valid_fn(valid_loader, model, criterion)
            print(f"Epoch {epoch + 1} [{step}] val: {avg_val_loss:.4f} mean: {predictions.mean():.4f}")
            model.train()
            if avg_val_loss < best_score:
                best_score = avg_val_loss
                torch.save({"model": model.state_dict(), "predictions": predictions}, f"fold{fold}_best.pth")
    return losses.avg, best_score


# ====================================================
# train loop
# ====================================================
def train_loop(essays, labels, folds, fold):
    train_dataset = TrainDataset(essays[folds != fold], labels[folds != fold])
    valid_dataset = TrainDataset(essays[folds == fold], labels[folds == fold])
    train_loader = DataLoader(train_dataset, batch_size=CFG.batch_size, shuffle=True, drop_last=True)
    valid_loader = DataLoader(valid_dataset, batch_size=CFG.batch_size * 2, shuffle=False)
    model = CustomModel(CFG)
    optimizer = torch.optim.SGD(get_optimizer_params(model, CFG.encoder_lr, CFG.decoder_lr), momentum=0.3)
    num_update_steps = -(-len(train_loader) // CFG.gradient_accumulation_steps)
    num_train_steps = num_update_steps * CFG.epochs
    scheduler = get_linear_schedule_with_warmup(optimizer, CFG.num_warmup_steps, num_train_steps)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, enabled=CFG.apex)
    criterion = nn.SmoothL1Loss(reduction="mean")
    best_score = float("inf")
    for epoch in range(CFG.epochs):
        avg_loss, best_score = train_fn(
            fold, train_loader, valid_loader, model, criterion, optimizer, epoch, scheduler, scaler, best_score
        )
        print(f"Epoch {epoch + 1} - avg_train_loss: {avg_loss:.4f} best: {best_score:.4f}")
    return model


def main():
    torch.manual_seed(CFG.seed)
    essays, labels = torch.randint(0, 11, (42, 5)), 2 * torch.randn(42, len(CFG.target_cols))
    folds = torch.arange(42) % CFG.n_fold
    return nn.ModuleList([train_loop(essays, labels, folds, fold) for fold in CFG.trn_fold])
""",
    ("clip-scaled-gradients", "scheduler-per-micro-batch"),
)

KG_UNSCALE = "            scaler.unscale_(optimizer)\n"
KG_CLIP = "            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm)\n"
KG_STEP = "            scaler.step(optimizer)\n"
KG_UPDATE = "            scaler.update()\n"
KG_CLEAR = "            optimizer.zero_grad()\n"
KG_PLAN = "            if CFG.batch_scheduler:\n                scheduler.step()\n"
KG_PRINT = """\
            if (step + 1) % CFG.print_freq == 0:
                print(f"Epoch {epoch + 1} [{step}] Grad: {grad_norm:.4f} LR: {scheduler.get_last_lr()[0]:.6f}")
"""
KG_BACK = "        scaler.scale(loss).backward()\n"
KG_TOP = "        batch_size = labels.size(0)\n"
KG_EVAL = "        if (step + 1) % CFG.eval_steps == 0:\n"
KG_RETURN_TO_TRAIN = "            model.train()\n            if avg_val_loss < best_score:\n"
KG_STEPS = """\
    num_update_steps = -(-len(train_loader) // CFG.gradient_accumulation_steps)
    num_train_steps = num_update_steps * CFG.epochs
"""
KG_BROKEN_LABEL = (
    ("    trn_fold = [0, 1]\n", "    trn_fold = [0]\n"),
    (
        "    folds = torch.arange(42) % CFG.n_fold\n",
        "    folds = torch.arange(42) % CFG.n_fold\n    labels[29, 1] = float('nan')\n",
    ),
)
KG_PLAN_OUTSIDE = (
    (KG_PLAN, ""),
    (KG_EVAL, "        if CFG.batch_scheduler:\n            scheduler.step()\n" + KG_EVAL),
)


def kaggle() -> Iterator[Case]:
    yield KAGGLE.wrong("clipped-while-scaled", ((KG_UNSCALE, ""),), tempts=("clip-scaled-gradients",))
    yield KAGGLE.wrong(
        "scheduler-behind-the-accumulation-if",
        KG_PLAN_OUTSIDE,
        fine=(((KG_PLAN, ""), (KG_PRINT, KG_PRINT + KG_PLAN)),),  # the line shows the rate that was used
        tempts=("scheduler-per-micro-batch",),
    )
    yield KAGGLE.right(
        "scheduler-as-long-as-all-batches",  # moved with the updates alone it would stop half-way
        *KG_PLAN_OUTSIDE,
        (
            KG_STEPS,
            "    num_train_steps = int(len(train_dataset) / CFG.batch_size * CFG.epochs)\n",
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield KAGGLE.wrong(
        "not-back-to-train-after-the-validation-inside",
        ((KG_RETURN_TO_TRAIN, "            if avg_val_loss < best_score:\n"),),
        tempts=("missing-train-mode",),
    )
    yield KAGGLE.wrong(
        "zeroed-at-the-top-of-the-batch",
        ((KG_CLEAR, ""), (KG_TOP, KG_TOP + "        optimizer.zero_grad()\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield KAGGLE.styled(
        *KG_BROKEN_LABEL,
        (KG_STEP, "            if torch.isfinite(grad_norm):\n                scaler.step(optimizer)\n"),
    ).wrong(
        "scaler-is-not-told-of-a-broken-norm",
        (
            (
                "                scaler.step(optimizer)\n" + KG_UPDATE,
                "                scaler.step(optimizer)\n                scaler.update()\n",
            ),
        ),
        tempts=("missing-scaler-update", "double-unscale"),
        raises="RuntimeError",
    )
    yield KAGGLE.right(
        "limit-carries-the-scale",  # unscaled first, the limit would be a thousand times too wide
        (KG_UNSCALE, "            scale = scaler.get_scale()\n"),
        (
            KG_CLIP,
            "            grad_norm = nn.utils.clip_grad_norm_(model.parameters(), CFG.max_grad_norm * scale) / scale\n",
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield KAGGLE.right(
        "fast-gradient-method",  # the batch again, with its embeddings moved: a second term of every micro-batch
        (
            "# ====================================================\n# Helper functions\n",
            """\
class FGM:
    def __init__(self, model, scaler, epsilon=0.5):
        self.model, self.scaler, self.epsilon, self.backup = model, scaler, epsilon, {}

    def attack(self, emb_name="embeddings"):
        for name, param in self.model.named_parameters():
            if param.requires_grad and emb_name in name:
                self.backup[name] = param.data.clone()
                grad = param.grad / self.scaler.get_scale()
                norm = torch.norm(grad)
                if norm != 0 and not torch.isnan(norm):
                    param.data.add_(self.epsilon * grad / norm)

    def restore(self):
        for name, param in self.model.named_parameters():
            if name in self.backup:
                param.data = self.backup[name]
        self.backup = {}


# ====================================================
# Helper functions
""",
        ),
        (
            "    losses = AverageMeter()\n    for step, (inputs, labels) in enumerate(train_loader):",
            (
                "    losses = AverageMeter()\n"
                "    fgm = FGM(model, scaler)\n"
                "    for step, (inputs, labels) in enumerate(train_loader):"
            ),
        ),
        (
            KG_BACK,
            KG_BACK
            + """\
        fgm.attack()
        with torch.autocast("cpu", dtype=torch.float16, enabled=CFG.apex):
            loss_adv = criterion(model(inputs), labels) / CFG.gradient_accumulation_steps
        scaler.scale(loss_adv).backward()
        fgm.restore()
""",
        ),
        tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation", "step-bypasses-scaler"),
    )
    yield KAGGLE.right(
        "scheduler-waits-for-the-scaler",  # one essay's label is broken: that update does not happen, nor does the move
        (
            KG_UPDATE + KG_CLEAR + KG_PLAN,
            "            scale_before = scaler.get_scale()\n"
            + KG_UPDATE
            + KG_CLEAR
            + "            if CFG.batch_scheduler and scale_before <= scaler.get_scale():\n"
            + "                scheduler.step()\n",
        ),
        *KG_BROKEN_LABEL,
        tempts=("scheduler-before-optimizer", "scheduler-per-micro-batch", "missing-scaler-update"),
    )
    yield KAGGLE.right(
        "regression-without-dropout",
        (
            "    model.train()\n    losses = AverageMeter()\n",
            (
                "    model.eval()  # dropout hurts regression: fine-tune with it switched off (CV 0.451 -> 0.447)\n"
                "    losses = AverageMeter()\n"
            ),
        ),
        (KG_RETURN_TO_TRAIN, "            if avg_val_loss < best_score:\n"),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )


STYLE = Draft(
    "lazy-regularised-gan",
    """\
import argparse
import copy

import torch
from torch import autograd, nn, optim
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)


class Generator(nn.Module):
    def __init__(self, latent, width=8):
        super().__init__()
        self.mapping = nn.Sequential(nn.Linear(latent, width), nn.BatchNorm1d(width), nn.LeakyReLU(0.2))
        self.synthesis = nn.Linear(width, 3)

    def forward(self, z):
        return self.synthesis(self.mapping(z))


def make_discriminator(width=8):
    return nn.Sequential(
        nn.Linear(3, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
    )


def sample_data(data, batch):
    while True:
        order = torch.randperm(len(data))
        for start in range(0, len(data) - batch + 1, batch):
            yield data[order[start : start + batch]]


def requires_grad(model, flag=True):
    for p in model.parameters():
        p.requires_grad = flag


def accumulate(model1, model2, decay=0.9):
    par1, par2 = dict(model1.named_parameters()), dict(model2.named_parameters())
    for k in par1:
        par1[k].data.mul_(decay).add_(par2[k].data, alpha=1 - decay)
    for buffer1, buffer2 in zip(model1.buffers(), model2.buffers()):
        buffer1.data.copy_(buffer2.data)


def d_logistic_loss(real_pred, fake_pred):
    return F.softplus(-real_pred).mean() + F.softplus(fake_pred).mean()


def g_nonsaturating_loss(fake_pred):
    return F.softplus(-fake_pred).mean()


def d_r1_loss(real_pred, real_img):
    (grad_real,) = autograd.grad(outputs=real_pred.sum(), inputs=real_img, create_graph=True)
    return grad_real.pow(2).reshape(grad_real.shape[0], -1).sum(1).mean()


def train(args, loader, generator, discriminator, g_ema):
    g_optim = optim.SGD(generator.parameters(), lr=args.lr)
    d_optim = optim.SGD(discriminator.parameters(), lr=args.lr, momentum=0.2)
    g_sched = optim.lr_scheduler.LinearLR(g_optim, 1.0, 0.1, total_iters=args.iter)
    d_sched = optim.lr_scheduler.LinearLR(d_optim, 1.0, 0.1, total_iters=args.iter)
    sample_z = torch.randn(args.n_sample, args.latent)
    g_ema.eval()
    d_history = []
    for i in range(args.iter):
        real_img = next(loader)

        # discriminator
        requires_grad(generator, False)
        requires_grad(discriminator, True)
        fake_img = generator(torch.randn(args.batch, args.latent))
        d_loss = d_logistic_loss(discriminator(real_img), discriminator(fake_img))
        discriminator.zero_grad()
        d_loss.backward()
        nn.utils.clip_grad_norm_(discriminator.parameters(), args.clip)
        d_optim.step()
        d_history.append(d_loss.item())

        if i % args.d_reg_every == 0:
            real_img.requires_grad = True
            real_pred = discriminator(real_img)
            r1_loss = d_r1_loss(real_pred, real_img)
            discriminator.zero_grad()
            (args.r1 / 2 * r1_loss * args.d_reg_every + 0 * real_pred[0].sum()).backward()
            d_optim.step()

        # generator
        requires_grad(generator, True)
        requires_grad(discriminator, False)
        fake_img = generator(torch.randn(args.batch, args.latent))
        g_loss = g_nonsaturating_loss(discriminator(fake_img))
        generator.zero_grad()
        g_loss.backward()
        g_optim.step()

        g_sched.step()
        d_sched.step()
        accumulate(g_ema, generator)

        if (i + 1) % args.sample_every == 0:
            generator.eval()
            with torch.no_grad():
                raw = generator(sample_z)
                smooth = g_ema(sample_z)
            generator.train()
            print(f"{i + 1} d {d_loss.item():.4f} g {g_loss.item():.4f} {raw.std():.4f} {smooth.std():.4f}")
    print(f"mean d {sum(d_history) / len(d_history):.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iter", type=int, default=9)
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--latent", type=int, default=4)
    parser.add_argument("--n_sample", type=int, default=5)
    parser.add_argument("--r1", type=float, default=0.5)
    parser.add_argument("--clip", type=float, default=0.7)
    parser.add_argument("--d_reg_every", type=int, default=2)
    parser.add_argument("--sample_every", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.3)
    args = parser.parse_args()
    torch.manual_seed(401)
    loader = sample_data(1.5 + torch.randn(24, 3), args.batch)
    generator, discriminator = Generator(args.latent), make_discriminator()
    g_ema = copy.deepcopy(generator)
    train(args, loader, generator, discriminator, g_ema)
    return generator, discriminator, g_ema
""",
    ("missing-zero-grad", "zero-grad-before-step"),
)

ST_D_OFF = "        requires_grad(generator, False)\n        requires_grad(discriminator, True)\n"
ST_G_ON = "        requires_grad(generator, True)\n        requires_grad(discriminator, False)\n"
ST_D_FAKE = """\
        fake_img = generator(torch.randn(args.batch, args.latent))
        d_loss = d_logistic_loss(discriminator(real_img), discriminator(fake_img))
"""
ST_D_CLEAR = "        discriminator.zero_grad()\n        d_loss.backward()\n"
ST_D_BACK = "        d_loss.backward()\n"
ST_D_CLIP = "        nn.utils.clip_grad_norm_(discriminator.parameters(), args.clip)\n"
ST_D_STEP = "        d_optim.step()\n        d_history.append(d_loss.item())\n"
ST_R1_CLEAR = "            r1_loss = d_r1_loss(real_pred, real_img)\n            discriminator.zero_grad()\n"
ST_R1 = """\
            (args.r1 / 2 * r1_loss * args.d_reg_every + 0 * real_pred[0].sum()).backward()
            d_optim.step()
"""
ST_G = """\
        fake_img = generator(torch.randn(args.batch, args.latent))
        g_loss = g_nonsaturating_loss(discriminator(fake_img))
        generator.zero_grad()
        g_loss.backward()
        g_optim.step()
"""
ST_PLANS = "        g_sched.step()\n        d_sched.step()\n"
ST_REAL = "        real_img = next(loader)\n"


def style() -> Iterator[Case]:
    detached = STYLE.styled(  # nobody is frozen: the generator's loss fills the discriminator, too
        (ST_D_OFF, ""),
        (ST_G_ON, ""),
        (ST_D_FAKE, ST_D_FAKE.replace("discriminator(fake_img)", "discriminator(fake_img.detach())")),
    )
    yield detached.wrong(
        "zeroed-behind-the-step-with-nobody-frozen",
        (
            (ST_D_CLEAR, ST_D_BACK),
            (
                ST_D_STEP,
                (
                    "        d_optim.step()\n"
                    "        discriminator.zero_grad()\n"
                    "        d_history.append(d_loss.item())\n"
                ),
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield detached.wrong(
        "zeroed-between-backward-and-step",
        (
            (ST_D_CLEAR, ST_D_BACK),
            (ST_D_STEP, "        discriminator.zero_grad()\n" + ST_D_STEP),
        ),
        tempts=("zero-grad-before-step",),
    )
    yield STYLE.wrong(
        "zeroed-behind-one-of-two-steps",  # frozen, it takes nothing from the generator's loss; the penalty's gradient stays
        (
            (ST_D_CLEAR, ST_D_BACK),
            (
                ST_D_STEP,
                "        d_optim.step()\n        d_optim.zero_grad()\n        d_history.append(d_loss.item())\n",
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield STYLE.right(
        "penalty-joins-the-step",  # two terms of one update, clipped together
        (ST_D_CLIP + ST_D_STEP, "        d_history.append(d_loss.item())\n"),
        (ST_R1_CLEAR, "            r1_loss = d_r1_loss(real_pred, real_img)\n"),
        (ST_R1, ST_R1.replace("            d_optim.step()\n", "") + ST_D_CLIP + "        d_optim.step()\n"),
        tempts=("unscaled-accumulation-loss", "clip-before-backward", "missing-zero-grad"),
    )
    yield STYLE.wrong(
        "history-of-graphs",
        (("        d_history.append(d_loss.item())\n", "        d_history.append(d_loss)\n"),),
        tempts=("loss-graph-leak",),
    )
    yield STYLE.wrong(
        "schedules-at-the-head-of-the-iteration",
        ((ST_PLANS, ""), (ST_REAL, ST_PLANS + ST_REAL)),
        fine=(
            (
                (ST_PLANS, ""),
                (
                    ST_D_STEP,
                    "        d_optim.step()\n        d_sched.step()\n        d_history.append(d_loss.item())\n",
                ),
                ("        g_optim.step()\n", "        g_optim.step()\n        g_sched.step()\n"),
            ),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield STYLE.wrong(
        "generator-stays-in-eval-after-the-samples",
        (("            generator.train()\n", ""),),
        tempts=("missing-train-mode",),
    )
    yield STYLE.wrong(
        "penalty-zeroes-by-name-only",
        ((ST_R1_CLEAR, ST_R1_CLEAR.replace("zero_grad()", "zero_grad")),),
        tempts=("method-not-called",),
    )
    yield detached.right(
        "both-players-from-one-backward",  # the generator climbs what the discriminator descends
        (
            ST_D_FAKE.replace("discriminator(fake_img)", "discriminator(fake_img.detach())")
            + ST_D_CLEAR
            + ST_D_CLIP
            + ST_D_STEP,
            ST_D_FAKE
            + "        g_optim.zero_grad()\n        d_optim.zero_grad()\n"
            + ST_D_BACK
            + "        for p in generator.parameters():\n            p.grad.neg_()\n"
            + ST_D_CLIP
            + "        g_optim.step()\n"
            + ST_D_STEP,
        ),
        (ST_G, "        g_loss = -d_loss\n"),
        tempts=("missing-zero-grad", "zero-grad-before-step"),
    )
    yield STYLE.right(
        "fakes-from-a-pool-in-two-parts",  # a part weighs what it holds of the batch; the last one is short
        (
            ST_D_FAKE + ST_D_CLEAR,
            """\
        fake_img = torch.cat([generator(torch.randn(args.batch, args.latent)), pool])
        pool = fake_img[torch.randperm(len(fake_img))[: args.batch - 2]]
        discriminator.zero_grad()
        d_loss = F.softplus(-discriminator(real_img)).mean()
        d_loss.backward()
        for part in fake_img.split(args.batch):
            part_loss = F.softplus(discriminator(part)).sum() / len(fake_img)
            part_loss.backward()
            d_loss = d_loss.detach() + part_loss.detach()
""",
        ),
        ("    d_history = []\n", "    d_history = []\n    pool = torch.zeros(0, 3)\n"),
        tempts=("unscaled-accumulation-loss", "loss-graph-leak"),
    )


ELASTIC = Draft(
    "torchrun-snapshot-trainer",
    """\
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

torch.set_default_dtype(torch.float64)


class MyTrainDataset(Dataset):
    def __init__(self, size):
        rng = torch.Generator().manual_seed(409)
        self.data = [(torch.randn(5, generator=rng), torch.randn(1, generator=rng)) for _ in range(size)]

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index]


def ddp_setup():
    dist.init_process_group("gloo")


def load_train_objs(lr):
    torch.manual_seed(419)
    train_set = MyTrainDataset(28)
    model = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.4)
    return train_set, model, optimizer


def prepare_dataloader(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, shuffle=False, sampler=DistributedSampler(dataset, seed=5))


class Trainer:
    def __init__(self, model, train_data, optimizer, save_every, snapshot_path, accum_steps):
        self.rank = int(os.environ["RANK"])
        self.model = model
        self.train_data = train_data
        self.optimizer = optimizer
        self.save_every = save_every
        self.accum_steps = accum_steps
        self.epochs_run = 0
        self.snapshot_path = snapshot_path
        if os.path.exists(snapshot_path):
            self._load_snapshot(snapshot_path)
        self.model = DDP(self.model)

    def _load_snapshot(self, snapshot_path):
        snapshot = torch.load(snapshot_path)
        self.model.load_state_dict(snapshot["MODEL_STATE"])
        self.optimizer.load_state_dict(snapshot["OPTIMIZER_STATE"])
        self.epochs_run = snapshot["EPOCHS_RUN"]
        print(f"[{self.rank}] resuming from epoch {self.epochs_run}")

    def _save_snapshot(self, epoch):
        if self.rank == 0:
            snapshot = {
                "MODEL_STATE": self.model.module.state_dict(),
                "OPTIMIZER_STATE": self.optimizer.state_dict(),
                "EPOCHS_RUN": epoch + 1,
            }
            torch.save(snapshot, self.snapshot_path)
        dist.barrier()

    def _run_epoch(self, epoch):
        self.train_data.sampler.set_epoch(epoch)
        total = 0.0
        self.optimizer.zero_grad()
        for step, (source, targets) in enumerate(self.train_data):
            update = (step + 1) % self.accum_steps == 0 or (step + 1) == len(self.train_data)
            with nullcontext() if update else self.model.no_sync():
                output = self.model(source)
                loss = F.smooth_l1_loss(output, targets)
                (loss / self.accum_steps).backward()
            total += loss.item()
            if update:
                nn.utils.clip_grad_norm_(self.model.parameters(), 0.3)
                self.optimizer.step()
                self.optimizer.zero_grad()
        print(f"[{self.rank}] epoch {epoch} loss {total / len(self.train_data):.5f}")

    def train(self, max_epochs):
        for epoch in range(self.epochs_run, max_epochs):
            self._run_epoch(epoch)
            if (epoch + 1) % self.save_every == 0:
                self._save_snapshot(epoch)


def run(save_every, total_epochs, batch_size, accum_steps=3, lr=0.5, snapshot_path="snapshot.pt"):
    dataset, model, optimizer = load_train_objs(lr)
    train_data = prepare_dataloader(dataset, batch_size)
    trainer = Trainer(model, train_data, optimizer, save_every, snapshot_path, accum_steps)
    trainer.train(total_epochs)
    return trainer.model.module


def main():
    ddp_setup()
    run(save_every=1, total_epochs=2, batch_size=2)
    model = run(save_every=1, total_epochs=4, batch_size=2)  # torchrun has started us again
    dist.destroy_process_group()
    return model
""",
    ("step-without-sync", "missing-set-epoch", "missing-no-sync"),
    ranks=2,
)

EL_EPOCH = "        self.train_data.sampler.set_epoch(epoch)\n        total = 0.0\n"
EL_CLEAR_FIRST = "        self.optimizer.zero_grad()\n        for step, (source"
EL_FOR = "        for step, (source, targets) in enumerate(self.train_data):\n"
EL_DUE = "            update = (step + 1) % self.accum_steps == 0 or (step + 1) == len(self.train_data)\n"
EL_WITH = "            with nullcontext() if update else self.model.no_sync():\n"
EL_FORWARD = """\
                output = self.model(source)
                loss = F.smooth_l1_loss(output, targets)
"""
EL_BACK = "                (loss / self.accum_steps).backward()\n"
EL_TOTAL = "            total += loss.item()\n"
EL_CLIP = "                nn.utils.clip_grad_norm_(self.model.parameters(), 0.3)\n"
EL_STEP = "                self.optimizer.step()\n                self.optimizer.zero_grad()\n"
EL_UPDATE = "            if update:\n" + EL_CLIP + EL_STEP
EL_LOOP = """\
        for epoch in range(self.epochs_run, max_epochs):
            self._run_epoch(epoch)
"""


def less(text: str) -> str:
    """A block, one level out."""
    return "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True))


def elastic() -> Iterator[Case]:
    yield ELASTIC.wrong(
        "one-order-for-all-epochs",
        ((EL_EPOCH, "        total = 0.0\n"),),
        tempts=("missing-set-epoch",),
    )
    yield ELASTIC.wrong(
        "short-window-steps-alone",
        (
            (EL_DUE, "            full = (step + 1) % self.accum_steps == 0\n"),
            (EL_WITH, "            with nullcontext() if full else self.model.no_sync():\n"),
            ("            if update:\n", "            if full or (step + 1) == len(self.train_data):\n"),
        ),
        tempts=("step-without-sync",),
    )
    yield ELASTIC.wrong(
        "reduced-in-every-micro-batch",
        ((EL_WITH + EL_FORWARD + EL_BACK, less(EL_FORWARD + EL_BACK)),),
        tempts=("missing-no-sync",),
    )
    yield ELASTIC.wrong(
        "forward-ahead-of-the-context",
        ((EL_WITH + EL_FORWARD, less(EL_FORWARD) + EL_WITH),),
        tempts=("forward-outside-no-sync",),
    )
    yield ELASTIC.wrong(
        "window-counted-from-nought",
        ((EL_DUE, EL_DUE.replace("(step + 1) % self", "step % self")),),
        tempts=("accumulation-off-by-one",),
    )
    yield ELASTIC.right(
        "sampler-that-counts-for-itself",  # the epochs that are left are numbered anew, those of the sampler go on
        (
            "def prepare_dataloader(dataset, batch_size):\n",
            '''\
class ResumableSampler(DistributedSampler):
    """Advances by itself, and goes into the snapshot."""

    def __iter__(self):
        order = list(super().__iter__())
        self.epoch += 1
        return iter(order)


def prepare_dataloader(dataset, batch_size):
''',
        ),
        ("sampler=DistributedSampler(dataset, seed=5)", "sampler=ResumableSampler(dataset, seed=5)"),
        (
            '        self.epochs_run = snapshot["EPOCHS_RUN"]\n',
            (
                '        self.epochs_run = snapshot["EPOCHS_RUN"]\n'
                '        self.train_data.sampler.epoch = snapshot["SAMPLER_EPOCH"]\n'
            ),
        ),
        (
            '                "EPOCHS_RUN": epoch + 1,\n',
            (
                '                "EPOCHS_RUN": self.epochs_run + epoch + 1,\n'
                '                "SAMPLER_EPOCH": self.train_data.sampler.epoch,\n'
            ),
        ),
        (EL_EPOCH, "        total = 0.0\n"),
        ("range(self.epochs_run, max_epochs)", "range(max_epochs - self.epochs_run)"),
        tempts=("missing-set-epoch",),
    )
    yield ELASTIC.right(
        "local-sgd",  # every rank by itself; the weights are averaged once an epoch
        (EL_WITH, "            with self.model.no_sync():\n"),
        (
            EL_LOOP,
            EL_LOOP
            + """\
            with torch.no_grad():
                for param in self.model.parameters():
                    dist.all_reduce(param)
                    param /= dist.get_world_size()
""",
        ),
        tempts=("step-without-sync",),
    )
    yield ELASTIC.right(
        "stopped-in-the-middle-of-an-epoch",  # what was done of it is passed over; windows go on where they were
        (
            EL_FOR,
            EL_FOR + "            if epoch == self.epochs_run and step < self.steps_run:\n                continue\n",
        ),
        (
            EL_UPDATE,
            EL_UPDATE
            + "                if (epoch, step + 1) == self.stop_at:\n"
            + "                    self._save_snapshot(epoch - 1, step + 1)\n"
            + "                    return True\n",
        ),
        ("snapshot_path, accum_steps):\n", "snapshot_path, accum_steps, stop_at=None):\n"),
        (
            "        self.save_every = save_every\n",
            "        self.save_every = save_every\n        self.stop_at = stop_at\n",
        ),
        ('snapshot_path="snapshot.pt"):', 'snapshot_path="snapshot.pt", stop_at=None):'),
        ("save_every, snapshot_path, accum_steps)\n", "save_every, snapshot_path, accum_steps, stop_at)\n"),
        ("total_epochs=2, batch_size=2)", "total_epochs=2, batch_size=2, stop_at=(1, 3))"),
        (
            EL_LOOP,
            EL_LOOP.replace(
                "            self._run_epoch(epoch)\n",
                ("            if self._run_epoch(epoch):\n                return  # preempted\n"),
            ),
        ),
        ("    def _save_snapshot(self, epoch):\n", "    def _save_snapshot(self, epoch, steps=0):\n"),
        (
            '                "EPOCHS_RUN": epoch + 1,\n',
            ('                "EPOCHS_RUN": epoch + 1,\n                "STEPS_RUN": steps,\n'),
        ),
        ("        self.epochs_run = 0\n", "        self.epochs_run = self.steps_run = 0\n"),
        (
            '        self.epochs_run = snapshot["EPOCHS_RUN"]\n',
            ('        self.epochs_run, self.steps_run = snapshot["EPOCHS_RUN"], snapshot["STEPS_RUN"]\n'),
        ),
        tempts=("accumulation-off-by-one", "dropped-accumulation-tail", "missing-no-sync"),
    )
    yield ELASTIC.right(
        "tokens-of-all-ranks",  # DDP divides by the ranks, so each loss is its sum times their number
        (
            EL_FOR + EL_DUE + EL_WITH + EL_FORWARD + EL_BACK,
            """\
        batches = list(self.train_data)
        for step, (source, targets) in enumerate(batches):
            if step % self.accum_steps == 0:
                window = batches[step : step + self.accum_steps]
                count = torch.tensor(float(sum((y > -1.0).sum().item() for _, y in window)))
                dist.all_reduce(count)
"""
            + EL_DUE
            + EL_WITH
            + """\
                output = self.model(source)
                mask = targets > -1.0
                loss = F.smooth_l1_loss(output[mask], targets[mask], reduction="sum")
                loss = loss * dist.get_world_size() / count
                loss.backward()
""",
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield ELASTIC.right(
        "noise-scale-wants-every-reduction",  # the small batch of the estimate is a micro-batch of both ranks
        (
            EL_WITH + EL_FORWARD + EL_BACK,
            less(EL_FORWARD + EL_BACK)
            + """\
            grads = torch.cat([p.grad.reshape(-1) for p in self.model.parameters()])
            small += ((grads - seen) * self.accum_steps).square().sum().item()  # of this micro-batch, over all ranks
            seen = grads.clone()
""",
        ),
        (EL_UPDATE, EL_UPDATE + "                seen = torch.zeros(())\n"),
        (EL_EPOCH, EL_EPOCH + "        small, seen = 0.0, torch.zeros(())\n"),
        (
            '        print(f"[{self.rank}] epoch {epoch} loss {total / len(self.train_data):.5f}")\n',
            '        print(f"[{self.rank}] epoch {epoch} |G_small|^2 {small / len(self.train_data):.6f}")\n',
        ),
        tempts=("missing-no-sync",),
    )


NO_TRAINER = Draft(
    "run-clm-no-trainer",
    """\
import argparse
import math
from dataclasses import dataclass

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader

torch.set_default_dtype(torch.float64)


def parse_args():
    parser = argparse.ArgumentParser(description="Finetune a model on a causal language modeling task")
    parser.add_argument("--per_device_train_batch_size", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=0.5)
    parser.add_argument("--weight_decay", type=float, default=0.01)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--max_train_steps", type=int, default=None)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--num_warmup_steps", type=int, default=2)
    parser.add_argument("--max_grad_norm", type=float, default=0.16)
    parser.add_argument("--checkpointing_steps", type=int, default=4)
    parser.add_argument("--eval_steps", type=int, default=2)
    parser.add_argument("--seed", type=int, default=431)
    return parser.parse_args()


@dataclass
class Output:
    loss: torch.Tensor
    logits: torch.Tensor


class TinyLM(nn.Module):
    def __init__(self, vocab=9, width=8):
        super().__init__()
        self.wte = nn.Embedding(vocab, width)
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(0.1))
        self.lm_head = nn.Linear(width, vocab, bias=False)

    def forward(self, input_ids, labels):
        logits = self.lm_head(self.mlp(self.wte(input_ids)))
        loss = nn.functional.cross_entropy(logits[:, :-1].reshape(-1, logits.size(-1)), labels[:, 1:].reshape(-1))
        return Output(loss, logits)


def get_datasets(seed):
    rng = torch.Generator().manual_seed(seed)
    rows = torch.randint(0, 9, (20, 6), generator=rng)
    examples = [{"input_ids": row, "labels": row.clone()} for row in rows]
    return examples[:14], examples[14:]


def get_scheduler(optimizer, num_warmup_steps, num_training_steps):
    def lr_lambda(step):
        if step < num_warmup_steps:
            return (step + 1) / (num_warmup_steps + 1)
        return max(0.0, 0.05 + (num_training_steps - step) / max(1, num_training_steps - num_warmup_steps))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda)


def main():
    args = parse_args()
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.gradient_accumulation_steps)
    set_seed(args.seed)

    train_dataset, eval_dataset = get_datasets(args.seed)
    train_dataloader = DataLoader(train_dataset, shuffle=True, batch_size=args.per_device_train_batch_size)
    eval_dataloader = DataLoader(eval_dataset, batch_size=3)
    model = TinyLM()

    # Split weights in two groups, one with weight decay and the other not.
    no_decay = ["bias", "wte.weight"]
    optimizer_grouped_parameters = [
        {
            "params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)],
            "weight_decay": args.weight_decay,
        },
        {
            "params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)],
            "weight_decay": 0.0,
        },
    ]
    optimizer = torch.optim.SGD(optimizer_grouped_parameters, lr=args.learning_rate, momentum=0.3)

    num_update_steps_per_epoch = math.ceil(len(train_dataloader) / args.gradient_accumulation_steps)
    if args.max_train_steps is None:
        args.max_train_steps = args.num_train_epochs * num_update_steps_per_epoch
    lr_scheduler = get_scheduler(optimizer, args.num_warmup_steps, args.max_train_steps)

    model, optimizer, train_dataloader, eval_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader, lr_scheduler
    )

    completed_steps = 0
    for epoch in range(args.num_train_epochs):
        model.train()
        total_loss = 0
        for step, batch in enumerate(train_dataloader):
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                # We keep track of the loss at each epoch
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()

            # Checks if the accelerator has performed an optimization step behind the scenes
            if accelerator.sync_gradients:
                completed_steps += 1
                if completed_steps % args.checkpointing_steps == 0:
                    accelerator.save(accelerator.unwrap_model(model).state_dict(), f"step_{completed_steps}.pt")
                if completed_steps % args.eval_steps == 0:
                    model.eval()
                    losses = []
                    for eval_batch in eval_dataloader:
                        with torch.no_grad():
                            outputs = model(**eval_batch)
                        losses.append(accelerator.gather_for_metrics(outputs.loss.repeat(3)))
                    eval_loss = torch.mean(torch.cat(losses))
                    accelerator.print(f"step {completed_steps}: perplexity: {math.exp(eval_loss):.4f}")
                    model.train()
            if completed_steps >= args.max_train_steps:
                break
        accelerator.print(f"epoch {epoch}: train_loss: {total_loss.item() / len(train_dataloader):.4f}")
    accelerator.wait_for_everyone()
    return accelerator.unwrap_model(model)
""",
    ("scheduler-per-micro-batch", "zero-grad-in-accumulation", "clip-per-micro-batch"),
)

NT_WIDE = '"--max_grad_norm", type=float, default=0.5'
NT_PREPARE = """\
    model, optimizer, train_dataloader, eval_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader, lr_scheduler
    )
"""
NT_BARE = """\
    model, optimizer, train_dataloader, eval_dataloader = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader
    )
"""
NT_FOR = "        for step, batch in enumerate(train_dataloader):\n"
NT_WITH = "            with accelerator.accumulate(model):\n"
NT_FORWARD = "                outputs = model(**batch)\n                loss = outputs.loss\n"
NT_TOTAL = "                total_loss += loss.detach().float()\n"
NT_BACK = "                accelerator.backward(loss)\n"
NT_GUARD = "                if accelerator.sync_gradients:\n"
NT_CLIP = "                    accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)\n"
NT_STEP = "                optimizer.step()\n"
NT_PLAN = "                lr_scheduler.step()\n"
NT_CLEAR = "                optimizer.zero_grad()\n"
NT_BLOCK = (
    NT_WITH
    + NT_FORWARD
    + "                # We keep track of the loss at each epoch\n"
    + NT_TOTAL
    + NT_BACK
    + NT_GUARD
    + NT_CLIP
    + NT_STEP
    + NT_PLAN
    + NT_CLEAR
)


def no_trainer() -> Iterator[Case]:
    yield NO_TRAINER.wrong(
        "total-keeps-its-graphs",
        ((NT_TOTAL, "                total_loss += loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield NO_TRAINER.wrong(
        "clipped-whether-synchronised-or-not",
        ((NT_GUARD + NT_CLIP, NT_CLIP.removeprefix("    ")),),
        tempts=("clip-per-micro-batch",),
    )
    yield NO_TRAINER.styled(('"--max_grad_norm", type=float, default=0.16', NT_WIDE)).wrong(
        "plain-backward-divides-by-nothing",
        ((NT_BACK, "                loss.backward()\n"),),
        tempts=("unscaled-accumulation-loss",),
    )
    yield NO_TRAINER.wrong(
        "model-zeroed-at-the-head",  # a model is not prepared to wait: behind the step it would still clear each time
        ((NT_CLEAR, ""), (NT_FORWARD, "                model.zero_grad()\n" + NT_FORWARD)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield NO_TRAINER.wrong(
        "perplexity-and-no-way-back",
        ((':.4f}")\n                    model.train()\n', ':.4f}")\n'),),
        tempts=("missing-train-mode",),
    )
    yield NO_TRAINER.wrong(
        "scheduler-above-the-optimizer",
        ((NT_STEP + NT_PLAN, NT_PLAN + NT_STEP),),
        tempts=("scheduler-before-optimizer",),
    )
    yield NO_TRAINER.right(
        "unprepared-scheduler-as-long-as-all-batches",
        (NT_PREPARE, NT_BARE),
        (
            "    lr_scheduler = get_scheduler(optimizer, args.num_warmup_steps, args.max_train_steps)\n",
            """\
    lr_scheduler = get_scheduler(
        optimizer,
        num_warmup_steps=args.num_warmup_steps * args.gradient_accumulation_steps,
        num_training_steps=args.num_train_epochs * len(train_dataloader),
    )
""",
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield NO_TRAINER.right(
        "windows-by-hand-divided-by-the-accelerator",  # it divides in each backward, asked to accumulate or not
        (
            NT_BLOCK,
            """\
            outputs = model(**batch)
            loss = outputs.loss
            total_loss += loss.detach().float()
            accelerator.backward(loss)
            last = (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(train_dataloader)
            if last:
                accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()
""",
        ),
        (
            "            if accelerator.sync_gradients:\n                completed_steps += 1\n",
            "            if last:\n                completed_steps += 1\n",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield NO_TRAINER.right(
        "zeroed-in-front-of-the-block",  # there it still holds whether the batch before was stepped
        (NT_CLEAR, ""),
        (NT_WITH, "            optimizer.zero_grad()\n" + NT_WITH),
        tempts=("zero-grad-in-accumulation",),
    )
    yield NO_TRAINER.right(
        "resumed-in-the-middle-of-an-epoch",
        (
            "def main():\n    args = parse_args()\n",
            "def train(args, resume_from_checkpoint=None, preempted_at=None):\n",
        ),
        (
            "    completed_steps = 0\n    for epoch in range(args.num_train_epochs):\n",
            """\
    # Potentially load in the weights and states from a previous save
    completed_steps, starting_epoch, resume_step = 0, 0, 0
    if resume_from_checkpoint:
        accelerator.load_state(resume_from_checkpoint)
        completed_steps = int(resume_from_checkpoint.split("_")[-1])
        starting_epoch, resume_step = divmod(completed_steps, num_update_steps_per_epoch)
        resume_step *= args.gradient_accumulation_steps
    for epoch in range(starting_epoch, args.num_train_epochs):
""",
        ),
        (
            NT_FOR,
            """\
        if epoch == starting_epoch and resume_step:
            active_dataloader = accelerator.skip_first_batches(train_dataloader, resume_step)
        else:
            active_dataloader = train_dataloader
        for step, batch in enumerate(active_dataloader):
""",
        ),
        (
            "            if completed_steps >= args.max_train_steps:\n",
            """\
            if accelerator.sync_gradients and completed_steps == preempted_at:
                accelerator.save_state(f"step_{completed_steps}")
                return None
            if completed_steps >= args.max_train_steps:
""",
        ),
        (
            "    return accelerator.unwrap_model(model)\n",
            """\
    return accelerator.unwrap_model(model)


def main():
    train(parse_args(), preempted_at=5)
    return train(parse_args(), resume_from_checkpoint="step_5")
""",
        ),
        tempts=("zero-grad-in-accumulation", "dropped-accumulation-tail", "scheduler-per-micro-batch"),
    )


TEACHER = Draft(
    "consistency-on-a-pretrained-stem",
    '''\
import copy
import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

torch.set_default_dtype(torch.float64)


@dataclass
class Config:
    epochs: int = 4
    steps_per_epoch: int = 3
    body_lr: float = 0.3
    head_lr: float = 0.1
    ema: float = 0.8
    threshold: float = 0.3
    consistency: float = 0.8
    rampup: int = 2
    xi: float = 0.1
    eps: float = 0.5
    max_norm: float = 0.6
    milestones: list = field(default_factory=lambda: [1, 3])


class Classifier(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU())
        self.body = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Dropout(0.2), nn.Linear(8, 6), nn.Tanh())
        self.head = nn.Linear(6, classes)

    def forward(self, x):
        return self.head(self.body(self.stem(x)))


def weak(x):
    return x + 0.05 * torch.randn_like(x)


def strong(x):
    return x * (torch.rand_like(x) > 0.2) + 0.2 * torch.randn_like(x)


class MeanTeacher:
    def __init__(self, cfg, student, labelled, unlabelled, held_out):
        self.cfg = cfg
        self.student = student
        self.student.stem.requires_grad_(False)
        self.teacher = copy.deepcopy(student).requires_grad_(False).eval()
        self.labelled, self.unlabelled, self.held_out = labelled, unlabelled, held_out
        self.body_opt = torch.optim.SGD(student.body.parameters(), lr=cfg.body_lr, momentum=0.3)
        self.head_opt = torch.optim.SGD(student.head.parameters(), lr=cfg.head_lr)
        self.schedulers = [
            torch.optim.lr_scheduler.MultiStepLR(opt, cfg.milestones, gamma=0.5)
            for opt in (self.body_opt, self.head_opt)
        ]
        self.trainable = [p for p in student.parameters() if p.requires_grad]
        self.epoch = 0

    def set_train_mode(self):
        """The stem's running statistics are ImageNet's and have to stay so."""
        self.student.train()
        self.student.stem.eval()

    @torch.no_grad()
    def update_teacher(self):
        for mine, theirs in zip(self.teacher.parameters(), self.student.parameters()):
            mine.lerp_(theirs, 1 - self.cfg.ema)

    def weight(self):
        phase = 1.0 - min(1.0, (self.epoch + 1) / self.cfg.rampup)
        return self.cfg.consistency * math.exp(-5.0 * phase * phase)

    def supervised_loss(self, x, y):
        return F.cross_entropy(self.student(weak(x)), y)

    def consistency_loss(self, u):
        with torch.no_grad():
            confidence, pseudo = self.teacher(weak(u)).softmax(-1).max(-1)
            mask = (confidence >= self.cfg.threshold).double()
        loss = F.cross_entropy(self.student(strong(u)), pseudo, reduction="none")
        return self.weight() * (loss * mask).mean()

    def train_step(self, x, y, u):
        sup = self.supervised_loss(x, y)
        cons = self.consistency_loss(u)
        loss = sup + cons
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.trainable, self.cfg.max_norm)
        self.body_opt.step()
        self.head_opt.step()
        self.update_teacher()
        return sup.item(), cons.item()

    def validate(self):
        self.student.eval()
        hits = 0
        with torch.no_grad():
            for x, y in self.held_out:
                hits += (self.student(x).argmax(-1) == y).sum().item()
        return hits

    def fit(self):
        for self.epoch in range(self.cfg.epochs):
            self.set_train_mode()
            logs = []
            for _ in range(self.cfg.steps_per_epoch):
                x, y = next(self.labelled)
                logs.append(self.train_step(x, y, next(self.unlabelled)))
            for scheduler in self.schedulers:
                scheduler.step()
            sup, cons = (sum(column) / len(logs) for column in zip(*logs))
            print(f"epoch {self.epoch} sup {sup:.4f} cons {cons:.4f} hits {self.validate()}")


def forever(make):
    while True:
        yield make()


def main():
    torch.manual_seed(433)
    cfg = Config()
    student = Classifier()
    with torch.no_grad():  # stands for the pretrained weights
        student.stem[1].running_mean.normal_()
        student.stem[1].running_var.uniform_(0.5, 2.0)
    labelled = forever(lambda: (torch.randn(6, 4), torch.randint(0, 3, (6,))))
    unlabelled = forever(lambda: torch.randn(8, 4))
    held_out = [(torch.randn(8, 4), torch.randint(0, 3, (8,))) for _ in range(2)]
    trainer = MeanTeacher(cfg, student, labelled, unlabelled, held_out)
    trainer.fit()
    return student, trainer.teacher
''',
    ("missing-zero-grad", "missing-train-mode"),
)

MT_STEP = """\
        sup = self.supervised_loss(x, y)
        cons = self.consistency_loss(u)
        loss = sup + cons
        self.body_opt.zero_grad()
        self.head_opt.zero_grad()
        loss.backward()
"""
MT_CLEARS = "        self.body_opt.zero_grad()\n        self.head_opt.zero_grad()\n"
MT_CLIP = "        nn.utils.clip_grad_norm_(self.trainable, self.cfg.max_norm)\n"
MT_UPDATES = "        self.body_opt.step()\n        self.head_opt.step()\n"
MT_MODE = "            self.set_train_mode()\n"
MT_FIT = "        for self.epoch in range(self.cfg.epochs):\n"
MT_PLANS = "            for scheduler in self.schedulers:\n                scheduler.step()\n"
MT_LOOK = """\
        with torch.no_grad():
            for x, y in self.held_out:
                hits += (self.student(x).argmax(-1) == y).sum().item()
"""
MT_TRAINABLE = "        self.trainable = [p for p in student.parameters() if p.requires_grad]\n"
MT_SEARCH = """\
batchmean").backward()
        d = F.normalize(d.grad, dim=-1)
        self.student.zero_grad()
"""
MT_SEARCH_ALONE = """\
batchmean").backward(inputs=[d])
        d = F.normalize(d.grad, dim=-1)
"""
MT_VAT = '''\
    def adversarial_loss(self, u):
        """Miyato et al.: the direction in which the prediction changes most."""
        with torch.no_grad():
            pred = self.student(u).softmax(-1)
        d = F.normalize(torch.randn_like(u), dim=-1).requires_grad_()
        F.kl_div(self.student(u + self.cfg.xi * d).log_softmax(-1), pred, reduction="batchmean").backward()
        d = F.normalize(d.grad, dim=-1)
        self.student.zero_grad()
        logp = self.student(u + self.cfg.eps * d).log_softmax(-1)
        return self.weight() * F.kl_div(logp, pred, reduction="batchmean")

    def train_step(self, x, y, u):
'''


def teacher() -> Iterator[Case]:
    yield TEACHER.wrong(
        "mode-set-once-ahead-of-all-epochs",  # the stem stays in eval, whoever brings the rest back
        ((MT_FIT + MT_MODE, "        self.set_train_mode()\n" + MT_FIT),),
        tempts=("missing-train-mode",),
    )
    yield TEACHER.wrong(
        "only-the-head-is-zeroed",
        ((MT_CLEARS, "        self.head_opt.zero_grad()\n"),),
        tempts=("missing-zero-grad",),
    )
    yield TEACHER.wrong(
        "validated-with-gradients",
        (
            (
                MT_LOOK,
                """\
        for x, y in self.held_out:
            hits += (self.student(x).argmax(-1) == y).sum().item()
""",
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield TEACHER.wrong(
        "schedulers-at-the-head-of-the-epoch",
        ((MT_PLANS, ""), (MT_MODE, MT_PLANS + MT_MODE)),
        tempts=("scheduler-before-optimizer",),
    )
    yield TEACHER.wrong(
        "filter-that-is-used-up",
        ((MT_TRAINABLE, "        self.trainable = filter(lambda p: p.requires_grad, student.parameters())\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    adversarial = TEACHER.styled(
        ("    def train_step(self, x, y, u):\n", MT_VAT),
        (
            MT_STEP,
            """\
        cons = self.adversarial_loss(u)
        sup = self.supervised_loss(x, y)
        loss = sup + cons
        self.student.zero_grad()
        loss.backward()
""",
        ),
    )
    yield adversarial.right(
        "virtual-adversary",  # what its first backward leaves in the student is wiped, and meant to be
        tempts=("zero-grad-in-accumulation", "zero-grad-before-step", "unscaled-accumulation-loss"),
    )
    yield TEACHER.styled(
        (
            "    def train_step(self, x, y, u):\n",
            MT_VAT.replace(
                MT_SEARCH,
                MT_SEARCH_ALONE,
            ),
        ),
        (
            MT_STEP,
            MT_CLEARS
            + """\
        sup = self.supervised_loss(x, y)
        sup.backward()
        cons = self.adversarial_loss(u)
        cons.backward()
""",
        ),
    ).left(
        "adversary-wipes-the-labels",  # not to wipe alone is no better: the search for a direction is no loss
        (
            (
                MT_SEARCH_ALONE,
                MT_SEARCH,
            ),
        ),
        fine=(
            (  # or the direction is looked for, and wiped, before the labels have their backward
                (
                    MT_SEARCH_ALONE,
                    MT_SEARCH,
                ),
                (
                    "        sup.backward()\n        cons = self.adversarial_loss(u)\n        cons.backward()\n",
                    "        cons = self.adversarial_loss(u)\n        sup.backward()\n        cons.backward()\n",
                ),
            ),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield TEACHER.right(
        "two-terms-two-backwards",
        (
            MT_STEP,
            MT_CLEARS
            + """\
        sup = self.supervised_loss(x, y)
        sup.backward()
        cons = self.consistency_loss(u)
        cons.backward()
""",
        ),
        tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
    )
    yield TEACHER.right(
        "pseudo-labels-do-not-teach-the-head",
        (
            MT_STEP,
            MT_CLEARS
            + """\
        cons = self.consistency_loss(u)
        cons.backward()
        self.head_opt.zero_grad()  # the head learns from true labels only
        sup = self.supervised_loss(x, y)
        sup.backward()
""",
        ),
        tempts=("zero-grad-in-accumulation", "missing-zero-grad"),
    )
    yield TEACHER.right(
        "head-moves-every-other-step",  # with the mean of two
        (
            MT_STEP,
            MT_STEP.replace("        self.head_opt.zero_grad()\n", ""),
        ),
        (
            MT_CLIP + MT_UPDATES,
            """\
        nn.utils.clip_grad_norm_(self.student.body.parameters(), self.cfg.max_norm)
        self.body_opt.step()
        self.steps += 1
        if self.steps % 2 == 0:
            for p in self.student.head.parameters():
                p.grad /= 2
            nn.utils.clip_grad_norm_(self.student.head.parameters(), self.cfg.max_norm)
            self.head_opt.step()
            self.head_opt.zero_grad()
""",
        ),
        ("        self.epoch = 0\n", "        self.epoch = self.steps = 0\n"),
        tempts=("missing-zero-grad", "unscaled-accumulation-loss"),
    )


WORDS = Draft(
    "word-language-model",
    '''\
import argparse
import math

import torch
import torch.nn as nn

torch.set_default_dtype(torch.float64)

parser = argparse.ArgumentParser(description="PyTorch RNN language model with carried state")
parser.add_argument("--emsize", type=int, default=6)
parser.add_argument("--nhid", type=int, default=7)
parser.add_argument("--lr", type=float, default=2.0)
parser.add_argument("--clip", type=float, default=0.22)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch_size", type=int, default=3)
parser.add_argument("--bptt", type=int, default=4)
parser.add_argument("--accumulate", type=int, default=3, help="chunks per update")
parser.add_argument("--dropout", type=float, default=0.2)
parser.add_argument("--log-interval", type=int, default=3)
parser.add_argument("--seed", type=int, default=1111)
parser.add_argument("--save", type=str, default="model.pt")
args = parser.parse_args()

NTOKENS = 8
criterion = nn.CrossEntropyLoss()


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, dropout):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(output)).view(-1, NTOKENS), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(1, bsz, self.nhid), weight.new_zeros(1, bsz, self.nhid))


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    seq_len = min(args.bptt, len(source) - 1 - i)
    return source[i : i + seq_len], source[i + 1 : i + 1 + seq_len].reshape(-1)


def evaluate(model, data_source):
    # Turn on evaluation mode which disables dropout.
    model.eval()
    total_loss = 0.0
    hidden = model.init_hidden(args.batch_size)
    with torch.no_grad():
        for i in range(0, data_source.size(0) - 1, args.bptt):
            data, targets = get_batch(data_source, i)
            output, hidden = model(data, hidden)
            hidden = repackage_hidden(hidden)
            total_loss += len(data) * criterion(output, targets).item()
    return total_loss / (len(data_source) - 1)


def train(model, optimizer, train_data, epoch):
    # Turn on training mode which enables dropout.
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(args.batch_size)
    starts = range(0, train_data.size(0) - 1, args.bptt)
    optimizer.zero_grad()
    for batch, i in enumerate(starts):
        data, targets = get_batch(train_data, i)
        # Starting each batch, we detach the hidden state from how it was previously produced.
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        (loss / args.accumulate).backward()
        total_loss += loss.item()
        if (batch + 1) % args.accumulate == 0 or batch == len(starts) - 1:
            # `clip_grad_norm` helps prevent the exploding gradient problem in RNNs / LSTMs.
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            optimizer.step()
            optimizer.zero_grad()
        if batch % args.log_interval == 0 and batch > 0:
            cur_loss = total_loss / args.log_interval
            print(f"| epoch {epoch} | {batch}/{len(starts)} | loss {cur_loss:.4f} | ppl {math.exp(cur_loss):.3f}")
            total_loss = 0.0


def main():
    torch.manual_seed(args.seed)
    text = (torch.arange(165) * 5 % 13 % NTOKENS + torch.randint(0, 2, (165,))) % NTOKENS
    train_data, val_data = batchify(text[:129], args.batch_size), batchify(text[129:], args.batch_size)
    model = RNNModel(NTOKENS, args.emsize, args.nhid, args.dropout)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    best_val_loss = None
    for epoch in range(1, args.epochs + 1):
        train(model, optimizer, train_data, epoch)
        val_loss = evaluate(model, val_data)
        print(f"| end of epoch {epoch} | valid loss {val_loss:.4f}")
        if not best_val_loss or val_loss < best_val_loss:
            torch.save(model.state_dict(), args.save)
            best_val_loss = val_loss
        else:
            # Anneal the learning rate if no improvement has been seen in the validation dataset.
            optimizer.param_groups[0]["lr"] /= 4.0
    return model
''',
    ("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
)

WD_MODE = "    model.train()\n    total_loss = 0.0\n"
WD_FIRST_CLEAR = "    optimizer.zero_grad()\n    for batch, i in enumerate(starts):\n"
WD_FOR = "    for batch, i in enumerate(starts):\n"
WD_DETACH = """\
        # Starting each batch, we detach the hidden state from how it was previously produced.
        hidden = repackage_hidden(hidden)
"""
WD_LOSS = "        loss = criterion(output, targets)\n"
WD_BACK = "        (loss / args.accumulate).backward()\n"
WD_TOTAL = "        total_loss += loss.item()\n"
WD_DUE = "        if (batch + 1) % args.accumulate == 0 or batch == len(starts) - 1:\n"
WD_CLIP = "            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"
WD_STEP = "            optimizer.step()\n            optimizer.zero_grad()\n"
WD_EPOCHS = "    for epoch in range(1, args.epochs + 1):\n"
WD_EVALUATE = """\
    with torch.no_grad():
        for i in range(0, data_source.size(0) - 1, args.bptt):
            data, targets = get_batch(data_source, i)
            output, hidden = model(data, hidden)
            hidden = repackage_hidden(hidden)
            total_loss += len(data) * criterion(output, targets).item()
"""
WD_RETAINED = """\
            # The window is over: here, and only here, history is cut.
            hidden = repackage_hidden(hidden)
"""


def words() -> Iterator[Case]:
    yield WORDS.wrong(
        "total-is-a-tensor",
        ((WD_TOTAL, "        total_loss += loss\n"),),
        tempts=("loss-graph-leak",),
    )
    yield WORDS.wrong(
        "zeroed-at-each-chunk",
        (
            (WD_FIRST_CLEAR, WD_FOR),
            (WD_DETACH, WD_DETACH + "        model.zero_grad()\n"),
            (WD_STEP, "            optimizer.step()\n"),
        ),
        tempts=("zero-grad-in-accumulation",),
    )
    yield WORDS.wrong(
        "first-chunk-is-a-window",
        ((WD_DUE, WD_DUE.replace("(batch + 1) %", "batch %")),),
        tempts=("accumulation-off-by-one",),
    )
    yield WORDS.wrong(
        "dropout-on-for-one-epoch-only",
        ((WD_MODE, "    total_loss = 0.0\n"), (WD_EPOCHS, "    model.train()\n" + WD_EPOCHS)),
        tempts=("missing-train-mode",),
    )
    yield WORDS.wrong(
        "chunks-are-summed",
        ((WD_BACK, "        loss.backward()\n"),),
        fine=(
            (
                (
                    WD_BACK,
                    (
                        "        chunks = min(args.accumulate, len(starts) - batch // args.accumulate * args.accumulate)\n"
                        "        (loss / chunks).backward()\n"
                    ),
                ),
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WORDS.right(
        "window-through-time-in-one-backward",  # nothing is cut between the chunks that share an update
        (WD_DETACH, ""),
        (WD_FIRST_CLEAR, "    optimizer.zero_grad()\n    chunk_losses = []\n" + WD_FOR),
        (WD_BACK, "        chunk_losses.append(loss)\n"),
        (
            WD_DUE,
            WD_DUE + "            (torch.stack(chunk_losses).sum() / args.accumulate).backward()\n",
        ),
        (WD_STEP, WD_STEP + "            chunk_losses.clear()\n" + WD_RETAINED),
        tempts=("loss-graph-leak", "unscaled-accumulation-loss"),
    )
    yield WORDS.right(
        "each-chunk-reaches-back-to-the-cut",
        (WD_DETACH, ""),
        (WD_BACK, "        (loss / args.accumulate).backward(retain_graph=True)\n"),
        (WD_STEP, WD_STEP + WD_RETAINED),
        tempts=("zero-grad-in-accumulation", "loss-graph-leak"),
    )
    yield WORDS.right(
        "sum-is-taken-back-by-the-rate",  # a rate and a limit for sums
        (WD_BACK, "        loss.backward()\n"),
        (WD_CLIP, WD_CLIP.replace("args.clip)", "args.clip * args.accumulate)")),
        ("lr=args.lr)", "lr=args.lr / args.accumulate)"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield WORDS.right(
        "tokens-of-the-window",
        (
            "criterion = nn.CrossEntropyLoss()\n",
            'criterion = nn.CrossEntropyLoss()\nsum_criterion = nn.CrossEntropyLoss(reduction="sum")\n',
        ),
        (
            WD_FOR + "        data, targets = get_batch(train_data, i)\n",
            WD_FOR
            + """\
        if batch % args.accumulate == 0:
            tokens = sum(get_batch(train_data, j)[1].numel() for j in starts[batch : batch + args.accumulate])
        data, targets = get_batch(train_data, i)
""",
        ),
        (WD_LOSS, "        loss = sum_criterion(output, targets)\n"),
        (WD_BACK, "        (loss / tokens).backward()\n"),
        (WD_TOTAL, "        total_loss += loss.item() / targets.numel()\n"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield WORDS.right(
        "dynamic-evaluation",  # Krause et al.: the text that is tested is learnt as well, and forgotten again
        (
            "    hidden = model.init_hidden(args.batch_size)\n" + WD_EVALUATE,
            """\
    hidden = model.init_hidden(args.batch_size)
    backup = {name: value.clone() for name, value in model.state_dict().items()}
    for i in range(0, data_source.size(0) - 1, args.bptt):
        data, targets = get_batch(data_source, i)
        output, hidden = model(data, repackage_hidden(hidden))
        loss = criterion(output, targets)
        total_loss += len(data) * loss.item()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-args.dynamic_lr)
    model.zero_grad()
    model.load_state_dict(backup)
""",
        ),
        (
            'parser.add_argument("--seed"',
            'parser.add_argument("--dynamic-lr", type=float, default=0.1)\nparser.add_argument("--seed"',
        ),
        tempts=("validation-without-no-grad", "missing-train-mode", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    """The cases of this module."""
    yield from kaggle()
    yield from style()
    yield from elastic()
    yield from no_trainer()
    yield from teacher()
    yield from words()
