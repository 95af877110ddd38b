import argparse

import torch
import torch.nn.functional as F
from torch import nn

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


class GatedCNN(nn.Module):
    def __init__(self, c=12, classes=4):
        super().__init__()
        self.inp = nn.Conv1d(2, c, 1)
        self.gates = nn.ModuleList(nn.Conv1d(c, 2 * c, 3, padding=1) for _ in range(2))
        self.fc = nn.Linear(c, classes)

    def forward(self, x):
        h = self.inp(x)
        for g in self.gates:
            h = h + F.glu(g(h), dim=1)
        return self.fc(h.mean(-1))


def waves(n, device):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 6.28, 24)
    ph = (y.float() + 1)[:, None] * t + torch.rand(n, 1)
    return torch.stack([ph.sin(), ph.cos()], 1).to(device), y.to(device)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--precision", choices=DTYPES, default="bf16")
    ap.add_argument("--steps", type=int, default=30)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    amp_dtype = DTYPES[args.precision]
    model = GatedCNN().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(device, enabled=amp_dtype is torch.float16)

    for step in range(args.steps):
        x, y = waves(16, device)
        with torch.autocast(device, dtype=amp_dtype, enabled=amp_dtype is not torch.float32):
            loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 0:
            print(f"{step:3d} {loss.item():.3f}")


if __name__ == "__main__":
    main()
