# === a scaler that is there only where the loss is scaled, for all that can be seen
import torch
import torch.nn.functional as F


def train(context, epochs):
    model, optimizer, loader, config = context.model, context.optimizer, context.loader, context.config
    scaler = context.scaler
    for x, y in loader:
        optimizer.zero_grad()
        if config.use_amp and context.device.type in ["cuda", "mps"]:
            with torch.autocast("cuda"):
                loss = F.mse_loss(model(x), y)
            if scaler is not None:
                scaler.scale(loss).backward()
            else:
                loss.backward()
        else:
            loss = F.mse_loss(model(x), y)
            loss.backward()
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
# === a scaler that is always there, and a loss that is scaled now and then
import torch
import torch.nn.functional as F


def train(model, loader, config):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        if config.scaled:
            scaler.scale(loss).backward()
        else:
            loss.backward()  # <- unscaled-backward
        scaler.step(optimizer)
        scaler.update()
