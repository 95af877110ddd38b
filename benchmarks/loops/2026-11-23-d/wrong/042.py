import torch
from torch import nn


def gradient_norm(scaler, optimizer, params):
    scaler.unscale_(optimizer)
    return torch.stack([p.grad.norm() for p in params]).norm().item()


def train(steps=20, log_every=5):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    params = list(model.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-3)
    scaler = torch.amp.GradScaler(device)
    for step in range(1, steps + 1):
        x = torch.randn(10, 8, device=device)
        y = (x[:, 0] > 0).long()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        if step % log_every == 0:
            print(step, loss.item(), gradient_norm(scaler, optimizer, params))
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(params, 1.0)
        scaler.step(optimizer)
        scaler.update()


if __name__ == "__main__":
    train()
