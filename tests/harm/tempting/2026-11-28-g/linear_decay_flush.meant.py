import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import LinearLR

EPOCHS, ACCUM, BATCHES = 3, 3, 8
UPDATES = EPOCHS * math.ceil(BATCHES / ACCUM)


def siamese_pairs():
    for _ in range(BATCHES):
        a = torch.randn(10, 6)
        same = torch.randint(0, 2, (10,)).float()
        b = torch.where(same[:, None] > 0, a + 0.1 * torch.randn(10, 6), torch.randn(10, 6))
        yield a, b, same * 2 - 1


def train(record):
    torch.manual_seed(84)
    embed = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4))
    opt = torch.optim.SGD(embed.parameters(), lr=0.2)
    decay = LinearLR(opt, start_factor=1.0, end_factor=0.05, total_iters=UPDATES)
    pairs = list(siamese_pairs())
    for epoch in range(EPOCHS):
        pending = 0
        for a, b, sign in pairs:
            loss = F.cosine_embedding_loss(embed(a), embed(b), sign, margin=0.2)
            (loss / ACCUM).backward()
            pending += 1
            if pending == ACCUM:
                opt.step()
                record(list(embed.parameters()))
                opt.zero_grad()
                decay.step()
                pending = 0
        if pending:
            opt.step()
            record(list(embed.parameters()))
            opt.zero_grad()
            decay.step()
        print(epoch, loss.item(), decay.get_last_lr()[0])


if __name__ == "__main__":
    train(lambda parameters: None)
