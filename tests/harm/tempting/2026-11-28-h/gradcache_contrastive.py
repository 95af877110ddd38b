"""Contrastive learning with a large batch in small memory: gradients of the embeddings are cached."""
import torch
from torch import nn
from torch.nn import functional as F

BATCH, CHUNK = 32, 8


def info_nce(a, b, temperature=0.2):
    logits = F.normalize(a, dim=1) @ F.normalize(b, dim=1).T / temperature
    return F.cross_entropy(logits, torch.arange(len(a)))


def embed(net, x):
    with torch.no_grad():
        parts = [net(chunk) for chunk in x.split(CHUNK)]
    return torch.cat(parts).requires_grad_()


def train(record):
    torch.manual_seed(17)
    net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 6))
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    for _ in range(12):
        x = torch.randn(BATCH, 10)
        views = [x + 0.1 * torch.randn_like(x), x + 0.1 * torch.randn_like(x)]
        reps = [embed(net, view) for view in views]
        scaler.scale(info_nce(*reps)).backward()

        for view, rep in zip(views, reps):
            for chunk, cached in zip(view.split(CHUNK), rep.grad.split(CHUNK)):
                surrogate = torch.dot(net(chunk).flatten(), cached.flatten())
                surrogate.backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        record(list(net.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
