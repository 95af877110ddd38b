import torch
from torch.nn import functional as F

from common import *
from gates import GateNet, passages


def calibrate(net, optimizer, batches):
    """A rough fit first, batch by batch."""
    for level, seconds in batches:
        optimizer.zero_grad()
        loss = F.l1_loss(net(level), seconds)
        loss.backward()
        limit(net, CAP)
        optimizer.step()
    return loss.item()


def train(net, optimizer, batches):
    optimizer.zero_grad()
    total = 0.0
    for step, (level, seconds) in enumerate(batches, 1):
        loss = F.mse_loss(net(level), seconds)
        (loss / EVERY).backward()
        total += loss.item()
        if due(step) or step == len(batches):
            limit(net, CAP)
            optimizer.step()
            optimizer.zero_grad()
    return total / len(batches)


def main():
    torch.manual_seed(14)
    net, batches = GateNet(), passages()
    first = torch.optim.SGD(net.parameters(), lr=0.01)
    print("calibrated", round(calibrate(net, first, batches[:5]), 4))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(3):
        print(epoch, round(train(net, optimizer, batches), 4))


if __name__ == "__main__":
    main()
