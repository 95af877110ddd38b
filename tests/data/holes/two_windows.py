# === two optimizers, each behind its own micro-batches, under Accelerate
from accelerate import Accelerator
from accelerate.utils import DistributedDataParallelKwargs
from torch.optim import Adam


class Trainer:
    def __init__(self, vae, loader, accum, kwargs):
        self.accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)], **kwargs)
        critic = set(vae.critic.parameters())
        self.accum = accum
        self.optim = Adam(set(vae.parameters()) - critic, lr=1e-4)
        self.critic_optim = Adam(critic, lr=1e-4)
        self.vae, self.optim, self.critic_optim, self.loader = self.accelerator.prepare(
            vae, self.optim, self.critic_optim, loader
        )
        self.draws = iter(self.loader)

    def train_step(self):
        self.vae.train()
        for _ in range(self.accum):
            loss = self.vae(next(self.draws), return_loss=True)
            self.accelerator.backward(loss / self.accum)  # <- missing-no-sync
        self.accelerator.clip_grad_norm_(self.vae.parameters(), 0.5)
        self.optim.step()
        self.optim.zero_grad()
        self.critic_optim.zero_grad()
        for _ in range(self.accum):
            loss = self.vae(next(self.draws), return_critic_loss=True)
            self.accelerator.backward(loss / self.accum)  # <- missing-no-sync
        self.critic_optim.step()

    def train(self, steps):
        for _ in range(steps):
            self.train_step()
            if self.main:
                print("another step")

    @property
    def main(self):
        return self.accelerator.is_main_process
# === two optimizers over one network's parts, undivided
import torch
import torch.nn.functional as F


def train(net, body, head, stream, accum):
    first, second = torch.optim.Adam(body, lr=1e-3), torch.optim.Adam(head, lr=1e-3)
    for step in range(1000):
        first.zero_grad()
        for _ in range(accum):
            x, y = next(stream)
            F.mse_loss(net(x), y).backward()  # <- unscaled-accumulation-loss
        first.step()
        second.zero_grad()
        for _ in range(accum):
            x, y = next(stream)
            (F.l1_loss(net(x), y) / accum).backward()
        second.step()
# === right: two optimizers, each behind its own micro-batches, no_sync for all but the last
from contextlib import nullcontext

from accelerate import Accelerator
from torch.optim import Adam


def train(vae, loader, accum, maker, critic):
    accelerator = Accelerator()
    first, second = Adam(maker, lr=1e-4), Adam(critic, lr=1e-4)
    vae, first, second, loader = accelerator.prepare(vae, first, second, loader)
    draws = iter(loader)
    for step in range(1000):
        for i in range(accum):
            with accelerator.no_sync(vae) if i < accum - 1 else nullcontext():
                accelerator.backward(vae(next(draws)) / accum)
        first.step()
        first.zero_grad()
        second.zero_grad()
        for i in range(accum):
            with accelerator.no_sync(vae) if i < accum - 1 else nullcontext():
                accelerator.backward(vae(next(draws), critic=True) / accum)
        second.step()
        if accelerator.is_main_process:
            print(step)
# === right: two windows under an Accelerator without a sign of several processes
from accelerate import Accelerator
from torch.optim import Adam


def train(vae, loader, accum, maker, critic):
    accelerator = Accelerator()
    first, second = Adam(maker, lr=1e-4), Adam(critic, lr=1e-4)
    vae, first, second, loader = accelerator.prepare(vae, first, second, loader)
    draws = iter(loader)
    for step in range(1000):
        for _ in range(accum):
            accelerator.backward(vae(next(draws)) / accum)
        first.step()
        first.zero_grad()
        second.zero_grad()
        for _ in range(accum):
            accelerator.backward(vae(next(draws), critic=True) / accum)
        second.step()
# === right: two optimizers that step for every micro-batch
import torch
import torch.nn.functional as F


def train(net, body, head, stream, n):
    first, second = torch.optim.Adam(body, lr=1e-3), torch.optim.Adam(head, lr=1e-3)
    for step in range(1000):
        for _ in range(n):
            x, y = next(stream)
            first.zero_grad()
            F.mse_loss(net(x), y).backward()
            first.step()
        for _ in range(n):
            x, y = next(stream)
            second.zero_grad()
            F.l1_loss(net(x), y).backward()
            second.step()
