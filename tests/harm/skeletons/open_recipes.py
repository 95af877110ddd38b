"""Open recipes: nanoGPT on two ranks, a LoRA trainer, diffusion with averages, CLIP, a detector, PPO with a KL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harm.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harm.case import Case

GPT = Draft(
    "nano-gpt-micro-steps",
    """\
import math
import os
from contextlib import nullcontext

import torch
import torch.nn as nn
from torch.distributed import destroy_process_group, init_process_group
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

torch.set_default_dtype(torch.float64)
# -----------------------------------------------------------------------------
eval_interval = 3
log_interval = 1
eval_iters = 2
out_dir = "."
# data
batch_size = 3
block_size = 6
vocab_size = 11
# model
n_embd = 8
dropout = 0.2
# adamw optimizer
learning_rate = 2e-2
max_iters = 6
weight_decay = 1e-1
beta1, beta2 = 0.9, 0.95
grad_clip = 1.75  # clip gradients at this value, or disable if == 0.0
# learning rate decay settings
decay_lr = True
warmup_iters = 2
lr_decay_iters = 6
min_lr = 2e-3
# system
backend = "gloo"
dtype = "float16"
# -----------------------------------------------------------------------------


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.drop = nn.Dropout(dropout)
        self.ln = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 2 * n_embd), nn.GELU(), nn.Linear(2 * n_embd, n_embd))
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)

    def forward(self, idx, targets):
        x = self.drop(self.wte(idx) + self.wpe(torch.arange(idx.size(1))))
        x = x + self.mlp(self.ln(x.cumsum(1)))
        logits = self.lm_head(x)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


# learning rate decay scheduler (cosine with warmup)
def get_lr(it):
    # 1) linear warmup for warmup_iters steps
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    # 2) if it > lr_decay_iters, return min learning rate
    if it > lr_decay_iters:
        return min_lr
    # 3) in between, use cosine decay down to min learning rate
    decay_ratio = (it - warmup_iters) / (lr_decay_iters - warmup_iters)
    coeff = 0.5 * (1.0 + math.cos(math.pi * decay_ratio))
    return min_lr + coeff * (learning_rate - min_lr)


def main():
    gradient_accumulation_steps = 6  # used to simulate larger batch sizes
    ddp = int(os.environ.get("RANK", -1)) != -1  # is this a ddp run?
    if ddp:
        init_process_group(backend=backend)
        ddp_rank = int(os.environ["RANK"])
        ddp_world_size = int(os.environ["WORLD_SIZE"])
        master_process = ddp_rank == 0
        seed_offset = ddp_rank
        gradient_accumulation_steps //= ddp_world_size
    else:
        master_process = True
        seed_offset = 0
    torch.manual_seed(1337 + seed_offset)
    ctx = torch.autocast("cpu", dtype=torch.float16) if dtype == "float16" else nullcontext()

    tokens = (torch.arange(400) * 7 + torch.arange(400) // 3) % vocab_size

    def get_batch(split):
        data = tokens[:300] if split == "train" else tokens[300:]
        ix = torch.randint(len(data) - block_size - 1, (batch_size,))
        x = torch.stack([data[i : i + block_size] for i in ix])
        y = torch.stack([data[i + 1 : i + 1 + block_size] for i in ix])
        return x, y

    model = GPT()
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3, enabled=(dtype == "float16"))
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, betas=(beta1, beta2), eps=1e-2, weight_decay=weight_decay
    )
    if ddp:
        model = DDP(model)

    @torch.no_grad()
    def estimate_loss():
        out = {}
        model.eval()
        for split in ["train", "val"]:
            losses = torch.zeros(eval_iters)
            for k in range(eval_iters):
                X, Y = get_batch(split)
                with ctx:
                    logits, loss = model(X, Y)
                losses[k] = loss.item()
            out[split] = losses.mean().item()
        model.train()
        return out

    # training loop
    X, Y = get_batch("train")  # fetch the very first batch
    iter_num = 0
    best_val_loss = 1e9
    raw_model = model.module if ddp else model  # unwrap DDP container if needed
    while True:
        # determine and set the learning rate for this iteration
        lr = get_lr(iter_num) if decay_lr else learning_rate
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr

        # evaluate the loss on train/val sets and write checkpoints
        if iter_num % eval_interval == 0 and master_process:
            losses = estimate_loss()
            print(f"step {iter_num}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
            if losses["val"] < best_val_loss:
                best_val_loss = losses["val"]
                if iter_num > 0:
                    checkpoint = {
                        "model": raw_model.state_dict(),
                        "optimizer": optimizer.state_dict(),
                        "iter_num": iter_num,
                        "best_val_loss": best_val_loss,
                    }
                    torch.save(checkpoint, os.path.join(out_dir, "ckpt.pt"))

        # forward backward update, with optional gradient accumulation to simulate larger batch size
        for micro_step in range(gradient_accumulation_steps):
            if ddp:
                # in DDP training we only need to sync gradients at the last micro step.
                model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
            with ctx:
                logits, loss = model(X, Y)
                loss = loss / gradient_accumulation_steps  # scale the loss to account for gradient accumulation
            # immediately async prefetch next batch while model is doing the forward pass on the GPU
            X, Y = get_batch("train")
            # backward pass, with gradient scaling if training in fp16
            scaler.scale(loss).backward()
        # clip the gradient
        if grad_clip != 0.0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        # step the optimizer and scaler if training in fp16
        scaler.step(optimizer)
        scaler.update()
        # flush the gradients as soon as we can, no need for this memory anymore
        optimizer.zero_grad(set_to_none=True)

        # timing and logging
        if iter_num % log_interval == 0 and master_process:
            # scale up to undo the division above, approximating the true total loss
            lossf = loss.item() * gradient_accumulation_steps
            print(f"iter {iter_num}: loss {lossf:.4f}, lr {lr:.5f}")
        iter_num += 1

        # termination conditions
        if iter_num > max_iters:
            break

    if ddp:
        destroy_process_group()
    return raw_model
""",
    ("missing-no-sync", "unscaled-accumulation-loss", "step-without-sync"),
    ranks=2,
)

GPT_FLAG = """\
            if ddp:
                # in DDP training we only need to sync gradients at the last micro step.
                model.require_backward_grad_sync = micro_step == gradient_accumulation_steps - 1
"""
GPT_FORWARD = """\
            with ctx:
                logits, loss = model(X, Y)
                loss = loss / gradient_accumulation_steps  # scale the loss to account for gradient accumulation
"""
GPT_DIVIDE = (
    "                loss = loss / gradient_accumulation_steps  # scale the loss to account for gradient accumulation\n"
)
GPT_MICRO = "        for micro_step in range(gradient_accumulation_steps):\n"
GPT_BACK = "            scaler.scale(loss).backward()\n"
GPT_UNSCALE = "            scaler.unscale_(optimizer)\n"
GPT_NORM = "            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)\n"
GPT_CLIP = """\
        # clip the gradient
        if grad_clip != 0.0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
"""
GPT_STEP = """\
        # step the optimizer and scaler if training in fp16
        scaler.step(optimizer)
        scaler.update()
"""
GPT_CLEAR = """\
        # flush the gradients as soon as we can, no need for this memory anymore
        optimizer.zero_grad(set_to_none=True)
"""
GPT_LOGGED = """\
            # scale up to undo the division above, approximating the true total loss
            lossf = loss.item() * gradient_accumulation_steps
"""
GPT_ADAM = """\
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=learning_rate, betas=(beta1, beta2), eps=1e-2, weight_decay=weight_decay
    )
"""
GPT_SPIKES = """\
        # clip the gradient
        scaler.unscale_(optimizer)
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip).item()
        # a spike: leave this batch out (the norm is the same on all ranks)
        if grad_norm < spike_factor * norm_avg:
            scaler.step(optimizer)
        elif master_process:
            print(f"iter {iter_num}: skipped, norm {grad_norm:.4f}")
        scaler.update()
        norm_avg = grad_norm if iter_num == 0 else 0.5 * norm_avg + 0.5 * grad_norm
"""
GPT_SPIKE_SETTINGS = (
    ("max_iters = 6\n", "max_iters = 9\n"),
    ("grad_clip = 1.75 ", "spike_factor = 1.01\ngrad_clip = 1.75 "),
    ("    best_val_loss = 1e9\n", "    best_val_loss = 1e9\n    norm_avg = math.inf\n"),
)


def gpt() -> Iterator[Case]:
    means = GPT.styled(
        (GPT_DIVIDE, ""),
        (GPT_BACK, "            scaler.scale(loss / gradient_accumulation_steps).backward()\n"),
        (GPT_LOGGED, "            lossf = loss.item()\n"),
    )
    spiky = GPT.styled(*GPT_SPIKE_SETTINGS, (GPT_CLIP + GPT_STEP, GPT_SPIKES))
    yield GPT.right(
        "noise-scale-wants-the-first-one-averaged-too",  # synced on the first and on the last; the mean is the same
        (
            GPT_FLAG,
            """\
            if ddp:
                # sync at the last micro step, and at the first one, whose gradient norm is measured below
                model.require_backward_grad_sync = micro_step in (0, gradient_accumulation_steps - 1)
""",
        ),
        (
            GPT_BACK,
            GPT_BACK
            + """\
            if micro_step == 0:
                grads = [p.grad * gradient_accumulation_steps / scaler.get_scale() for p in model.parameters()]
                norm_small = torch.stack([g.square().sum() for g in grads]).sum().item()
""",
        ),
        (
            GPT_NORM,
            """\
            norm_big = torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip).item() ** 2
            # gradient noise scale, https://arxiv.org/abs/1812.06162 (appendix A.1)
            b_small = batch_size * ddp_world_size if ddp else batch_size
            b_big = b_small * gradient_accumulation_steps
            noise = (norm_small - norm_big) / (1 / b_small - 1 / b_big)
            if master_process:
                print(f"iter {iter_num}: trace of the noise {noise:.5f}")
