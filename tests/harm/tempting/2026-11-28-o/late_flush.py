"""An update is made as the next window opens, and once more when all is read."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def update(net, opt, record):
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    record(list(net.parameters()))
    opt.zero_grad()


def epoch(net, opt, loader, every, record):
    criterion = nn.BCEWithLogitsLoss()
    for at, (x, y) in enumerate(loader):
        if at > 0 and at % every == 0:
            update(net, opt, record)
        loss = criterion(net(x).squeeze(1), y)
        (loss / every).backward()
    # the window that the end of the data has closed
    update(net, opt, record)


def train(record, every=3):
    torch.manual_seed(30)
    x = torch.randn(132, 7)
    y = (x[:, 0] + x[:, 1] * x[:, 2] > 0).float()
    data = DataLoader(TensorDataset(x, y), batch_size=11, shuffle=True)
    net = nn.Sequential(nn.Linear(7, 14), nn.LeakyReLU(), nn.Linear(14, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9, nesterov=True)
    for _ in range(5):
        epoch(net, opt, data, every, record)


if __name__ == "__main__":
    train(lambda parameters: None)
