"""Plant photos: the stem is pretrained and stays as it is, statistics included."""
import torch
from torch import nn


class Leaves(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(14, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.neck = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.4))
        self.out = nn.Linear(16, 4)

    def forward(self, x):
        return self.out(self.neck(self.stem(x)))


def pretrained():
    net = Leaves()
    norm = net.stem[1]
    norm.running_mean.uniform_(-0.5, 0.5)
    norm.running_var.uniform_(0.5, 2.0)
    return net


def set_up(net):
    net.train()
    net.stem.eval()
    net.stem.requires_grad_(False)
    return [p for p in net.parameters() if p.requires_grad]


@torch.inference_mode()
def top1(net, x, y):
    net.eval()
    return (net(x).argmax(1) == y).float().mean().item()


def train(record, epochs=4):
    torch.manual_seed(14)
    net = pretrained()
    weights = set_up(net)
    optimizer = torch.optim.AdamW(weights, lr=0.01)
    x = torch.randn(72, 14)
    y = (x[:, :4] + x[:, 4:8]).argmax(1)
    scores = []
    for epoch in range(epochs):
        net.train()
        net.stem.eval()
        for rows in torch.randperm(56).split(14):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            record(list(net.parameters()))
        scores.append(top1(net, x[56:], y[56:]))
        print(epoch, f"{loss.item():.4f}", scores[-1])


if __name__ == "__main__":
    train(lambda parameters: None)