""",
        ),
        tempts=("missing-no-sync", "step-without-sync"),
    )
    yield GPT.wrong(
        "first-micro-step-is-the-one-that-syncs",
        (("= micro_step == gradient_accumulation_steps - 1\n", "= micro_step == 0\n"),),
        tempts=("step-without-sync",),
    )
    yield GPT.wrong("flag-was-left-out", ((GPT_FLAG, ""),), tempts=("missing-no-sync",))
    yield means.wrong(
        "micro-steps-are-summed",
        (
            (
                "            scaler.scale(loss / gradient_accumulation_steps).backward()\n",
                GPT_BACK,
            ),
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield GPT.wrong(
        "zeroed-in-the-micro-loop",
        ((GPT_CLEAR, ""), (GPT_MICRO, GPT_MICRO + "            optimizer.zero_grad(set_to_none=True)\n")),
        tempts=("zero-grad-in-accumulation",),
    )
    yield spiky.wrong(
        "scaler-is-not-told-of-a-spike",
        (
            (
                "            scaler.step(optimizer)\n        elif",
                "            scaler.step(optimizer)\n            scaler.update()\n        elif",
            ),
            (':.4f}")\n        scaler.update()\n        norm_avg', ':.4f}")\n        norm_avg'),
        ),
        tempts=("missing-scaler-update",),
        raises="RuntimeError",
    )
    yield spiky.right(
        "spikes-are-left-out",  # nothing is carried over: gradients are flushed, the scaler is told
        tempts=("missing-scaler-update", "missing-zero-grad", "zero-grad-before-step"),
    )
    yield GPT.right(
        "tokens-of-the-whole-step-divide",  # each micro step has its share of one mean
        (
            "        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))\n",
            '        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), reduction="sum")\n',
        ),
        ("                losses[k] = loss.item()\n", "                losses[k] = loss.item() / Y.numel()\n"),
        (
            "    torch.manual_seed(1337 + seed_offset)\n",
            (
                "    torch.manual_seed(1337 + seed_offset)\n"
                "    tokens_per_iter = gradient_accumulation_steps * batch_size * block_size\n"
            ),
        ),
        (GPT_DIVIDE, "                loss = loss / tokens_per_iter\n"),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch"),
    )
    yield GPT.right(
        "rate-carries-the-division",  # plain SGD, no clip: one over the other is the same update
        (GPT_ADAM, "    optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate, momentum=beta1)\n"),
        (
            "        lr = get_lr(iter_num) if decay_lr else learning_rate\n",
            (
                "        # gradients of the micro steps are summed, so the rate is that of their mean\n"
                "        lr = get_lr(iter_num) / gradient_accumulation_steps\n"
            ),
        ),
        (GPT_DIVIDE, ""),
        (GPT_CLIP, ""),
        (GPT_LOGGED, "            lossf = loss.item()\n"),
        tempts=("unscaled-accumulation-loss",),
    )
    yield replace(GPT, ranks=1).right(
        "flag-was-left-out-where-nobody-is-to-wait",  # run in one process: there is no wrapper, and no `no_sync`
        (GPT_FLAG, ""),
        tempts=("missing-no-sync",),
    )


LORA = Draft(
    "lora-trainer-with-train-config",
    """\
import math
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

torch.set_default_dtype(torch.float64)


@dataclass
class TrainConfig:
    num_train_epochs: int = 2
    per_device_batch_size: int = 3
    gradient_accumulation_steps: int = 3
    learning_rate: float = 8e-2
    warmup_ratio: float = 0.2
    max_grad_norm: float = 1.0
    lora_r: int = 2
    lora_alpha: int = 4
    lora_dropout: float = 0.2
    logging_steps: int = 2
    eval_steps: int = 3
    output_dir: str = "adapter"
    seed: int = 42


@dataclass
class TrainerState:
    global_step: int = 0
    best_eval_loss: float = math.inf
    log_history: list = field(default_factory=list)


class LoRALinear(nn.Module):
    def __init__(self, base, cfg):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.randn(cfg.lora_r, base.in_features) / math.sqrt(base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, cfg.lora_r))
        self.lora_dropout = nn.Dropout(cfg.lora_dropout)
        self.scaling = cfg.lora_alpha / cfg.lora_r

    def forward(self, x):
        return self.base(x) + self.scaling * (self.lora_dropout(x) @ self.lora_A.T @ self.lora_B.T)


class TinyLM(nn.Module):
    def __init__(self, vocab=13, width=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.q_proj = nn.Linear(width, width)
        self.v_proj = nn.Linear(width, width)
        self.resid_dropout = nn.Dropout(0.1)
        self.lm_head = nn.Linear(width, vocab)

    def forward(self, input_ids):
        h = self.embed(input_ids)
        gate = torch.sigmoid(self.q_proj(h)).cumsum(1)
        return self.lm_head(self.resid_dropout(h + gate * self.v_proj(h)))


def get_peft_model(model, cfg):
    model.requires_grad_(False)
    for name in ("q_proj", "v_proj"):
        setattr(model, name, LoRALinear(getattr(model, name), cfg))
    return model


class Trainer:
    def __init__(self, model, cfg, train_loader, eval_loader):
        self.model = model
        self.cfg = cfg
        self.train_loader = train_loader
        self.eval_loader = eval_loader
        self.state = TrainerState()
        self.trainable = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.trainable, lr=cfg.learning_rate, eps=1e-2, weight_decay=0.0)
        updates_per_epoch = math.ceil(len(train_loader) / cfg.gradient_accumulation_steps)
        self.max_steps = cfg.num_train_epochs * updates_per_epoch
        self.warmup_steps = math.ceil(self.max_steps * cfg.warmup_ratio)
        self.scheduler = LambdaLR(self.optimizer, self.lr_lambda)

    def lr_lambda(self, step):
        if step < self.warmup_steps:
            return (step + 1) / (self.warmup_steps + 1)
        return max(0.0, (self.max_steps - step) / max(1, self.max_steps - self.warmup_steps))

    def compute_loss(self, batch):
        input_ids, labels = batch["input_ids"], batch["labels"]
        logits = self.model(input_ids)
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=-100)

    def training_step(self, batch):
        self.model.train()
        loss = self.compute_loss(batch) / self.cfg.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def evaluate(self):
        self.model.eval()
        losses = []
        with torch.no_grad():
            for batch in self.eval_loader:
                losses.append(self.compute_loss(batch).item())
        eval_loss = sum(losses) / len(losses)
        self.log({"eval_loss": eval_loss, "perplexity": math.exp(eval_loss)})
        if eval_loss < self.state.best_eval_loss:
            self.state.best_eval_loss = eval_loss
            self.save_adapter()

    def save_adapter(self):
        path = Path(self.cfg.output_dir)
        path.mkdir(exist_ok=True)
        adapter = {name: p for name, p in self.model.state_dict().items() if "lora_" in name}
        torch.save({"adapter": adapter, "step": self.state.global_step}, path / "adapter_model.bin")

    def log(self, logs):
        logs["step"] = self.state.global_step
        self.state.log_history.append(logs)
        print({name: round(value, 5) for name, value in logs.items()})

    def train(self):
        cfg = self.cfg
        tr_loss = torch.tensor(0.0)
        self.optimizer.zero_grad()
        for epoch in range(cfg.num_train_epochs):
            for step, batch in enumerate(self.train_loader):
                tr_loss += self.training_step(batch)
                if (step + 1) % cfg.gradient_accumulation_steps == 0 or (step + 1) == len(self.train_loader):
                    nn.utils.clip_grad_norm_(self.trainable, cfg.max_grad_norm)
                    self.optimizer.step()
                    self.scheduler.step()
                    self.optimizer.zero_grad()
                    self.state.global_step += 1
                    if self.state.global_step % cfg.logging_steps == 0:
                        self.log({"loss": tr_loss.item() / self.state.global_step, "epoch": epoch})
                    if self.state.global_step % cfg.eval_steps == 0:
                        self.evaluate()
        return tr_loss.item() / self.state.global_step


def make_batches(count, cfg, generator):
    batches = []
    for _ in range(count):
        start = torch.randint(13, (cfg.per_device_batch_size, 1), generator=generator)
        input_ids = (start + 3 * torch.arange(7)) % 13
        labels = input_ids.clone()
        for row in labels:
            row[: 1 + int(torch.randint(4, (1,), generator=generator))] = -100  # the prompt is not learned
        batches.append({"input_ids": input_ids, "labels": labels})
    return batches


def main():
    cfg = TrainConfig()
    torch.manual_seed(cfg.seed)
    generator = torch.Generator().manual_seed(cfg.seed)
    model = get_peft_model(TinyLM(), cfg)
    trainer = Trainer(model, cfg, make_batches(8, cfg, generator), make_batches(2, cfg, generator))
    print(f"train_loss {trainer.train():.5f}")
    return model
""",
    ("unscaled-accumulation-loss", "dropped-accumulation-tail", "scheduler-per-micro-batch"),
)

LORA_DIVIDED = "        loss = self.compute_loss(batch) / self.cfg.gradient_accumulation_steps\n"
LORA_BACK = "        loss.backward()\n"
LORA_RETURN = "        return loss.detach()\n"
LORA_STEP = "    def training_step(self, batch):\n        self.model.train()\n"
LORA_TOLD = "                tr_loss += self.training_step(batch)\n"
LORA_DUE = (
    "                if (step + 1) % cfg.gradient_accumulation_steps == 0 or (step + 1) == len(self.train_loader):\n"
)
LORA_CLIP = "                    nn.utils.clip_grad_norm_(self.trainable, cfg.max_grad_norm)\n"
LORA_OPT = "                    self.optimizer.step()\n"
LORA_SCHED = "                    self.scheduler.step()\n"
LORA_CLEAR = "                    self.optimizer.zero_grad()\n"
LORA_UPDATE = LORA_CLIP + LORA_OPT + LORA_SCHED + LORA_CLEAR
LORA_HELD = """\
        with torch.no_grad():
            for batch in self.eval_loader:
                losses.append(self.compute_loss(batch).item())
