import os
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from splice.data import Genome
from splice.model import Hyena


@dataclass
class Run:
    root: str = "grch38"
    global_batch: int = 256
    micro_batch: int = 16
    epochs: int = 12
    lr: float = 6e-4
    device: str = "cuda"
    tags: list = field(default_factory=list)

    @property
    def window(self) -> int:
        return self.global_batch // self.micro_batch


@torch.autocast("cuda", dtype=torch.bfloat16)
def next_base_loss(model, bases):
    logits = model(bases[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), bases[:, 1:].flatten())


def main(run: Run):
    os.makedirs("out", exist_ok=True)
    loader = DataLoader(Genome(run.root, 65_536), batch_size=run.micro_batch, shuffle=True, drop_last=True)
    usable = len(loader) // run.window * run.window
    model = Hyena(dim=256, layers=8).to(run.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=run.lr, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, run.epochs * usable // run.window)
    share = run.micro_batch / run.global_batch
    for epoch in range(run.epochs):
        model.train()
        for i, bases in enumerate(loader):
            if i >= usable:
                break
            loss = next_base_loss(model, bases.to(run.device))
            loss.mul(share).backward()
            if i % run.window != run.window - 1:
                continue
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            schedule.step()
        print(epoch, loss.item(), *run.tags)
        torch.save(model.state_dict(), f"out/hyena_{epoch}.pt")


if __name__ == "__main__":
    main(Run())
