import torch
from torch import nn


class Conv1dNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 4, 3, padding=1)
        self.norm = nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(torch.relu(self.norm(self.conv(x))).mean(-1))


def saliency(net, batches):
    net.eval()
    maps, hits = [], 0
    for x, y in batches:
        x = x.clone()
        x.requires_grad = True
        out = net(x)
        hits += (out.argmax(1) == y).sum().item()
        out.gather(1, y[:, None]).sum().backward()
        maps.append(x.grad.abs().mean((0, 1)))
    net.zero_grad()
    net.train()
    return hits, torch.stack(maps).mean(0)


def one_epoch(net, opt, batches, weights, record):
    for x, y in batches:
        loss = nn.functional.cross_entropy(net(x * weights), y)
        loss.backward()
        opt.step()
        record(list(net.parameters()))
        opt.zero_grad()


def train(record):
    torch.manual_seed(66)
    net = Conv1dNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    draw = lambda n: [(torch.randn(8, 1, 10), torch.randint(0, 2, (8,))) for _ in range(n)]
    train_set, held_out = draw(5), draw(2)
    weights = torch.ones(10)
    for epoch in range(3):
        one_epoch(net, opt, train_set, weights, record)
        hits, importance = saliency(net, held_out)
        weights = 0.5 + 0.5 * importance / importance.max()
        print(epoch, hits)


if __name__ == "__main__":
    train(lambda parameters: None)
