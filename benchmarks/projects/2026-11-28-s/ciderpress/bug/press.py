from losses import blend


def flush(optimizer, scaler):
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()


def run_epoch(cfg, model, loader, optimizer, context, scaler):
    model.train()
    seen = 0.0
    for i, (must, sugar) in enumerate(loader):
        with context():
            loss = blend(cfg, model(must).float(), sugar)
        scaler.scale(loss).backward()
        seen += loss.item()
        if (i + 1) % cfg.optim.accum == 0:
            flush(optimizer, scaler)
    return seen / len(loader)
