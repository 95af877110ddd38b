"""Co-trained ensemble: the members are stepped one by one, one scale serves all of them."""
import torch
from torch import nn
from torch.nn import functional as F


class Disagreement(Exception):
    pass


def step_members(scaler, members, optimizers, record, spread):
    try:
        for member, optimizer in zip(members, optimizers):
            scaler.step(optimizer)
            record(list(member.parameters()))
            if spread > 1.5:
                raise Disagreement
    except Disagreement:
        pass  # one of them is enough where they are far apart
    finally:
        scaler.update()
        for optimizer in optimizers:
            optimizer.zero_grad()


def train(record):
    torch.manual_seed(91)
    members = [nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1)) for _ in range(3)]
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in members]
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=4)
    for _ in range(16):
        x = torch.randn(14, 3) * 2
        y = x.prod(1, keepdim=True).tanh()
        with torch.autocast("cpu", dtype=torch.float16):
            guesses = torch.stack([m(x) for m in members]).float()
        loss = F.mse_loss(guesses, y.expand_as(guesses)) - 0.05 * guesses.var(0).mean()
        scaler.scale(loss).backward()
        step_members(scaler, members, optimizers, record, guesses.detach().std(0).max().item())


if __name__ == "__main__":
    train(lambda parameters: None)
