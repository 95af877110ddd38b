"""The body is judged by a probe that is fitted to what it makes of held-out rows; bad marks slow it down."""
import torch
from torch import nn
from torch.nn.functional import mse_loss


class Judge:
    def __init__(self, record, everything, probe):
        self.record, self.everything, self.probe = record, everything, probe
        self.opt = torch.optim.SGD(probe.parameters(), lr=0.1)

    def mark(self, body, held_out):
        body.eval()
        self.probe.reset_parameters()
        total = 0.0
        for x, y in held_out:
            with torch.no_grad():
                features = body(x)
            for _ in range(3):
                self.opt.zero_grad()
                error = mse_loss(self.probe(features.detach()), y)
                error.backward()
                self.opt.step()
                self.record(self.everything)
            total += error.item()
        body.train()
        return total / len(held_out)


def train(record):
    torch.manual_seed(1414)
    body = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Tanh())
    head, probe = nn.Linear(6, 4), nn.Linear(6, 1)
    everything = [*body.parameters(), *head.parameters(), *probe.parameters()]
    judge = Judge(record, everything, probe)
    opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.2)
    held_out = [(x, x[:, :1] - x[:, 1:2]) for x in torch.randn(4, 16, 4)]
    for epoch in range(4):
        for x in torch.randn(6, 16, 4):
            opt.zero_grad()
            mse_loss(head(body(x)), x).backward()
            opt.step()
            record(everything)
        if judge.mark(body, held_out) > 0.8:
            opt.param_groups[0]["lr"] *= 0.7


if __name__ == "__main__":
    train(lambda parameters: None)