"""
LORA_TRAINABLE = "        self.trainable = [p for p in model.parameters() if p.requires_grad]\n"
LORA_EPOCHS = "        for epoch in range(cfg.num_train_epochs):\n"
LORA_STEPS = "            for step, batch in enumerate(self.train_loader):\n"


def lora() -> Iterator[Case]:
    means = LORA.styled(  # what is logged is a mean over the micro-batches
        (
            LORA_DIVIDED + LORA_BACK,
            (
                "        loss = self.compute_loss(batch)\n"
                "        (loss / self.cfg.gradient_accumulation_steps).backward()\n"
            ),
        ),
        (
            '{"loss": tr_loss.item() / self.state.global_step, "epoch": epoch}',
            '{"loss": tr_loss.item() / (epoch * len(self.train_loader) + step + 1), "epoch": epoch}',
        ),
        (
            "        return tr_loss.item() / self.state.global_step\n",
            "        return tr_loss.item() / (cfg.num_train_epochs * len(self.train_loader))\n",
        ),
    )
    own_share = (
        "        (loss / self.cfg.gradient_accumulation_steps).backward()\n",
        "        (loss / window).backward()\n",
    )
    by_share = (
        own_share,
        (LORA_STEP, "    def training_step(self, batch, window):\n        self.model.train()\n"),
        (
            LORA_TOLD,
            (
                "                begun = step - step % cfg.gradient_accumulation_steps\n"
                "                window = min(cfg.gradient_accumulation_steps, len(self.train_loader) - begun)\n"
                "                tr_loss += self.training_step(batch, window)\n"
            ),
        ),
    )
    yield means.wrong(
        "loss-of-a-window-is-a-sum",
        (("        (loss / self.cfg.gradient_accumulation_steps).backward()\n", LORA_BACK),),
        fine=(by_share,),
        tempts=("unscaled-accumulation-loss",),
    )
    yield means.right(
        "short-window-has-its-own-share",
        *by_share,
        tempts=("accumulation-divisor-mismatch", "unscaled-accumulation-loss"),
    )
    yield LORA.wrong(
        "running-loss-keeps-every-graph",
        (
            (LORA_RETURN, "        return loss\n"),
            ("        tr_loss = torch.tensor(0.0)\n", "        tr_loss = 0.0\n"),
        ),
        fine=((("        tr_loss = torch.tensor(0.0)\n", "        tr_loss = 0.0\n"),),),
        tempts=("loss-graph-leak",),
    )
    yield LORA.wrong(
        "scheduler-behind-the-guard",
        (
            (LORA_SCHED, ""),
            (
                "                        self.evaluate()\n",
                "                        self.evaluate()\n                self.scheduler.step()\n",
            ),
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield LORA.wrong(
        "weights-are-filtered-before-there-are-adapters",  # lazily: the optimizer walks the filter, the clip finds its end
        (
            (LORA_TRAINABLE, "        self.trainable = trainable\n"),
            (
                "    def __init__(self, model, cfg, train_loader, eval_loader):\n",
                "    def __init__(self, model, cfg, trainable, train_loader, eval_loader):\n",
            ),
            (
                "    model = get_peft_model(TinyLM(), cfg)\n",
                (
                    "    model = TinyLM()\n"
                    "    trainable = filter(lambda p: p.requires_grad, model.parameters())\n"
                    "    model = get_peft_model(model, cfg)\n"
                ),
            ),
            ("Trainer(model, cfg, make_batches(8", "Trainer(model, cfg, trainable, make_batches(8"),
        ),
        tempts=("clip-exhausted-parameters",),
    )
    yield LORA.styled(("max_grad_norm: float = 1.0", "max_grad_norm: float = 0.5")).wrong(
        "clipped-in-the-training-step",
        (
            (LORA_CLIP, ""),
            (LORA_BACK, LORA_BACK + "        nn.utils.clip_grad_norm_(self.trainable, self.cfg.max_grad_norm)\n"),
        ),
        tempts=("clip-per-micro-batch",),
    )
    yield means.right(
        "hooks-share-the-window-out",  # each gradient is a third before it is added
        ("        (loss / self.cfg.gradient_accumulation_steps).backward()\n", LORA_BACK),
        (
            LORA_TRAINABLE,
            LORA_TRAINABLE
            + "        for p in self.trainable:\n"
            + "            p.register_hook(lambda grad: grad / cfg.gradient_accumulation_steps)\n",
        ),
        tempts=("unscaled-accumulation-loss",),
    )
    yield LORA.right(
        "answer-tokens-of-the-window-divide",  # loss is a sum over tokens, divided once, by hand
        (
            "labels[:, 1:].flatten(), ignore_index=-100)\n",
            'labels[:, 1:].flatten(), ignore_index=-100, reduction="sum")\n',
        ),
        (LORA_DIVIDED, "        loss = self.compute_loss(batch)\n"),
        (
            (
                "                losses.append(self.compute_loss(batch).item())\n"
                "        eval_loss = sum(losses) / len(losses)\n"
            ),
            (
                "                losses.append(self.compute_loss(batch).item())\n"
                '        eval_loss = sum(losses) / sum(int(b["labels"][:, 1:].ne(-100).sum()) for b in self.eval_loader)\n'
            ),
        ),
        (LORA_STEPS, "            num_items = 0\n" + LORA_STEPS),
        (LORA_TOLD, LORA_TOLD + '                num_items += int(batch["labels"][:, 1:].ne(-100).sum())\n'),
        (
            LORA_CLIP,
            "                    for p in self.trainable:\n"
            "                        p.grad /= num_items\n"
            "                    num_items = 0\n" + LORA_CLIP,
        ),
        ('"loss": tr_loss', '"loss_sum": tr_loss'),
        tempts=("unscaled-accumulation-loss",),
    )
    yield LORA.right(
        "gone-on-in-the-middle-of-an-epoch",  # what was trained is passed over, and the schedule is wound on
        (
            "        self.scheduler = LambdaLR(self.optimizer, self.lr_lambda)\n",
            (
                "        self.scheduler = LambdaLR(self.optimizer, self.lr_lambda)\n"
                "        self.updates_per_epoch = updates_per_epoch\n"
            ),
        ),
        (
            "    seed: int = 42\n",
            "    seed: int = 42\n    resume_from_step: int = 4\n",
        ),
        ("    num_train_epochs: int = 2\n", "    num_train_epochs: int = 4\n"),
        (
            "        tr_loss = torch.tensor(0.0)\n",
            """\
        tr_loss = torch.tensor(0.0)
        checkpoint = Path(cfg.output_dir) / "adapter_model.bin"
        if checkpoint.exists():
            self.model.load_state_dict(torch.load(checkpoint)["adapter"], strict=False)
        self.state.global_step = cfg.resume_from_step
        for _ in range(cfg.resume_from_step):
            self.scheduler.step()
        epochs_trained, updates_trained = divmod(cfg.resume_from_step, self.updates_per_epoch)
        steps_trained_in_current_epoch = updates_trained * cfg.gradient_accumulation_steps
""",
        ),
        (LORA_EPOCHS, "        for epoch in range(epochs_trained, cfg.num_train_epochs):\n"),
        (
            LORA_TOLD,
            "                # Skip past any already trained steps if resuming training\n"
            "                if steps_trained_in_current_epoch > 0:\n"
            "                    steps_trained_in_current_epoch -= 1\n"
            "                    continue\n" + LORA_TOLD,
        ),
        (
            '"loss": tr_loss.item() / self.state.global_step,',
            '"loss": tr_loss.item() / (self.state.global_step - cfg.resume_from_step),',
        ),
        (
            "        return tr_loss.item() / self.state.global_step\n",
            "        return tr_loss.item() / (self.state.global_step - cfg.resume_from_step)\n",
        ),
        tempts=("scheduler-before-optimizer", "accumulation-off-by-one"),
    )
    yield LORA.right(
        "only-the-adapters-wake",  # the base model stays in eval mode, its dropout off
        (
            LORA_STEP,
            """\
    def training_step(self, batch):
        for module in self.model.modules():
            if isinstance(module, LoRALinear):
                module.lora_dropout.train()
""",
        ),
        (
            "        self.optimizer.zero_grad()\n        for epoch",
            (
                "        self.model.eval()  # frozen: only the adapters' dropout is on\n"
                "        self.optimizer.zero_grad()\n        for epoch"
            ),
        ),
        tempts=("missing-train-mode",),
    )


UNET = Draft(
    "text-to-image-fine-tuning",
    """\
import argparse
import itertools
import math
import os

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_dtype(torch.float64)


def parse_args(input_args=None):
    parser = argparse.ArgumentParser(description="Simple example of a training script.")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--train_batch_size", type=int, default=3)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=4e-2)
    parser.add_argument("--lr_warmup_steps", type=int, default=3)
    parser.add_argument("--max_grad_norm", type=float, default=0.5)
    parser.add_argument("--snr_gamma", type=float, default=5.0)
    parser.add_argument("--ema_decay", type=float, default=0.8)
    parser.add_argument("--validation_steps", type=int, default=3)
    parser.add_argument("--checkpointing_steps", type=int, default=5)
    parser.add_argument("--output_dir", type=str, default="sd-model-finetuned")
    return parser.parse_args(input_args)


class EMAModel:
    def __init__(self, parameters, decay):
        self.shadow_params = [p.clone().detach() for p in parameters]
        self.temp_stored_params = None
        self.decay = decay
        self.optimization_step = 0

    @torch.no_grad()
    def step(self, parameters):
        self.optimization_step += 1
        decay = min(self.decay, (1 + self.optimization_step) / (10 + self.optimization_step))
        for s_param, param in zip(self.shadow_params, parameters):
            s_param.sub_((1 - decay) * (s_param - param))

    def store(self, parameters):
        self.temp_stored_params = [param.detach().clone() for param in parameters]

    @torch.no_grad()
    def copy_to(self, parameters):
        for s_param, param in zip(self.shadow_params, parameters):
            param.copy_(s_param)

    @torch.no_grad()
    def restore(self, parameters):
        for c_param, param in zip(self.temp_stored_params, parameters):
            param.copy_(c_param)
        self.temp_stored_params = None


class DDPMScheduler:
    def __init__(self, num_train_timesteps=20):
        self.num_train_timesteps = num_train_timesteps
        self.alphas_cumprod = torch.cumprod(1.0 - torch.linspace(1e-2, 0.3, num_train_timesteps), 0)

    def add_noise(self, samples, noise, timesteps):
        alpha = self.alphas_cumprod[timesteps][:, None]
        return alpha.sqrt() * samples + (1 - alpha).sqrt() * noise

    def snr(self, timesteps):
        alpha = self.alphas_cumprod[timesteps]
        return alpha / (1 - alpha)


class TextEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(12, 4)
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(4, 4)

    def forward(self, input_ids):
        return self.out(self.dropout(self.embed(input_ids).mean(1)))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(20, 4)
        self.down = nn.Linear(6, 8)
        self.mid = nn.Sequential(nn.Linear(12, 8), nn.SiLU(), nn.Dropout(0.1))
        self.up = nn.Linear(16, 6)

    def forward(self, sample, timesteps, encoder_hidden_states):
        h = F.silu(self.down(sample))
        m = self.mid(torch.cat([h, self.time(timesteps) + encoder_hidden_states], 1))
        return self.up(torch.cat([h, m], 1))


def log_validation(unet, text_encoder, ema_unet, noise_scheduler, held_out, accelerator, step):
    # validate with the averaged weights
    ema_unet.store(unet.parameters())
    ema_unet.copy_to(unet.parameters())
    unet.eval()
    text_encoder.eval()
    pixels, input_ids = held_out
    losses = []
    with torch.no_grad():
        for t in (3, 9, 15):
            timesteps = torch.full((len(pixels),), t)
            noise = torch.ones_like(pixels).cumsum(1) / 3 - 1
            noisy = noise_scheduler.add_noise(pixels, noise, timesteps)
            losses.append(F.mse_loss(unet(noisy, timesteps, text_encoder(input_ids)), noise).item())
    accelerator.print(f"step {step}: validation {sum(losses) / len(losses):.5f}")
    ema_unet.restore(unet.parameters())
    unet.train()
    text_encoder.train()


