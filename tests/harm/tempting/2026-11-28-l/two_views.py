"""Every sample is seen plain and mirrored; the two passes are kept apart to save memory."""
import torch
from torch import nn
from torch.nn import functional as F

WINDOW = 4


def mirrored(x):
    return x.flip(-1)


def micro(net, view, y, share):
    loss = F.cross_entropy(net(view), y)
    (loss * share).backward()
    return loss.item()


def train(record):
    torch.manual_seed(19)
    net = nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(32, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.3, nesterov=True, momentum=0.5)
    data = [(x, x.squeeze(1).amax(1).mul(0.8).long().clamp(0, 2)) for x in torch.randn(24, 6, 1, 8)]
    log = []
    for epoch in range(2):
        for i, (x, y) in enumerate(data):
            log.append(micro(net, x, y, 1 / 8))
            log.append(micro(net, mirrored(x), y, 1 / 8))
            if i % WINDOW == WINDOW - 1:
                opt.step()
                record(list(net.parameters()))
                opt.zero_grad(set_to_none=True)


if __name__ == "__main__":
    train(lambda parameters: None)
