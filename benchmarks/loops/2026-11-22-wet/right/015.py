import torch
import torch.nn as nn

import datasets
import networks


def build(name, **kwargs):
    return getattr(networks, name)(**kwargs)


def train(cfg):
    model = build(cfg.arch, width=cfg.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=cfg.gamma)
    criterion = nn.TripletMarginWithDistanceLoss(margin=cfg.margin)
    history = []

    for epoch in range(cfg.epochs):
        if epoch > 0:
            scheduler.step()
        model.train()
        running, count = 0.0, 0
        for anchor, positive, negative in datasets.triplets(cfg.root, seed=epoch):
            optimizer.zero_grad()
            loss = criterion(model(anchor), model(positive), model(negative))
            loss.backward()
            optimizer.step()
            running += float(loss) * len(anchor)
            count += len(anchor)
        history.append(running / count)
        print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.2e} loss {history[-1]:.4f}")
    return model, history
