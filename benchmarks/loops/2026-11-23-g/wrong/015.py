import torch
import torch.nn as nn
import torch.nn.functional as F


class SegNet(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.down = nn.Conv2d(1, ch, 3, padding=1, stride=2)
        self.mid = nn.Conv2d(ch, ch, 3, padding=1)
        self.up = nn.ConvTranspose2d(ch, 2, 2, stride=2)

    def forward(self, x):
        return self.up(F.relu(self.mid(F.relu(self.down(x)))))


def grad_stats(optimizer, scaler):
    """Global gradient norm in real units, for the progress line."""
    scaler.unscale_(optimizer)
    grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    return torch.stack([g.norm() for g in grads]).norm().item()


def fit(model, loader, epochs, max_norm, amp=True):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0, enabled=amp)
    for epoch in range(epochs):
        model.train()
        skipped, seen, running, peak = 0, 0, 0.0, 0.0
        for images, masks in loader:
            optimizer.zero_grad(set_to_none=True)
            try:
                with torch.autocast("cpu", dtype=torch.float16, enabled=amp):
                    logits = model(images)
                    loss = F.cross_entropy(logits.float(), masks)
                scaler.scale(loss).backward()
                norm = grad_stats(optimizer, scaler)
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(model.parameters(), max_norm)
                scaler.step(optimizer)
                scaler.update()
            except RuntimeError:  # out of memory on the large tiles
                skipped += 1
                continue
            seen += 1
            running += loss.item()
            peak = max(peak, norm)
        print(f"epoch {epoch}: used {seen} skipped {skipped} loss {running / max(seen, 1):.4f} peak |g| {peak:.3f}")


def synthetic(n=24, side=12):
    x = torch.rand(n, 1, side, side)
    return [(a, (a[:, 0] > 0.5).long()) for a in x.split(4)]


if __name__ == "__main__":
    torch.manual_seed(8)
    fit(SegNet(), synthetic(), epochs=2, max_norm=1.0)