def main():
    args = parse_args([])
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.gradient_accumulation_steps)
    set_seed(args.seed)
    os.makedirs(args.output_dir, exist_ok=True)

    noise_scheduler = DDPMScheduler()
    text_encoder = TextEncoder()
    unet = UNet()
    ema_unet = EMAModel(unet.parameters(), decay=args.ema_decay)

    params_to_optimize = list(itertools.chain(unet.parameters(), text_encoder.parameters()))
    optimizer = torch.optim.AdamW(params_to_optimize, lr=args.learning_rate, eps=1e-2, weight_decay=1e-2)

    captions = torch.randint(12, (24, 5))
    pixels = torch.sin(captions.sum(1, keepdim=True) * torch.arange(1, 7) / 4)
    train_dataset = TensorDataset(pixels[:21], captions[:21])
    train_dataloader = DataLoader(train_dataset, shuffle=True, batch_size=args.train_batch_size)
    held_out = (pixels[21:], captions[21:])

    num_update_steps_per_epoch = math.ceil(len(train_dataloader) / args.gradient_accumulation_steps)
    max_train_steps = args.num_train_epochs * num_update_steps_per_epoch

    def constant_then_cosine(step):
        if step < args.lr_warmup_steps:
            return (step + 1) / (args.lr_warmup_steps + 1)
        progress = (step - args.lr_warmup_steps) / max(1, max_train_steps - args.lr_warmup_steps)
        return 0.5 * (1.0 + math.cos(math.pi * progress))

    lr_scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, constant_then_cosine)
    unet, text_encoder, optimizer, train_dataloader, lr_scheduler = accelerator.prepare(
        unet, text_encoder, optimizer, train_dataloader, lr_scheduler
    )

    global_step = 0
    for epoch in range(args.num_train_epochs):
        unet.train()
        text_encoder.train()
        train_loss = 0.0
        for step, (model_input, input_ids) in enumerate(train_dataloader):
            with accelerator.accumulate(unet, text_encoder):
                # Sample noise that we'll add to the latents
                noise = torch.randn_like(model_input)
                timesteps = torch.randint(0, noise_scheduler.num_train_timesteps, (len(model_input),))
                noisy_model_input = noise_scheduler.add_noise(model_input, noise, timesteps)
                encoder_hidden_states = text_encoder(input_ids)
                model_pred = unet(noisy_model_input, timesteps, encoder_hidden_states)

                if args.snr_gamma is None:
                    loss = F.mse_loss(model_pred, noise)
                else:
                    # Section 3.4 of https://arxiv.org/abs/2303.09556
                    snr = noise_scheduler.snr(timesteps)
                    mse_loss_weights = torch.stack([snr, args.snr_gamma * torch.ones_like(snr)], 1).min(1)[0] / snr
                    loss = F.mse_loss(model_pred, noise, reduction="none")
                    loss = (loss.mean(1) * mse_loss_weights).mean()

                # Gather the losses across all processes for logging (if we use distributed training).
                avg_loss = accelerator.gather(loss.detach()).mean()
                train_loss += avg_loss.item() / args.gradient_accumulation_steps

                # Backpropagate
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(params_to_optimize, args.max_grad_norm)
                optimizer.step()
                lr_scheduler.step()
                optimizer.zero_grad()

            # Checks if the accelerator has performed an optimization step behind the scenes
            if accelerator.sync_gradients:
                ema_unet.step(unet.parameters())
                global_step += 1
                accelerator.print(f"{epoch} {global_step}: train_loss {train_loss:.5f}")
                train_loss = 0.0
                if accelerator.is_main_process and global_step % args.checkpointing_steps == 0:
                    save_path = os.path.join(args.output_dir, f"checkpoint-{global_step}.pt")
                    torch.save(accelerator.unwrap_model(unet).state_dict(), save_path)
                if global_step % args.validation_steps == 0:
                    log_validation(
                        unet, text_encoder, ema_unet, noise_scheduler, held_out, accelerator, global_step
                    )

    unet = accelerator.unwrap_model(unet)
    ema_unet.copy_to(unet.parameters())
    return unet, accelerator.unwrap_model(text_encoder)
""",
    ("unscaled-accumulation-loss", "clip-per-micro-batch", "scheduler-per-micro-batch"),
)

UNET_PARAMS = "    params_to_optimize = list(itertools.chain(unet.parameters(), text_encoder.parameters()))\n"
UNET_NOISE = "                # Sample noise that we'll add to the latents\n"
UNET_BACK = "                accelerator.backward(loss)\n"
UNET_SYNC = "                if accelerator.sync_gradients:\n                    accelerator.clip"
UNET_CLIP = "                    accelerator.clip_grad_norm_(params_to_optimize, args.max_grad_norm)\n"
UNET_STEP = "                optimizer.step()\n"
UNET_SCHED = "                lr_scheduler.step()\n"
UNET_CLEAR = "                optimizer.zero_grad()\n"
UNET_STEPS = UNET_STEP + UNET_SCHED + UNET_CLEAR
UNET_WAKE = "    ema_unet.restore(unet.parameters())\n    unet.train()\n    text_encoder.train()\n"
UNET_EPOCH = """\
    for epoch in range(args.num_train_epochs):
        unet.train()
        text_encoder.train()
        train_loss = 0.0
"""
UNET_PREPARE = """\
    unet, text_encoder, optimizer, train_dataloader, lr_scheduler = accelerator.prepare(
        unet, text_encoder, optimizer, train_dataloader, lr_scheduler
    )
"""
UNET_MAX = "    max_train_steps = args.num_train_epochs * num_update_steps_per_epoch\n"


def diffusion() -> Iterator[Case]:
    yield UNET.wrong(
        "clip-does-not-wait-for-the-sync",
        ((UNET_SYNC.removesuffix("                    accelerator.clip") + UNET_CLIP, UNET_CLIP.removeprefix("    ")),),
        tempts=("clip-per-micro-batch",),
    )
    yield UNET.wrong(
        "chain-is-walked-by-the-optimizer",
        ((UNET_PARAMS, "    params_to_optimize = itertools.chain(unet.parameters(), text_encoder.parameters())\n"),),
        tempts=("clip-exhausted-parameters",),
    )
    yield UNET.right(
        "chain-is-made-anew-for-each-clip",  # by dreambooth's names
        (
            UNET_CLIP,
            (
                "                    params_to_clip = itertools.chain(unet.parameters(), text_encoder.parameters())\n"
                "                    accelerator.clip_grad_norm_(params_to_clip, args.max_grad_norm)\n"
            ),
        ),
        (UNET_PARAMS, "    params_to_optimize = itertools.chain(unet.parameters(), text_encoder.parameters())\n"),
        tempts=("clip-exhausted-parameters",),
    )
    yield UNET.styled(
        (
            UNET_CLEAR,
            UNET_CLEAR + '                accelerator.print(f"step_loss {loss.detach().item():.5f}")\n',
        ),
    ).wrong(
        "loop-divides-as-well-and-its-log-knows",
        (
            (UNET_BACK, "                loss = loss / args.gradient_accumulation_steps\n" + UNET_BACK),
            ("{loss.detach().item():.5f}", "{loss.detach().item() * args.gradient_accumulation_steps:.5f}"),
        ),
        tempts=("accumulation-divisor-mismatch",),
    )
    yield UNET.wrong(
        "zeroed-where-the-block-begins",
        ((UNET_CLEAR, ""), (UNET_NOISE, UNET_CLEAR + UNET_NOISE)),
        tempts=("zero-grad-in-accumulation",),
    )
    yield UNET.styled(
        (
            "        train_loss = 0.0\n        for step",
            "        train_loss = 0.0\n        epoch_loss = 0.0\n        for step",
        ),
        (
            "                # Backpropagate\n",
            "                epoch_loss += loss.detach()\n\n                # Backpropagate\n",
        ),
        (
            "    unet = accelerator.unwrap_model(unet)\n",
            (
                '        accelerator.print(f"epoch {epoch}: {epoch_loss.item() / len(train_dataloader):.5f}")\n\n'
                "    unet = accelerator.unwrap_model(unet)\n"
            ),
        ),
    ).wrong(
        "epoch-loss-holds-its-graphs",
        (("epoch_loss += loss.detach()", "epoch_loss += loss"),),
        tempts=("loss-graph-leak",),
    )
    yield UNET.wrong(
        "asleep-until-the-epoch-ends",  # validated in its midst
        (("    ema_unet.restore(unet.parameters())\n    unet.train()\n", "    ema_unet.restore(unet.parameters())\n"),),
        (("    text_encoder.train()\n\n\ndef main", "\n\ndef main"),),
        tempts=("missing-train-mode",),
    )
    yield UNET.right(
        "schedule-in-micro-batches-that-nobody-prepared",  # warm-up and length are multiplied by the window
        (
            UNET_PREPARE,
            """\
    unet, text_encoder, optimizer, train_dataloader = accelerator.prepare(
        unet, text_encoder, optimizer, train_dataloader
    )
""",
        ),
        (UNET_MAX, "    max_train_steps = args.num_train_epochs * len(train_dataloader)\n"),
        (
            "    def constant_then_cosine(step):\n",
            (
                "    # the scheduler moves with every batch, so its lengths are in batches\n"
                "    warmup_steps = args.lr_warmup_steps * args.gradient_accumulation_steps\n\n"
                "    def constant_then_cosine(step):\n"
            ),
        ),
        (
            """\
        if step < args.lr_warmup_steps:
            return (step + 1) / (args.lr_warmup_steps + 1)
        progress = (step - args.lr_warmup_steps) / max(1, max_train_steps - args.lr_warmup_steps)
""",
            """\
        if step < warmup_steps:
            return (step + 1) / (warmup_steps + 1)
        progress = (step - warmup_steps) / max(1, max_train_steps - warmup_steps)
""",
        ),
        tempts=("scheduler-per-micro-batch",),
    )
    yield UNET.right(
        "text-encoder-is-frozen-and-asleep",  # only the U-Net is trained; the encoder's dropout stays off
        (UNET_PARAMS, "    text_encoder.requires_grad_(False)\n    params_to_optimize = list(unet.parameters())\n"),
        (UNET_EPOCH, UNET_EPOCH.replace("        text_encoder.train()\n", "        text_encoder.eval()\n")),
        (UNET_WAKE, "    ema_unet.restore(unet.parameters())\n    unet.train()\n"),
        (
            "            with accelerator.accumulate(unet, text_encoder):\n",
            "            with accelerator.accumulate(unet):\n",
        ),
        (
            "                encoder_hidden_states = text_encoder(input_ids)\n",
            (
                "                with torch.no_grad():\n"
                "                    encoder_hidden_states = text_encoder(input_ids)\n"
            ),
        ),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )
    yield UNET.right(
        "batch-that-goes-wrong-counts-as-nought",  # the window goes on, the loss of the batch is masked
        (
            "    train_dataset = TensorDataset(",
            "    pixels[7] = torch.nan  # a picture that cannot be read\n    train_dataset = TensorDataset(",
        ),
        (
            "                noise = torch.randn_like(model_input)\n",
            (
                "                valid = model_input.isfinite().all(1)\n"
                "                model_input = torch.nan_to_num(model_input)\n"
                "                noise = torch.randn_like(model_input)\n"
            ),
        ),
        (
            "                    loss = (loss.mean(1) * mse_loss_weights).mean()\n",
            "                    loss = (loss.mean(1) * mse_loss_weights * valid).sum() / len(valid)\n",
        ),
        tempts=("unscaled-accumulation-loss", "zero-grad-in-accumulation"),
    )


CLIP = Draft(
    "open-clip-epoch",
    """\
