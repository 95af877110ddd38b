import math

import torch
import torch.nn as nn

torch.manual_seed(48)
N_BATCH, N_ACC, N_EPOCH = 10, 4, 2
inputs = torch.randn(N_BATCH, 16, 4)
labels = (inputs[..., 0] > inputs[..., 1]).long()


def train(record):
    torch.manual_seed(49)
    clf = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 2))
    opt = torch.optim.SGD(clf.parameters(), lr=0.4, momentum=0.6)
    updates = N_EPOCH * math.ceil(N_BATCH / N_ACC)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=updates)
    for epoch in range(N_EPOCH):
        clf.zero_grad()
        left = 0
        for x, y in zip(inputs, labels):
            loss = nn.functional.cross_entropy(clf(x), y)
            loss.mul(1 / N_ACC).backward()
            left += 1
            if left == N_ACC:
                opt.step()
                record(list(clf.parameters()))
                sched.step()
                clf.zero_grad()
                left = 0
        if left > 0:
            opt.step()
            record(list(clf.parameters()))
            sched.step()
            clf.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
