"""Depth and normals from one encoder; each task frees its graph before the next."""
import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 1, 1), nn.ReLU())
        self.tasks = nn.ModuleDict({"depth": nn.Conv2d(8, 1, 1), "normal": nn.Conv2d(8, 3, 1), "edge": nn.Conv2d(8, 1, 1)})

    def forward(self, x, task):
        return self.tasks[task](self.c(x))


WEIGHTS = {"depth": 1.0, "normal": 0.5, "edge": 0.25}


def cost(task, out, want):
    if task == "normal":
        return (1 - nn.functional.cosine_similarity(out, want, dim=1)).mean()
    if task == "edge":
        return nn.functional.binary_cross_entropy_with_logits(out, want)
    return (out - want).abs().mean()


def scenes(n, bs=6):
    for _ in range(n):
        x = torch.rand(bs, 3, 8, 8)
        d = x.mean(1, keepdim=True)
        yield x, {"depth": d, "normal": x - 0.5, "edge": (d > 0.5).float()}


def main():
    torch.manual_seed(23)
    net = Encoder()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 1e-2, total_steps=30)
    for epoch in range(3):
        seen = dict.fromkeys(WEIGHTS, 0.0)
        for x, want in scenes(10):
            opt.zero_grad()
            for task, w in WEIGHTS.items():
                loss = w * cost(task, net(x, task), want[task])
                loss.backward()
                seen[task] += loss.item() / 10
            opt.step()
            sched.step()
        print(epoch, {k: round(v, 4) for k, v in seen.items()})


if __name__ == "__main__":
    main()