import argparse
import math
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler

torch.set_default_dtype(torch.float64)


class AverageMeter:
    \"\"\"Computes and stores the average and current value\"\"\"

    def __init__(self):
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count


class CLIP(nn.Module):
    def __init__(self, embed_dim=4):
        super().__init__()
        self.visual = nn.Sequential(nn.Linear(6, 8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, embed_dim))
        self.token_embedding = nn.Embedding(10, 5)
        self.text_projection = nn.Linear(5, embed_dim)
        self.logit_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def encode_image(self, image):
        return F.normalize(self.visual(image), dim=-1)

    def encode_text(self, text):
        return F.normalize(self.text_projection(self.token_embedding(text).mean(1)), dim=-1)

    def forward(self, image, text):
        return self.encode_image(image), self.encode_text(text), self.logit_scale.exp()


def clip_loss(image_features, text_features, logit_scale):
    logits_per_image = logit_scale * image_features @ text_features.T
    labels = torch.arange(len(logits_per_image))
    return (F.cross_entropy(logits_per_image, labels) + F.cross_entropy(logits_per_image.T, labels)) / 2


def cosine_lr(optimizer, base_lr, warmup_length, steps):
    def _lr_adjuster(step):
        if step < warmup_length:
            lr = base_lr * (step + 1) / warmup_length
        else:
            e, es = step - warmup_length, steps - warmup_length
            lr = 0.5 * (1 + math.cos(math.pi * e / es)) * base_lr
        for param_group in optimizer.param_groups:
            param_group["lr"] = lr
        return lr

    return _lr_adjuster


def train_one_epoch(model, data, epoch, optimizer, scaler, scheduler, args):
    model.train()
    dataloader = data["train"]
    num_batches_per_epoch = len(dataloader) // args.accum_freq
    losses_m = AverageMeter()
    optimizer.zero_grad()
    for i, (images, texts) in enumerate(dataloader):
        i_accum = i // args.accum_freq
        step = num_batches_per_epoch * epoch + i_accum
        if not args.skip_scheduler:
            scheduler(step)

        with torch.autocast("cpu", dtype=torch.float16):
            image_features, text_features, logit_scale = model(images, texts)
            total_loss = clip_loss(image_features, text_features, logit_scale)
        scaler.scale(total_loss / args.accum_freq).backward()
        losses_m.update(total_loss.item(), len(images))

        # FIXME currently accumulates until accum_freq batches are in; the loaders drop what is left over
        if (i + 1) % args.accum_freq > 0:
            continue

        if args.grad_clip_norm is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip_norm, norm_type=2.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()

        # Note: we clamp to 4.6052 = ln(100), as in the original paper.
        with torch.no_grad():
            model.logit_scale.clamp_(0, math.log(100))

        if i_accum % args.log_every_n_steps == 0:
            print(
                f"Train Epoch: {epoch} [{i_accum}/{num_batches_per_epoch}] "
                f"Loss: {losses_m.val:.5g} ({losses_m.avg:.5g}) LR: {optimizer.param_groups[0]['lr']:5f} "
                f"Logit Scale: {model.logit_scale.exp().item():.3f}"
            )
            losses_m.reset()


def evaluate(model, data, epoch):
    model.eval()
    hits = num_samples = 0
    cumulative_loss = 0.0
    with torch.no_grad():
        for images, texts in data["val"]:
            image_features, text_features, logit_scale = model(images, texts)
            cumulative_loss += clip_loss(image_features, text_features, logit_scale).item() * len(images)
            ranking = (image_features @ text_features.T).argmax(1)
            hits += (ranking == torch.arange(len(images))).sum().item()
            num_samples += len(images)
    print(f"Eval Epoch: {epoch} clip_val_loss: {cumulative_loss / num_samples:.4f} R@1: {hits / num_samples:.4f}")


def get_data(generator):
    texts = torch.randint(10, (60, 3), generator=generator)
    images = torch.cos(texts.double().cumsum(1) / 3).repeat(1, 2)
    images += 0.1 * torch.randn(images.shape, generator=generator)
    batches = [(images[k : k + 5], texts[k : k + 5]) for k in range(0, 60, 5)]
    return {"train": batches[:8], "val": batches[10:]}


def parse_args(args):
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--wd", type=float, default=0.1)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--accum-freq", type=int, default=2)
    parser.add_argument("--grad-clip-norm", type=float, default=4.0)
    parser.add_argument("--skip-scheduler", action="store_true", default=False)
    parser.add_argument("--log-every-n-steps", type=int, default=2)
    parser.add_argument("--logs", type=str, default=".")
    parser.add_argument("--seed", type=int, default=5)
    return parser.parse_args(args)


def main():
    args = parse_args([])
    torch.manual_seed(args.seed)
    data = get_data(torch.Generator().manual_seed(args.seed))
    model = CLIP()

    exclude = lambda n, p: p.ndim < 2 or "bias" in n or "logit_scale" in n
    named_parameters = list(model.named_parameters())
    gain_or_bias_params = [p for n, p in named_parameters if exclude(n, p)]
    rest_params = [p for n, p in named_parameters if not exclude(n, p)]
    optimizer = torch.optim.SGD(
        [{"params": gain_or_bias_params, "weight_decay": 0.0}, {"params": rest_params, "weight_decay": args.wd}],
        lr=args.lr,
        momentum=0.8,
    )
    scaler = GradScaler("cpu", init_scale=128.0, growth_interval=3)
    total_steps = len(data["train"]) // args.accum_freq * args.epochs
    scheduler = cosine_lr(optimizer, args.lr, args.warmup, total_steps)

    for epoch in range(args.epochs):
        train_one_epoch(model, data, epoch, optimizer, scaler, scheduler, args)
        evaluate(model, data, epoch + 1)
        checkpoint_dict = {
            "epoch": epoch + 1,
            "state_dict": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "scaler": scaler.state_dict(),
        }
        torch.save(checkpoint_dict, os.path.join(args.logs, "epoch_latest.pt"))
    return model
""",
    ("clip-scaled-gradients", "scheduler-before-optimizer", "accumulation-off-by-one"),
)

CLIP_FORWARD = """\
        with torch.autocast("cpu", dtype=torch.float16):
            image_features, text_features, logit_scale = model(images, texts)
            total_loss = clip_loss(image_features, text_features, logit_scale)
"""
CLIP_BACK = "        scaler.scale(total_loss / args.accum_freq).backward()\n"
CLIP_METER = "        losses_m.update(total_loss.item(), len(images))\n"
CLIP_GO_ON = "        if (i + 1) % args.accum_freq > 0:\n            continue\n"
CLIP_NOTE = (
    "        # FIXME currently accumulates until accum_freq batches are in; the loaders drop what is left over\n"
)
CLIP_UNSCALE = "            scaler.unscale_(optimizer)\n"
CLIP_NORM = "            torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip_norm, norm_type=2.0)\n"
CLIP_IF = "        if args.grad_clip_norm is not None:\n"
CLIP_STEP = "        scaler.step(optimizer)\n"
CLIP_UPDATE = "        scaler.update()\n"
CLIP_CLEAR = "        optimizer.zero_grad()\n\n        # Note"
CLIP_TRAIN_DATA = '    return {"train": batches[:8], "val": batches[10:]}\n'
CLIP_TAIL_HEAD = "            losses_m.reset()\n\n\ndef evaluate("
CLIP_SCALER = '    scaler = GradScaler("cpu", init_scale=128.0, growth_interval=3)\n'
CLIP_NINE = (CLIP_TRAIN_DATA, CLIP_TRAIN_DATA.replace("[:8]", "[:9]"))


def clip() -> Iterator[Case]:
    broken = CLIP.styled(  # one batch overflows; the scaler keeps it out of the weights
        (CLIP_TRAIN_DATA, "    images[23, 2] = torch.inf  # a corrupt file\n" + CLIP_TRAIN_DATA),
    )
    flush = """\
    if (i + 1) % args.accum_freq > 0:  # what is left over
        if args.grad_clip_norm is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip_norm, norm_type=2.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
"""
    flushed = CLIP.styled(
        CLIP_NINE,
        (CLIP_NOTE, ""),
        (
            "    num_batches_per_epoch = len(dataloader) // args.accum_freq\n",
            "    num_batches_per_epoch = math.ceil(len(dataloader) / args.accum_freq)\n",
        ),
        (
            '    total_steps = len(data["train"]) // args.accum_freq * args.epochs\n',
            '    total_steps = math.ceil(len(data["train"]) / args.accum_freq) * args.epochs\n',
        ),
        (CLIP_TAIL_HEAD, CLIP_TAIL_HEAD.replace("\n\n\ndef", "\n" + flush + "\n\ndef")),
    )
    yield CLIP.right(
        "temperature-is-held-in-the-first-epoch",  # what is cleared is one of many; the rate is set by its number
        (
            CLIP_IF,
            "        if epoch < args.freeze_temperature_epochs:\n            model.logit_scale.grad = None\n" + CLIP_IF,
        ),
        (
            '    parser.add_argument("--logs"',
            (
                '    parser.add_argument("--freeze-temperature-epochs", type=int, default=1)\n'
                '    parser.add_argument("--logs"'
            ),
        ),
        tempts=("zero-grad-before-step", "scheduler-before-optimizer", "dropped-accumulation-tail"),
    )
    yield CLIP.wrong(
        "norm-is-that-of-scaled-gradients",
        ((CLIP_UNSCALE, ""),),
        tempts=("clip-scaled-gradients",),
    )
    yield CLIP.right(
        "limit-is-scaled-instead-of-the-gradients",  # both by one factor; what overflows is left out by the step
        (CLIP_UNSCALE, ""),
        (
            CLIP_NORM,
            (
                "            max_norm = args.grad_clip_norm * scaler.get_scale()\n"
                "            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, norm_type=2.0)\n"
            ),
        ),
        tempts=("clip-scaled-gradients",),
    )
    yield flushed.wrong(
        "flush-clips-what-is-still-scaled",
        ((flush, flush.replace("            scaler.unscale_(optimizer)\n", "")),),
        tempts=("clip-scaled-gradients",),
    )
    yield broken.wrong(
        "steps-past-the-scaler",
        ((CLIP_STEP, "        optimizer.step()\n"),),
        tempts=("step-bypasses-scaler",),
    )
    yield CLIP.wrong(
        "window-closes-on-its-first-batch",
        ((CLIP_GO_ON, "        if i % args.accum_freq > 0:\n            continue\n"),),
        tempts=("accumulation-off-by-one",),
    )
    yield CLIP.styled(
        (
            CLIP_STEP,
            "        if i_accum % args.log_every_n_steps == 0:\n"
            '            print("grad norm", f"{model.visual[0].weight.grad.norm().item():.5f}")\n' + CLIP_STEP,
        ),
    ).wrong(
        "unscales-again-for-the-log",
        (('            print("grad norm"', '            scaler.unscale_(optimizer)\n            print("grad norm"'),),
        tempts=("double-unscale",),
        raises="RuntimeError",
    )
    yield CLIP.right(
        "features-are-gathered-and-run-again",  # each turn has its own part of one loss: they are summed
        (
            "    optimizer.zero_grad()\n    for i, (images",
            "    accum_images, accum_texts, accum_features = [], [], []\n    for i, (images",
        ),
        (
            CLIP_FORWARD + CLIP_BACK + CLIP_METER + "\n" + CLIP_NOTE + CLIP_GO_ON,
            """\
        # First, cache the features without any gradient tracking.
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.float16):
            image_features, text_features, _ = model(images, texts)
            accum_features.append((image_features, text_features))
        accum_images.append(images)
        accum_texts.append(texts)

        # If (i + 1) % accum_freq is not zero, move on to the next batch.
        if (i + 1) % args.accum_freq > 0:
            continue

        # Now, ready to take gradients for the last accum_freq batches.
        # Re-do the forward pass for those batches, and use the cached features from the other batches as negatives.
        optimizer.zero_grad()
        for j in range(args.accum_freq):
            with torch.autocast("cpu", dtype=torch.float16):
                image_features, text_features, logit_scale = model(accum_images[j], accum_texts[j])
                inputs = [list(features) for features in zip(*accum_features)]
                inputs[0][j], inputs[1][j] = image_features, text_features
                total_loss = clip_loss(torch.cat(inputs[0]), torch.cat(inputs[1]), logit_scale)
            scaler.scale(total_loss).backward()
        losses_m.update(total_loss.item(), args.accum_freq * len(images))
