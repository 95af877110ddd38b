import torch
from torch import nn
from torch.cuda import is_available as has_gpu


def build(n_users=30, n_items=50, k=8):
    class MF(nn.Module):
        def __init__(self):
            super().__init__()
            self.u, self.v = nn.Embedding(n_users, k), nn.Embedding(n_items, k)
            self.b = nn.Embedding(n_items, 1)

        def forward(self, user, item):
            return (self.u(user) * self.v(item)).sum(1) + self.b(item).squeeze(1)

    return MF()


def ratings(n=400):
    g = torch.Generator().manual_seed(5)
    return (
        torch.randint(0, 30, (n,), generator=g),
        torch.randint(0, 50, (n,), generator=g),
        torch.rand(n, generator=g) * 4 + 1,
    )


def train(model, data, device, epochs=3, bs=50):
    model.to(device).train()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cuda", enabled=device == "cuda")
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    users, items, stars = (t.to(device) for t in data)
    for epoch in range(epochs):
        perm = torch.randperm(len(users), device=device)
        sse = 0.0
        for lo in range(0, len(perm), bs):
            sel = perm[lo:lo + bs]
            with torch.autocast(device_type=device, dtype=torch.float16, enabled=device == "cuda"):
                err = model(users[sel], items[sel]) - stars[sel]
                loss = err.pow(2).mean()
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            sse += loss.item() * len(sel)
        scaler.update()
        decay.step()
        print(f"epoch {epoch} rmse {(sse / len(perm)) ** 0.5:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    train(build(), ratings(), "cuda" if has_gpu() else "cpu")
