import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_
from tqdm import tqdm


def bpr_loss(pos, neg):
    return -F.logsigmoid(pos - neg).mean()


def train_epoch(model, optimizer, loader, device, max_norm=5.0, desc="train"):
    model.train()
    meter = {"loss": 0.0, "n": 0}

    def update(loss):
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        clip_grad_norm_(model.parameters(), max_norm)
        meter["loss"] += loss.item()
        meter["n"] += 1

    bar = tqdm(loader, desc=desc, leave=False)
    for history, positive, negative in bar:
        history = history.to(device, non_blocking=True)
        state = model(history)
        pos = (state * model.items(positive.to(device))).sum(-1)
        neg = (state * model.items(negative.to(device))).sum(-1)
        update(bpr_loss(pos, neg))
        bar.set_postfix(loss=meter["loss"] / meter["n"])
    return meter["loss"] / max(meter["n"], 1)


def fit(model, loader, epochs, lr=1e-3, device="cuda"):
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, weight_decay=1e-6)
    for epoch in range(epochs):
        loss = train_epoch(model, optimizer, loader, device, desc=f"epoch {epoch}")
        print(f"[{epoch:03d}] bpr {loss:.4f}")
