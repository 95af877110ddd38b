"""Two sums of one loss: of the window, for the backward; of the run, for the log."""
import torch
from torch import nn


def train(record):
    torch.manual_seed(29)
    net = nn.GRUCell(2, 6)
    out = nn.Linear(6, 1)
    every = [*net.parameters(), *out.parameters()]
    opt = torch.optim.Adam(every, lr=0.02)
    state = torch.zeros(4, 6)
    window = run = 0.0
    report = []
    for t in range(1, 121):
        x = torch.randn(4, 2)
        state = net(x, state)
        loss = nn.functional.mse_loss(out(state), x.sum(1, keepdim=True))
        window = window + loss
        run = run + loss.detach()
        if t % 5 == 0:
            opt.zero_grad()
            (window / 5).backward()
            opt.step()
            record(every)
            state, window = state.detach(), 0.0
        if t % 40 == 0:
            report.append(f"{run.item() / t:.4f}")
    return report


if __name__ == "__main__":
    train(lambda parameters: None)
