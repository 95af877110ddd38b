from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Context:
    model: torch.nn.Module
    optimizer: torch.optim.Optimizer
    scaler: torch.cuda.amp.GradScaler
    loader: Any
    clip: float = 0.1


def clamp_gradients(ctx):
    torch.nn.utils.clip_grad_value_(ctx.model.parameters(), ctx.clip)


def update(ctx, loss):
    ctx.optimizer.zero_grad()
    ctx.scaler.scale(loss).backward()
    clamp_gradients(ctx)
    ctx.scaler.step(ctx.optimizer)
    ctx.scaler.update()


def train(ctx, epochs):
    for epoch in range(epochs):
        ctx.model.train()
        for n, (left, right, score) in enumerate(ctx.loader):
            with torch.cuda.amp.autocast():
                prediction = ctx.model(left.cuda(), right.cuda())
                loss = torch.nn.functional.mse_loss(prediction, score.cuda())
            update(ctx, loss)
            if n % 50 == 0:
                print(epoch, n, float(loss))
