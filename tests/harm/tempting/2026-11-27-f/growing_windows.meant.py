import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOWS = (2, 3, 6)


def one_epoch(net, opt, loader, accum, record):
    opt.zero_grad()
    right = 0
    for i, (x, y) in enumerate(loader):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
        (loss / accum).backward()
        right += (logits.argmax(1) == y).sum().item()
        if (i + 1) % accum == 0 or (i + 1) == len(loader):
            opt.step()
            opt.zero_grad()
            record(list(net.parameters()))
    return right


def train(record):
    torch.manual_seed(659)
    x = torch.randn(72, 6)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=6, shuffle=True)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    for epoch, accum in enumerate(WINDOWS):
        print(epoch, accum, one_epoch(net, opt, loader, accum, record) / len(x))


if __name__ == "__main__":
    train(lambda parameters: None)