""",
        ),
        (CLIP_CLEAR, "        accum_images, accum_texts, accum_features = [], [], []\n\n        # Note"),
        ("nn.Dropout(0.1), ", ""),
        tempts=("unscaled-accumulation-loss", "missing-zero-grad"),
    )
    yield CLIP.right(
        "scaler-only-where-the-precision-asks-for-it",
        (
            '    parser.add_argument("--logs"',
            (
                '    parser.add_argument("--precision", choices=["amp", "amp_bf16", "fp32"], default="fp32")\n'
                '    parser.add_argument("--logs"'
            ),
        ),
        (CLIP_SCALER, '    scaler = GradScaler("cpu", init_scale=128.0) if args.precision == "amp" else None\n'),
        (
            '        with torch.autocast("cpu", dtype=torch.float16):\n',
            (
                '        dtype = torch.bfloat16 if args.precision == "amp_bf16" else torch.float16\n'
                '        with torch.autocast("cpu", dtype=dtype, enabled=args.precision != "fp32"):\n'
            ),
        ),
        (
            CLIP_BACK,
            """\
        if scaler is not None:
            scaler.scale(total_loss / args.accum_freq).backward()
        else:
            (total_loss / args.accum_freq).backward()
""",
        ),
        (
            CLIP_IF + CLIP_UNSCALE + CLIP_NORM + CLIP_STEP + CLIP_UPDATE,
            """\
        if scaler is not None:
            scaler.unscale_(optimizer)
        if args.grad_clip_norm is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip_norm, norm_type=2.0)
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
""",
        ),
        ('            "scaler": scaler.state_dict(),\n', ""),
        tempts=("unscaled-backward", "step-bypasses-scaler", "scaler-with-bfloat16"),
    )
    yield broken.right(
        "loss-that-is-not-finite-is-not-gone-through",  # its window is divided by two all the same, and closes in time
        (
            CLIP_BACK + CLIP_METER,
            """\
        if torch.isfinite(total_loss):
            scaler.scale(total_loss / args.accum_freq).backward()
            losses_m.update(total_loss.item(), len(images))
        else:
            print(f"Loss is {total_loss.item()}, batch {i} is left out")
""",
        ),
        tempts=("accumulation-off-by-one", "unscaled-accumulation-loss", "missing-scaler-update"),
    )


DETECTION = Draft(
    "references-detection-warm-up",
    """\
import argparse
import math
import os
import sys
from collections import defaultdict

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler, RandomSampler

torch.set_default_dtype(torch.float64)


class Boxes(Dataset):
    def __init__(self, length, seed):
        generator = torch.Generator().manual_seed(seed)
        self.images = torch.randn(length, 5, 4, generator=generator)
        self.boxes = self.images[:, :2].sum(1) / 2
        self.labels = self.images[:, 2].argmax(1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        return self.images[idx], {"boxes": self.boxes[idx], "labels": self.labels[idx]}


def collate_fn(batch):
    return tuple(zip(*batch))


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Flatten(), nn.Linear(20, 10), nn.ReLU(), nn.Dropout(0.1))
        self.box_predictor = nn.Linear(10, 4)
        self.cls_score = nn.Linear(10, 4)

    def forward(self, images, targets=None):
        features = self.backbone(torch.stack(images))
        boxes, scores = self.box_predictor(features), self.cls_score(features)
        if not self.training:
            return [{"boxes": b, "scores": s} for b, s in zip(boxes, scores.softmax(-1))]
        return {
            "loss_classifier": F.cross_entropy(scores, torch.stack([t["labels"] for t in targets])),
            "loss_box_reg": F.smooth_l1_loss(boxes, torch.stack([t["boxes"] for t in targets])),
        }


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(list)

    def update(self, **kwargs):
        for name, value in kwargs.items():
            self.meters[name].append(value.item() if isinstance(value, torch.Tensor) else value)

    def __str__(self):
        return "  ".join(f"{name}: {sum(m) / len(m):.4f} ({m[-1]:.4f})" for name, m in self.meters.items())


def is_dist_avail_and_initialized():
    return dist.is_available() and dist.is_initialized()


def reduce_dict(input_dict):
    if not is_dist_avail_and_initialized():
        return input_dict
    with torch.no_grad():
        names = sorted(input_dict)
        values = torch.stack([input_dict[name] for name in names])
        dist.all_reduce(values)
        values /= dist.get_world_size()
        return dict(zip(names, values))


def train_one_epoch(model, optimizer, data_loader, epoch, print_freq):
    model.train()
    metric_logger = MetricLogger()
    header = f"Epoch: [{epoch}]"

    lr_scheduler = None
    if epoch == 0:
        warmup_factor = 1.0 / 10
        warmup_iters = min(1000, len(data_loader) - 1)
        lr_scheduler = torch.optim.lr_scheduler.LinearLR(
            optimizer, start_factor=warmup_factor, total_iters=warmup_iters
        )

    for i, (images, targets) in enumerate(data_loader):
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())

        # reduce losses over all GPUs for logging purposes
        loss_dict_reduced = reduce_dict(loss_dict)
        losses_reduced = sum(loss for loss in loss_dict_reduced.values())
        loss_value = losses_reduced.item()

        if not math.isfinite(loss_value):
            print(f"Loss is {loss_value}, stopping training")
            print(loss_dict_reduced)
            sys.exit(1)

        optimizer.zero_grad()
        losses.backward()
        optimizer.step()

        if lr_scheduler is not None:
            lr_scheduler.step()

        metric_logger.update(loss=losses_reduced, **loss_dict_reduced)
        metric_logger.update(lr=optimizer.param_groups[0]["lr"])
        if i % print_freq == 0:
            print(header, i, metric_logger)
    return metric_logger


def evaluate(model, data_loader):
    model.eval()
    right = missed = count = 0
    with torch.no_grad():
        for images, targets in data_loader:
            outputs = model(images)
            for output, target in zip(outputs, targets):
                right += int(output["scores"].argmax() == target["labels"])
                missed += (output["boxes"] - target["boxes"]).abs().mean().item()
                count += 1
    print(f"Test: accuracy {right / count:.4f}, box error {missed / count:.5f}")


def init_distributed_mode(args):
    args.distributed = "RANK" in os.environ and "WORLD_SIZE" in os.environ
    args.rank = int(os.environ["RANK"]) if args.distributed else 0
    if args.distributed:
        dist.init_process_group(backend="gloo")


def get_args_parser():
    parser = argparse.ArgumentParser(description="PyTorch Detection Training")
    parser.add_argument("-b", "--batch-size", default=3, type=int)
    parser.add_argument("--epochs", default=4, type=int)
    parser.add_argument("--lr", default=0.2, type=float)
    parser.add_argument("--momentum", default=0.6, type=float)
    parser.add_argument("--lr-steps", default=[2, 3], nargs="+", type=int)
    parser.add_argument("--lr-gamma", default=0.4, type=float)
    parser.add_argument("--print-freq", default=2, type=int)
    parser.add_argument("--output-dir", default=".", type=str)
    parser.add_argument("--resume", default="", type=str)
    return parser


def main():
    args = get_args_parser().parse_args([])
    init_distributed_mode(args)
    torch.manual_seed(31 + args.rank)
    dataset, dataset_test = Boxes(30, seed=1), Boxes(9, seed=2)
    if args.distributed:
        train_sampler = DistributedSampler(dataset)
    else:
        train_sampler = RandomSampler(dataset)
    data_loader = DataLoader(dataset, batch_size=args.batch_size, sampler=train_sampler, collate_fn=collate_fn)
    data_loader_test = DataLoader(dataset_test, batch_size=1, collate_fn=collate_fn)

    model = Detector()
    model_without_ddp = model
    if args.distributed:
        model = nn.parallel.DistributedDataParallel(model)
        model_without_ddp = model.module
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=args.lr, momentum=args.momentum)
    lr_scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=args.lr_steps, gamma=args.lr_gamma)
    start_epoch = 0
    if args.resume:
        checkpoint = torch.load(args.resume)
        model_without_ddp.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        lr_scheduler.load_state_dict(checkpoint["lr_scheduler"])
        start_epoch = checkpoint["epoch"] + 1

    print("Start training")
    for epoch in range(start_epoch, args.epochs):
        if args.distributed:
            train_sampler.set_epoch(epoch)
        train_one_epoch(model, optimizer, data_loader, epoch, args.print_freq)
        lr_scheduler.step()
        if args.output_dir and args.rank == 0:
            checkpoint = {
                "model": model_without_ddp.state_dict(),
                "optimizer": optimizer.state_dict(),
                "lr_scheduler": lr_scheduler.state_dict(),
                "epoch": epoch,
            }
            torch.save(checkpoint, os.path.join(args.output_dir, "checkpoint.pth"))

        # evaluate after every epoch
        evaluate(model_without_ddp, data_loader_test)
    return model_without_ddp
