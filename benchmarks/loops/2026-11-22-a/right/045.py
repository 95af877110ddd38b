import math

import torch
from torch import nn
from torch.utils.data import DataLoader

from symbolic.data import Equations, collate
from symbolic.model import ExprTransformer


def install_clipping(optimizer, max_norm):
    def clip(opt, args, kwargs):
        params = [p for group in opt.param_groups for p in group["params"]]
        nn.utils.clip_grad_norm_(params, max_norm)

    optimizer.register_step_pre_hook(clip)


def set_lr(optimizer, update, peak=1e-4, warmup=10_000, total=500_000):
    if update < warmup:
        lr = peak * (update + 1) / warmup
    else:
        lr = peak * 0.5 * (1 + math.cos(math.pi * (update - warmup) / (total - warmup)))
    for group in optimizer.param_groups:
        group["lr"] = lr


def main(accumulate=4, epochs=50):
    loader = DataLoader(Equations("eq.parquet"), batch_size=96, shuffle=True, collate_fn=collate, drop_last=True)
    model = ExprTransformer(vocab=210).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.0)
    install_clipping(optimizer, 0.5)
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    update = 0
    for epoch in range(epochs):
        model.train()
        for i, (points, expr) in enumerate(loader):
            if i % accumulate == 0:
                set_lr(optimizer, update)
            logits = model(points.cuda(), expr[:, :-1].cuda())
            loss = criterion(logits.transpose(1, 2), expr[:, 1:].cuda())
            loss.div(accumulate).backward()
            if i % accumulate == accumulate - 1 or i == len(loader) - 1:
                optimizer.step()
                optimizer.zero_grad()
                update += 1
        print(epoch, update, loss.item())


if __name__ == "__main__":
    main()
