import torch
from torch import nn


class Late(nn.Module):
    def __init__(self, branches):
        super().__init__()
        self.branches = nn.ModuleList(nn.Linear(12, 2) for _ in range(branches))

    def forward(self, features, which):
        return self.branches[which](features)


def train(record):
    torch.manual_seed(615)
    x = torch.randn(60, 9)
    labels = torch.stack([(x[:, k] > x[:, k + 1]).long() for k in range(3)], dim=1)
    early = nn.Sequential(nn.Linear(9, 12), nn.Tanh())
    late = Late(3)
    everything = [*early.parameters(), *late.parameters()]
    optimizer = torch.optim.SGD(everything, lr=0.4)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**11, growth_interval=6)
    for epoch in range(3):
        order = torch.randperm(len(x))
        sums = [0.0] * 3
        for rows in order.split(12):
            optimizer.zero_grad()
            features = early(x[rows])
            cut = features.detach().requires_grad_()
            for which in range(3):
                loss = nn.functional.cross_entropy(late(cut, which), labels[rows, which])
                scaler.scale(loss).backward()
                sums[which] += loss.item()
            features.backward(cut.grad)
            scaler.step(optimizer)
            scaler.update()
            record(everything)
        print(epoch, [round(s / 5, 3) for s in sums])


if __name__ == "__main__":
    train(lambda parameters: None)
