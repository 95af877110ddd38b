"""Trains in whatever precision was asked for; loss scaling is only switched on for float16."""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Precision:
    name: str = "bf16"

    @property
    def dtype(self):
        return {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}[self.name]

    @property
    def autocast(self):
        return torch.autocast("cpu", dtype=self.dtype, enabled=self.name != "fp32")

    def scaler(self):
        return torch.amp.GradScaler("cpu", init_scale=512.0, enabled=self.name == "fp16")


class Depth(nn.Module):
    """Depth map from a one-channel picture."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 3, padding=1))

    def forward(self, x):
        return self.net(x)


def train(precision, steps=8):
    torch.manual_seed(0)
    model = Depth().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    scaler = precision.scaler()
    for step in range(steps):
        image = torch.rand(6, 1, 10, 10)
        depth = 1 - image
        optimizer.zero_grad(set_to_none=True)
        with precision.autocast:
            loss = nn.functional.l1_loss(model(image), depth)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


if __name__ == "__main__":
    print("bf16", round(train(Precision()), 4))
