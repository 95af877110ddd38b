import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Masked(nn.Module):
    def __init__(self, d=10, h=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * d, h), nn.GELU(), nn.Linear(h, d))

    def forward(self, x, m):
        return self.net(torch.cat([x * m, m], 1))


def grad_norm(params):
    return torch.stack([p.grad.norm() for p in params if p.grad is not None]).norm()


def main(accum=2, epochs=2, warm=6):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    basis = torch.randn(3, 10)
    data = torch.randn(180, 3) @ basis
    loader = DataLoader(TensorDataset(data), batch_size=12, shuffle=True)
    model = Masked().to(device)
    params = list(model.parameters())
    optimizer = torch.optim.AdamW(params, lr=3e-3)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 0.2, 1.0, total_iters=warm)
    scaler = torch.amp.GradScaler(device, init_scale=2.0 ** 14)

    updates = 0
    for epoch in range(epochs):
        model.train()
        for i, (x,) in enumerate(loader):
            x = x.to(device)
            m = (torch.rand_like(x) < 0.7).float()
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.mse_loss(model(x, m), x)
            scaler.scale(loss / accum).backward()

            if (i + 1) % accum and i + 1 < len(loader):
                continue
            if updates < warm:
                scaler.unscale_(optimizer)
                norm = nn.utils.clip_grad_norm_(params, 1.0)
            else:
                scaler.unscale_(optimizer)
                norm = grad_norm(params)
            scaler.step(optimizer)
            before = scaler.get_scale()
            scaler.update()
            if scaler.get_scale() >= before:
                scheduler.step()
            optimizer.zero_grad(set_to_none=True)
            updates += 1
        print(f"epoch {epoch} loss {loss.item():.3f} norm {norm.item():.3f} lr {scheduler.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
