"""The gradients are left scaled; the threshold is scaled with them instead."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d=12, heads=3):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.heads = heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(b, t, d))


class Sorter(nn.Module):
    def __init__(self, d=12, n=6):
        super().__init__()
        self.inp = nn.Linear(1, d)
        self.att = Attention(d)
        self.out = nn.Linear(d, n)

    def forward(self, x):
        h = self.inp(x[..., None])
        return self.out(torch.relu(h + self.att(h)))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Sorter().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)
    max_norm = 0.5

    for step in range(40):
        x = torch.rand(32, 6, device=device)
        rank = x.argsort(1).argsort(1)
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            logits = model(x)
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), rank.flatten())
        scaler.scale(loss).backward()
        scale = scaler.get_scale()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm * scale) / scale
        scaler.step(optimizer)
        scaler.update()
        if step % 10 == 0:
            print(f"{step:3d} loss {loss.item():.3f} norm {norm.item():.3f}")


if __name__ == "__main__":
    main()
