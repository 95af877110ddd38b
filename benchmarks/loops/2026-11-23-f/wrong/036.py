import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


def warmup_decay(total, warm):
    def fn(i):
        if i < warm:
            return (i + 1) / warm
        return max(0.0, (total - i) / (total - warm))
    return fn


def main(total=40):
    net = nn.Sequential(nn.Embedding(12, 8), nn.Flatten(), nn.Linear(32, 12))
    optim = torch.optim.AdamW(net.parameters(), lr=5e-3)
    sched = LambdaLR(optim, warmup_decay(total, 5))
    for i in range(total):
        ids = torch.randint(0, 12, (16, 4))
        loss = F.cross_entropy(net(ids), ids.sum(1) % 12)
        loss.backward()
        sched.step()
        optim.step()
        optim.zero_grad()
        if i % 10 == 0:
            print(i, loss.item(), sched.get_last_lr()[0])


if __name__ == "__main__":
    main()
