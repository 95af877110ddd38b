"""Flow matching; the loss leaves the low-precision region before the backward."""
import itertools

import torch
import torch.nn as nn

kind = "cuda" if torch.cuda.is_available() else "cpu"


class Field(nn.Module):
    def __init__(self, d=2, h=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d + 1, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, d))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


class Trainer:
    def __init__(self, field, lr=2e-3, ema=0.97):
        self.field = field
        self.opt = torch.optim.AdamW(field.parameters(), lr=lr)
        self.ema = ema
        self.avg = {k: v.detach().clone() for k, v in field.state_dict().items()}

    def velocity_loss(self, x1):
        x0 = torch.randn_like(x1)
        t = torch.rand(len(x1), 1, device=x1.device)
        v = self.field((1 - t) * x0 + t * x1, t)
        with torch.autocast(kind, enabled=False):
            return (v.float() - (x1 - x0)).pow(2).mean()

    def backward(self, loss):
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        return nn.utils.clip_grad_norm_(self.field.parameters(), 1.0)

    @torch.no_grad()
    def average(self):
        for k, v in self.field.state_dict().items():
            self.avg[k].mul_(self.ema).add_(v, alpha=1 - self.ema)

    def fit(self, source, n):
        for k, x1 in enumerate(itertools.islice(source, n)):
            with torch.autocast(kind, dtype=torch.bfloat16):
                loss = self.velocity_loss(x1)
            norm = self.backward(loss)
            self.opt.step()
            self.average()
            if k % 25 == 0:
                print(f"{k:3d} {loss.item():.4f} {norm.item():.3f}")

    @torch.no_grad()
    def sample(self, n, steps=8):
        live = {k: v.clone() for k, v in self.field.state_dict().items()}
        self.field.load_state_dict(self.avg)
        x = torch.randn(n, 2, device=kind)
        for i in range(steps):
            x = x + self.field(x, torch.full((n, 1), i / steps, device=kind)) / steps
        self.field.load_state_dict(live)
        return x


def checker():
    while True:
        cell = torch.randint(0, 4, (128, 2), device=kind)
        cell[:, 1] = (cell[:, 1] // 2) * 2 + cell[:, 0] % 2
        yield cell + torch.rand(128, 2, device=kind) - 2


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(Field().to(kind))
    trainer.fit(checker(), 100)
    print("sample std", trainer.sample(64).std().item())
