import torch
from torch import nn

from simclr.limits import guarded_backward


def finetune(encoder, head, batches, rounds, per_update, max_norm=0.3):
    net = nn.Sequential(encoder, head)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    net.train()
    for r in range(rounds):
        optimizer.zero_grad()
        hits = count = 0
        for i, (x, y) in enumerate(batches, 1):
            out = net(x)
            guarded_backward(criterion(out, y) / per_update, net.parameters(), max_norm)
            hits += (out.argmax(1) == y).sum().item()
            count += len(y)
            if i % per_update == 0 or i == len(batches):
                optimizer.step()
                optimizer.zero_grad()
        print(f"finetune {r}: {hits / count:.3f}")
