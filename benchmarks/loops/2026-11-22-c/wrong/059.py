import torch
from torch import nn

from nerf.field import RadianceField
from nerf.rays import ray_batches


def make_tick(scheduler, state):
    def tick(loss):
        state["micro"] += 1
        state["loss"] = 0.99 * state["loss"] + 0.01 * loss.item()
        scheduler.step()

    return tick


def optimise(scene, updates=30_000, per_update=2, rays=4096):
    field = RadianceField(hidden=64)
    optimizer = torch.optim.Adam(
        [
            {"params": field.grid.parameters(), "lr": 1e-2, "eps": 1e-15},
            {"params": field.mlp.parameters(), "lr": 1e-3, "weight_decay": 1e-6},
        ]
    )
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1 ** (1 / updates))
    state = {"micro": 0, "loss": 0.0}
    tick = make_tick(scheduler, state)
    stream = ray_batches(scene, rays)
    remaining = per_update
    done = 0
    while done < updates:
        origins, colours = next(stream)
        loss = nn.functional.mse_loss(field(origins), colours)
        (loss / per_update).backward()
        remaining -= 1
        if remaining == 0:
            optimizer.step()
            optimizer.zero_grad()
            remaining = per_update
            done += 1
        tick(loss)
    print(state)
    return field