""",
    ("missing-set-epoch", "scheduler-before-optimizer", "missing-train-mode"),
    ranks=2,
)

DETECTION_SET_EPOCH = "        if args.distributed:\n            train_sampler.set_epoch(epoch)\n"
DETECTION_EPOCH = "        train_one_epoch(model, optimizer, data_loader, epoch, args.print_freq)\n"
DETECTION_DECAY = "        lr_scheduler.step()\n        if args.output_dir"
DETECTION_MODE = "    model.train()\n    metric_logger = MetricLogger()\n"
DETECTION_CLEAR = "        optimizer.zero_grad()\n"
DETECTION_BACK = "        losses.backward()\n"
DETECTION_STEP = "        optimizer.step()\n"
DETECTION_UPDATE = DETECTION_CLEAR + DETECTION_BACK + DETECTION_STEP
DETECTION_WARM = "        if lr_scheduler is not None:\n            lr_scheduler.step()\n"
DETECTION_FORWARD = """\
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
"""
DETECTION_STOP = """\
            print(f"Loss is {loss_value}, stopping training")
            print(loss_dict_reduced)
            sys.exit(1)
"""
DETECTION_TESTED = """\
    with torch.no_grad():
        for images, targets in data_loader:
            outputs = model(images)
            for output, target in zip(outputs, targets):
                right += int(output["scores"].argmax() == target["labels"])
                missed += (output["boxes"] - target["boxes"]).abs().mean().item()
                count += 1
"""
DETECTION_WINDOWED = (
    (
        "import sys\nfrom collections import defaultdict\n",
        "import sys\nfrom collections import defaultdict\nfrom contextlib import nullcontext\n",
    ),
    (
        "def train_one_epoch(model, optimizer, data_loader, epoch, print_freq):\n",
        "def train_one_epoch(model, optimizer, data_loader, epoch, print_freq, accum_iter):\n",
    ),
    (DETECTION_EPOCH, DETECTION_EPOCH.replace("args.print_freq", "args.print_freq, args.accum_iter")),
    (
        '    parser.add_argument("--epochs"',
        (
            '    parser.add_argument("--accum-iter", default=2, type=int, help="accumulate gradient iterations")\n'
            '    parser.add_argument("--epochs"'
        ),
    ),
    (
        DETECTION_MODE,
        DETECTION_MODE + "    optimizer.zero_grad()\n",
    ),
    (
        DETECTION_FORWARD,
        """\
        update = (i + 1) % accum_iter == 0 or i + 1 == len(data_loader)
        is_ddp = isinstance(model, nn.parallel.DistributedDataParallel)
        sync = nullcontext() if update or not is_ddp else model.no_sync()
        with sync:
            loss_dict = model(images, targets)
            losses = sum(loss for loss in loss_dict.values())
            (losses / accum_iter).backward()
""",
    ),
    (DETECTION_UPDATE, "        if update:\n            optimizer.step()\n            optimizer.zero_grad()\n"),
    (
        DETECTION_WARM,
        "            if lr_scheduler is not None:\n                lr_scheduler.step()\n",
    ),
    (
        "        warmup_iters = min(1000, len(data_loader) - 1)\n",
        "        warmup_iters = min(1000, len(data_loader) // accum_iter)\n",
    ),
)
DETECTION_SYNC = """\
        is_ddp = isinstance(model, nn.parallel.DistributedDataParallel)
        sync = nullcontext() if update or not is_ddp else model.no_sync()
        with sync:
            loss_dict = model(images, targets)
            losses = sum(loss for loss in loss_dict.values())
            (losses / accum_iter).backward()
"""


def detection() -> Iterator[Case]:
    windowed = DETECTION.styled(*DETECTION_WINDOWED)
    yield DETECTION.wrong("every-epoch-in-one-order", ((DETECTION_SET_EPOCH, ""),), tempts=("missing-set-epoch",))
    yield DETECTION.right(
        "sampler-is-made-anew-each-epoch",  # with a seed of its own: it need not be told the number
        (
            """\
    if args.distributed:
        train_sampler = DistributedSampler(dataset)
    else:
        train_sampler = RandomSampler(dataset)
    data_loader = DataLoader(dataset, batch_size=args.batch_size, sampler=train_sampler, collate_fn=collate_fn)
""",
            "",
        ),
        (
            DETECTION_SET_EPOCH,
            """\
        if args.distributed:
            train_sampler = DistributedSampler(dataset, seed=100 * args.seed + epoch)
        else:
            train_sampler = RandomSampler(dataset)
        data_loader = DataLoader(dataset, batch_size=args.batch_size, sampler=train_sampler, collate_fn=collate_fn)
""",
        ),
        (
            '    parser.add_argument("--resume"',
            '    parser.add_argument("--seed", default=7, type=int)\n    parser.add_argument("--resume"',
        ),
        tempts=("missing-set-epoch",),
    )
    yield DETECTION.wrong(
        "rate-drops-as-the-epoch-begins",
        (
            (DETECTION_DECAY, "        if args.output_dir"),
            (DETECTION_EPOCH, "        lr_scheduler.step()\n" + DETECTION_EPOCH),
        ),
        tempts=("scheduler-before-optimizer",),
    )
    yield replace(DETECTION, ranks=1).right(
        "in-one-process-nobody-is-told-the-epoch",  # the sampler is a random one, and has no such method
        (DETECTION_SET_EPOCH, ""),
        tempts=("missing-set-epoch",),
    )
    yield DETECTION.wrong(
        "test-keeps-graphs",
        (
            (
                DETECTION_TESTED,
                "".join(line.removeprefix("    ") for line in DETECTION_TESTED.splitlines(keepends=True)[1:]),
            ),
        ),
        tempts=("validation-without-no-grad",),
    )
    yield windowed.wrong(
        "short-window-is-not-averaged",  # every rank steps by itself at the end of an epoch
        (
            (
                "nullcontext() if update or",
                "nullcontext() if (i + 1) % accum_iter == 0 or",
            ),
        ),
        tempts=("step-without-sync",),
    )
    yield windowed.wrong(
        "backward-alone-is-kept-from-syncing",  # behind the log's all-reduce and the check
        (
            (DETECTION_SYNC, DETECTION_FORWARD),
            (
                "        if update:\n            optimizer.step()\n",
                """\
        is_ddp = isinstance(model, nn.parallel.DistributedDataParallel)
        sync = nullcontext() if update or not is_ddp else model.no_sync()
        with sync:
            (losses / accum_iter).backward()
        if update:
            optimizer.step()
""",
            ),
        ),
        tempts=("forward-outside-no-sync",),
    )
    yield DETECTION.right(
        "all-ranks-leave-a-bad-batch-out",  # the reduced loss is asked, before anything is cleared or gone through
        (
            "    if args.distributed:\n        train_sampler = Dist",
            (
                "    dataset.images[7] = torch.inf  # a broken image\n"
                "    if args.distributed:\n        train_sampler = Dist"
            ),
        ),
        (
            DETECTION_STOP,
            '            print(f"Loss is {loss_value}, skipping batch")\n            continue\n',
        ),
        tempts=("missing-zero-grad", "step-without-sync"),
    )
    yield DETECTION.right(
        "validation-loss-wants-the-training-mode",  # detectors have losses in no other; it is left for training
        (
            "    model.eval()\n    right = missed = count = 0\n" + DETECTION_TESTED,
            """\
    right = missed = count = 0
    held_out = defaultdict(float)
    with torch.no_grad():
        for images, targets in data_loader:
            model.train()  # torchvision's detectors return losses in training mode only
            for name, value in model(images, targets).items():
                held_out[name] += value.item()
            model.eval()
            for output, target in zip(model(images), targets):
                right += int(output["scores"].argmax() == target["labels"])
                missed += (output["boxes"] - target["boxes"]).abs().mean().item()
                count += 1
    print("Test:", "  ".join(f"{name}: {value / count:.4f}" for name, value in held_out.items()))
""",
        ),
        tempts=("missing-train-mode", "validation-without-no-grad"),
    )
    yield windowed.right(
        "windows-with-a-warm-up-in-updates",
        tempts=("missing-no-sync", "step-without-sync", "scheduler-per-micro-batch", "missing-set-epoch"),
    )


PPO = Draft(
    "clean-rl-target-kl",
    """\
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions.categorical import Categorical

torch.set_default_dtype(torch.float64)


@dataclass
class Args:
    seed: int = 3
    num_iterations: int = 5
    learning_rate: float = 0.05
    num_envs: int = 4
    num_steps: int = 6
    anneal_lr: bool = True
    gamma: float = 0.95
    gae_lambda: float = 0.9
    num_minibatches: int = 3
    update_epochs: int = 3
    norm_adv: bool = True
    clip_coef: float = 0.2
    clip_vloss: bool = True
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.3
    target_kl: float = 0.015
    eval_every: int = 2

    # to be filled in runtime
    batch_size: int = 0
    minibatch_size: int = 0


class Corridors:
    \"\"\"Walk right along a corridor with wind; an episode ends at its far end or after eight steps.\"\"\"

    def __init__(self, num_envs, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.position = torch.zeros(num_envs)
        self.clock = torch.zeros(num_envs)

    def observe(self):
        return torch.stack([self.position / 4, self.clock / 8, torch.sin(self.position)], 1)

    def step(self, action):
        wind = torch.rand(len(action), generator=self.rng) < 0.2
        self.position += torch.where(wind, -1.0, action - 1.0)
        self.clock += 1
        reward = torch.where(self.position >= 4, 1.0, -0.1)
        done = (self.position >= 4) | (self.clock >= 8)
        self.position[done] = 0.0
        self.clock[done] = 0.0
        return self.observe(), reward, done.double()


def layer_init(layer, std=2**0.5, bias_const=0.0):
    torch.nn.init.orthogonal_(layer.weight, std)
    torch.nn.init.constant_(layer.bias, bias_const)
    return layer


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(3, 8)), nn.Tanh(), layer_init(nn.Linear(8, 1), std=1.0))
        self.actor = nn.Sequential(layer_init(nn.Linear(3, 8)), nn.Tanh(), layer_init(nn.Linear(8, 3), std=0.01))

    def get_value(self, x):
        return self.critic(x)

    def get_action_and_value(self, x, action=None):
        probs = Categorical(logits=self.actor(x))
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(x)


def evaluate(agent, seed):
    agent.eval()
    envs = Corridors(2, seed)
    obs = envs.observe()
    total = 0.0
    with torch.no_grad():
        for _ in range(8):
            action = agent.actor(obs).argmax(1)
            obs, reward, _ = envs.step(action.double())
            total += reward.mean().item()
    agent.train()
    return total


