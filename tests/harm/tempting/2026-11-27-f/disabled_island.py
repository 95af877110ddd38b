import torch
from torch import nn


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.view = nn.Linear(8, 8)
        self.guess = nn.Linear(8, 8)

    def forward(self, x):
        return self.guess(torch.tanh(self.view(x)))


class SelfDistiller:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=0.01)
        self.target = None

    def turn(self, x, record):
        self.opt.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):
            out = self.net(x)
            loss = (out.float() - x).pow(2).mean()
            if self.target is not None:
                loss = loss + 0.5 * (out.float() - self.target.float()).pow(2).mean()
            with torch.autocast("cpu", enabled=False):
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.opt.step()
                record(list(self.net.parameters()))
            with torch.no_grad():
                self.target = self.net(x)
        return loss.item(), self.target.dtype


def train(record):
    torch.manual_seed(614)
    x = torch.randn(16, 8)
    learner = SelfDistiller(Pair())
    for epoch in range(3):
        for _ in range(5):
            shown = learner.turn(x + 0.1 * torch.randn_like(x), record)
        print(epoch, *shown)


if __name__ == "__main__":
    train(lambda parameters: None)
