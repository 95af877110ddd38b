import json
import math
from types import SimpleNamespace

import torch
from torch.utils.data import DataLoader, TensorDataset

from rec.callbacks import ClipGradients, HitRate, Warmdown
from rec.loop import Loop
from rec.model import Factorizer, bpr


def interactions(s):
    taste, kind = torch.randn(s.users, 4), torch.randn(s.items, 4)
    user = torch.randint(s.users, (s.interactions,))
    pos = torch.distributions.Categorical(logits=2 * taste[user] @ kind.T).sample()
    neg = torch.randint(s.items, (s.interactions,))
    return user, pos, neg


def main():
    with open("settings.json") as f:
        s = SimpleNamespace(**json.load(f))
    torch.manual_seed(s.seed)
    user, pos, neg = interactions(s)
    held = slice(0, 300)
    loader = DataLoader(TensorDataset(user[300:], pos[300:], neg[300:]), batch_size=s.batch_size, shuffle=True)

    model = Factorizer(s.users, s.items, s.dim, s.dropout)
    optimizer = torch.optim.SGD(model.parameters(), lr=s.lr, momentum=0.9)
    updates = s.epochs * math.ceil(len(loader) / s.accumulate)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=updates)
    callbacks = [ClipGradients(s.max_norm), Warmdown(schedule), HitRate((user[held], pos[held]))]
    Loop(model, optimizer, bpr, s.accumulate, callbacks).run(loader, s.epochs)


if __name__ == "__main__":
    main()
