import torch
from torch import nn


class ActNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(width))
        self.log_scale = nn.Parameter(torch.zeros(width))

    @torch.no_grad()
    def fit(self, x):
        self.shift.copy_(-x.mean(0))
        self.log_scale.copy_(-x.std(0).log())

    def forward(self, x):
        return (x + self.shift) * self.log_scale.exp()


class Flow(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.norm = ActNorm(width)
        self.turn = nn.Linear(width, width, bias=False)
        nn.init.orthogonal_(self.turn.weight)

    def nll(self, x):
        z = self.turn(self.norm(x))
        volume = self.norm.log_scale.sum() + torch.linalg.slogdet(self.turn.weight)[1]
        return 0.5 * z.pow(2).sum(1).mean() - volume


def train(record):
    torch.manual_seed(611)
    accum, rounds = 4, 2
    stream = (torch.randn(rounds * 12 + 1, 16, 4) @ torch.randn(4, 4)) + 3.0
    flow = Flow()
    optimizer = torch.optim.Adam(flow.parameters(), lr=0.02)
    optimizer.zero_grad()
    history = []
    for i, x in enumerate(stream):
        if i == 0:
            flow.norm.fit(x)
            continue
        loss = flow.nll(x)
        (loss / accum).backward()
        history.append(loss.item())
        if i % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
            record(list(flow.parameters()))
        if i % 12 == 0:
            print(f"round {i // 12}: {sum(history) / len(history):.3f}")
            history.clear()


if __name__ == "__main__":
    train(lambda parameters: None)
