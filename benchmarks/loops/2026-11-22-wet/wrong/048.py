import torch
from torch import nn

from weather import ForecastNet, loader_for


def train(cfg):
    model = ForecastNet(cfg.variables, cfg.horizon).to(cfg.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=3)
    best = float("inf")
    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for batch in loader_for(cfg, epoch):
            prediction = model(batch["past"].to(cfg.device))
            error = (prediction - batch["future"].to(cfg.device)).abs()
            loss = error.sum() / error.numel()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), 0.5)
            optimizer.step()
            losses.append(loss)
        mean = torch.stack(losses).mean().item()
        plateau.step(mean)
        print(f"{epoch:3d} {mean:.5f}")
        if mean < best:
            best = mean
            torch.save(model.state_dict(), cfg.checkpoint)