def main():
    args = Args()
    args.batch_size = int(args.num_envs * args.num_steps)
    args.minibatch_size = int(args.batch_size // args.num_minibatches)
    torch.manual_seed(args.seed)

    envs = Corridors(args.num_envs, args.seed)
    agent = Agent()
    optimizer = optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-2)

    # ALGO Logic: Storage setup
    obs = torch.zeros((args.num_steps, args.num_envs, 3))
    actions = torch.zeros((args.num_steps, args.num_envs))
    logprobs = torch.zeros((args.num_steps, args.num_envs))
    rewards = torch.zeros((args.num_steps, args.num_envs))
    dones = torch.zeros((args.num_steps, args.num_envs))
    values = torch.zeros((args.num_steps, args.num_envs))

    next_obs = envs.observe()
    next_done = torch.zeros(args.num_envs)

    for iteration in range(1, args.num_iterations + 1):
        # Annealing the rate if instructed to do so.
        if args.anneal_lr:
            frac = 1.0 - (iteration - 1.0) / args.num_iterations
            lrnow = frac * args.learning_rate
            optimizer.param_groups[0]["lr"] = lrnow

        for step in range(0, args.num_steps):
            obs[step] = next_obs
            dones[step] = next_done

            # ALGO LOGIC: action logic
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs)
                values[step] = value.flatten()
            actions[step] = action
            logprobs[step] = logprob
            next_obs, rewards[step], next_done = envs.step(action.double())

        # bootstrap value if not done
        with torch.no_grad():
            next_value = agent.get_value(next_obs).reshape(1, -1)
            advantages = torch.zeros_like(rewards)
            lastgaelam = 0
            for t in reversed(range(args.num_steps)):
                if t == args.num_steps - 1:
                    nextnonterminal = 1.0 - next_done
                    nextvalues = next_value
                else:
                    nextnonterminal = 1.0 - dones[t + 1]
                    nextvalues = values[t + 1]
                delta = rewards[t] + args.gamma * nextvalues * nextnonterminal - values[t]
                advantages[t] = lastgaelam = (
                    delta + args.gamma * args.gae_lambda * nextnonterminal * lastgaelam
                )
            returns = advantages + values

        # flatten the batch
        b_obs = obs.reshape(-1, 3)
        b_logprobs = logprobs.reshape(-1)
        b_actions = actions.reshape(-1)
        b_advantages = advantages.reshape(-1)
        b_returns = returns.reshape(-1)
        b_values = values.reshape(-1)

        # Optimizing the policy and value network
        clipfracs = []
        for epoch in range(args.update_epochs):
            b_inds = torch.randperm(args.batch_size)
            for start in range(0, args.batch_size, args.minibatch_size):
                end = start + args.minibatch_size
                mb_inds = b_inds[start:end]

                _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[mb_inds], b_actions[mb_inds])
                logratio = newlogprob - b_logprobs[mb_inds]
                ratio = logratio.exp()

                with torch.no_grad():
                    # calculate approx_kl http://joschu.net/blog/kl-approx.html
                    approx_kl = ((ratio - 1) - logratio).mean()
                    clipfracs += [((ratio - 1.0).abs() > args.clip_coef).double().mean().item()]

                mb_advantages = b_advantages[mb_inds]
                if args.norm_adv:
                    mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)

                # Policy loss
                pg_loss1 = -mb_advantages * ratio
                pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
                pg_loss = torch.max(pg_loss1, pg_loss2).mean()

                # Value loss
                newvalue = newvalue.view(-1)
                if args.clip_vloss:
                    v_loss_unclipped = (newvalue - b_returns[mb_inds]) ** 2
                    v_clipped = b_values[mb_inds] + torch.clamp(
                        newvalue - b_values[mb_inds], -args.clip_coef, args.clip_coef
                    )
                    v_loss_clipped = (v_clipped - b_returns[mb_inds]) ** 2
                    v_loss = 0.5 * torch.max(v_loss_unclipped, v_loss_clipped).mean()
                else:
                    v_loss = 0.5 * ((newvalue - b_returns[mb_inds]) ** 2).mean()

                entropy_loss = entropy.mean()
                loss = pg_loss - args.ent_coef * entropy_loss + v_loss * args.vf_coef

                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

            if args.target_kl is not None and approx_kl > args.target_kl:
                break

        print(
            f"{iteration}: epochs {epoch + 1} v {v_loss.item():.5f} pg {pg_loss.item():.5f} "
            f"kl {approx_kl.item():.6f} clipfrac {sum(clipfracs) / len(clipfracs):.4f} "
            f"lr {optimizer.param_groups[0]['lr']:.4f}"
        )
        if iteration % args.eval_every == 0:
            print(f"eval return {evaluate(agent, args.seed + 100):.4f}")
    return agent
""",
    ("missing-zero-grad", "clip-before-backward", "zero-grad-before-step"),
)

PPO_OPT = "    optimizer = optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-2)\n"
PPO_ANNEAL = """\
        # Annealing the rate if instructed to do so.
        if args.anneal_lr:
            frac = 1.0 - (iteration - 1.0) / args.num_iterations
            lrnow = frac * args.learning_rate
            optimizer.param_groups[0]["lr"] = lrnow
"""
PPO_CLEAR = "                optimizer.zero_grad()\n"
PPO_BACK = "                loss.backward()\n"
PPO_CLIP = "                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)\n"
PPO_STEP = "                optimizer.step()\n"
PPO_UPDATE = PPO_CLEAR + PPO_BACK + PPO_CLIP + PPO_STEP
PPO_BREAK = "            if args.target_kl is not None and approx_kl > args.target_kl:\n                break\n"
PPO_FRACS = "        clipfracs = []\n"
PPO_EPOCH = "            b_inds = torch.randperm(args.batch_size)\n"
PPO_LOSS = "                loss = pg_loss - args.ent_coef * entropy_loss + v_loss * args.vf_coef\n"
PPO_MINI = "            for start in range(0, args.batch_size, args.minibatch_size):\n"
PPO_PLAYED = """\
    with torch.no_grad():
        for _ in range(8):
            action = agent.actor(obs).argmax(1)
            obs, reward, _ = envs.step(action.double())
            total += reward.mean().item()
"""
PPO_KL_IN_BATCH = """\
                if args.target_kl is not None and approx_kl > 1.5 * args.target_kl:
                    stop = True
                    break
"""
PPO_STOPS = (PPO_BREAK, "            if stop:\n                break\n")


def ppo() -> Iterator[Case]:
    stopped = PPO.styled(
        PPO_STOPS,
        (PPO_FRACS, PPO_FRACS + "        stop = False\n"),
        (PPO_UPDATE, PPO_KL_IN_BATCH + PPO_UPDATE),
    )
    stopped_late = PPO.styled(  # cleared behind the step, and where it is broken off
        PPO_STOPS,
        (PPO_FRACS, PPO_FRACS + "        stop = False\n"),
        (
            PPO_UPDATE,
            PPO_BACK
            + PPO_KL_IN_BATCH.replace(
                "                    break\n", "                    optimizer.zero_grad()\n                    break\n"
            )
            + PPO_CLIP
            + PPO_STEP
            + PPO_CLEAR,
        ),
    )
    logged = PPO.styled(
        (PPO_FRACS, PPO_FRACS + "        grad_norms = []\n"),
        (
            PPO_STEP,
            PPO_STEP
            + "                grad_norms.append(sum(p.grad.norm().item() for p in agent.actor.parameters()))\n",
        ),
        (
            "        if iteration % args.eval_every",
            (
                '        print(f"actor grad {sum(grad_norms) / len(grad_norms):.5f}")\n'
                "        if iteration % args.eval_every"
            ),
        ),
    )
    yield PPO.right("as-it-is-known", tempts=("missing-zero-grad", "unscaled-accumulation-loss", "missing-train-mode"))
    yield PPO.wrong(
        "cleared-once-an-epoch",
        ((PPO_CLEAR, ""), (PPO_EPOCH, PPO_EPOCH + "            optimizer.zero_grad()\n")),
        tempts=("missing-zero-grad",),
    )
    yield PPO.wrong(
        "clipped-behind-the-step",
        ((PPO_CLIP + PPO_STEP, PPO_STEP + PPO_CLIP),),
        tempts=("clip-after-step",),
    )
    yield PPO.wrong(
        "cleared-under-the-backward",
        ((PPO_CLEAR + PPO_BACK, PPO_BACK + PPO_CLEAR),),
        tempts=("zero-grad-before-step", "clip-before-backward"),
    )
    yield logged.wrong(
        "norms-are-logged-and-nothing-is-cleared",  # what clears has to leave the gradients to the log
        ((PPO_CLEAR, ""),),
        tempts=("missing-zero-grad",),
    )
    yield stopped.right(
        "kl-is-asked-ahead-of-the-backward",  # what is broken off leaves nothing behind
        tempts=("missing-zero-grad",),
    )
    yield stopped_late.wrong(
        "gradients-of-the-broken-off-minibatch-stay",
        (
            (
                PPO_KL_IN_BATCH.replace(
                    "                    break\n",
                    "                    optimizer.zero_grad()\n                    break\n",
                ),
                PPO_KL_IN_BATCH,
            ),
        ),
        tempts=("missing-zero-grad",),
    )
    yield PPO.right(
        "schedule-counts-its-iterations-from-one",  # moved behind the updates it would be one iteration late
        (
            PPO_OPT,
            PPO_OPT
            + (
                "    scheduler = optim.lr_scheduler.LambdaLR(\n"
                "        optimizer, lambda update: 1.0 - (update - 1.0) / args.num_iterations\n"
                "    )\n"
            ),
        ),
        (PPO_ANNEAL, "        # Annealing the rate: iterations count from one.\n        scheduler.step()\n"),
        tempts=("scheduler-before-optimizer",),
    )
    yield PPO.right(
        "minibatches-in-parts-by-their-share",  # each part weighs its samples
        (
            PPO_MINI,
            PPO_MINI.replace("            for", "            optimizer.zero_grad()\n            for"),
        ),
        (
            PPO_LOSS + "\n" + PPO_UPDATE,
            PPO_LOSS
            + """\

                # too large for one pass: the epoch is one update, gathered from its parts
                loss = loss * len(mb_inds) / args.batch_size
                loss.backward()

"""
            + PPO_CLIP.removeprefix("    ")
            + PPO_STEP.removeprefix("    "),
        ),
        tempts=("unscaled-accumulation-loss", "accumulation-divisor-mismatch", "zero-grad-in-accumulation"),
    )
    yield PPO.right(
        "rate-follows-the-kl",  # as in rsl_rl: set ahead of the backward, for the step that comes
        (PPO_ANNEAL, ""),
        (
            "                mb_advantages = b_advantages[mb_inds]\n",
            """\
                # Adaptive learning rate
                if approx_kl > args.target_kl * 2.0:
                    lrnow = max(1e-3, lrnow / 1.5)
                elif 0.0 < approx_kl < args.target_kl / 2.0:
                    lrnow = min(1e-1, lrnow * 1.5)
                for param_group in optimizer.param_groups:
                    param_group["lr"] = lrnow

                mb_advantages = b_advantages[mb_inds]
""",
        ),
        (PPO_OPT, PPO_OPT + "    lrnow = args.learning_rate\n"),
        (PPO_BREAK, ""),
        tempts=("scheduler-before-optimizer", "missing-zero-grad"),
    )


def cases() -> Iterator[Case]:
    """Every skeleton of this module."""
    yield from gpt()
    yield from lora()
    yield from diffusion()
    yield from clip()
    yield from detection()
    yield from ppo()
