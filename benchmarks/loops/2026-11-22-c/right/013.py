from types import SimpleNamespace

import torch
import torch.nn.functional as F


def update_scale(state):
    state.scaler.update()


def advance_rate(state):
    state.scheduler.step()


def report(state):
    if state.iteration % 100 == 0:
        print(f"{state.iteration} loss {state.loss:.4f} scale {state.scaler.get_scale():.0f}")


def iterate(state, batch):
    x, y = batch
    with torch.autocast("cuda", dtype=torch.float16):
        loss = F.cross_entropy(state.model(x.cuda()), y.cuda())
    state.optimizer.zero_grad(set_to_none=True)
    state.scaler.scale(loss).backward()
    state.scaler.step(state.optimizer)
    state.loss = loss.item()


def train(model, loader, epochs=10, callbacks=(update_scale, advance_rate, report)):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    total = epochs * len(loader)
    state = SimpleNamespace(
        model=model.cuda(),
        optimizer=optimizer,
        scaler=torch.amp.GradScaler("cuda"),
        scheduler=torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=total),
        iteration=0,
        loss=float("nan"),
    )
    model.train()
    for _ in range(epochs):
        for batch in loader:
            iterate(state, batch)
            for callback in callbacks:
                callback(state)
            state.iteration += 1
    return state
