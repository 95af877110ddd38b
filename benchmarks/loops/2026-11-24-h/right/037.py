"""Instruction-tuning shaped script on Fabric."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from lightning_fabric import Fabric
from torch.utils.data import DataLoader


@dataclass
class TrainArgs:
    global_batch_size: int = 16
    micro_batch_size: int = 4
    epochs: int = 2
    learning_rate: float = 5e-3

    def gradient_accumulation_iters(self, devices: int) -> int:
        return self.global_batch_size // devices // self.micro_batch_size


class Adapter(nn.Module):
    def __init__(self, vocab=32, d=16):
        super().__init__()
        self.base = nn.Embedding(vocab, d)
        self.a = nn.Linear(d, 4, bias=False)
        self.b = nn.Linear(4, d, bias=False)
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        h = self.base(ids)
        return self.head(h + self.b(self.a(h)))


def fit(fabric, model, optimizer, scheduler, dl, train):
    every = train.gradient_accumulation_iters(fabric.world_size)
    for epoch in range(train.epochs):
        for it, batch in enumerate(dl, 1):
            last = it == len(dl)
            is_accumulating = it % every != 0 and not last
            with fabric.no_backward_sync(model, enabled=is_accumulating):
                logits = model(batch[:, :-1])
                loss = nn.functional.cross_entropy(logits.reshape(-1, 32), batch[:, 1:].reshape(-1))
                fabric.backward(loss / every)
            if not is_accumulating:
                fabric.clip_gradients(model, optimizer, max_norm=1.0)
                optimizer.step()
                optimizer.zero_grad()
                scheduler.step()
        fabric.print(f"epoch {epoch} loss {loss.item():.3f} lr {scheduler.get_last_lr()[0]:.4f}")


def main(train=TrainArgs()):
    fabric = Fabric(accelerator="cpu", devices=1, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(3, verbose=False)
    seqs = (torch.randint(0, 32, (72, 1)) + torch.arange(9)) % 32
    dl = fabric.setup_dataloaders(DataLoader(seqs, batch_size=train.micro_batch_size, shuffle=True))
    model = Adapter()
    model.base.requires_grad_(False)
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=train.learning_rate)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)
    model, optimizer = fabric.setup(model, optimizer)
    fit(fabric, model, optimizer, scheduler, dl, train)


if __name__ == "__main__":
    main()
