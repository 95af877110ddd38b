import math

import torch
from torch import nn

config = {"base": 3e-3, "floor": 3e-5, "warmup": 5, "steps": 40}


def rate(step):
    if step < config["warmup"]:
        return config["base"] * (step + 1) / config["warmup"]
    t = (step - config["warmup"]) / (config["steps"] - config["warmup"])
    return config["floor"] + 0.5 * (config["base"] - config["floor"]) * (1 + math.cos(math.pi * t))


model = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=config["base"], weight_decay=0.1)
for step in range(config["steps"]):
    for group in optimizer.param_groups:
        group["lr"] = rate(step)
    x = torch.rand(64, 3)
    loss = nn.functional.mse_loss(model(x), x.prod(1, keepdim=True))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if step % 10 == 0:
        print(step, rate(step), loss.item())
