# Point-cloud classification with mixed precision; everything is driven by the CONFIG dict.
import torch
import torch.nn as nn

CONFIG = {
    "model": {"classes": 4, "width": 24},
    "data": {"clouds": 40, "points": 32, "batch": 5},
    "amp": {"enabled": True, "dtype": "bfloat16", "scaler": {"init_scale": 4096.0, "growth_interval": 50}},
    "optim": {"lr": 4e-3, "weight_decay": 0.01},
    "max_epochs": 2,
    "accumulate": 2,
}


class TinyPointNet(nn.Module):
    def __init__(self, classes, width):
        super().__init__()
        self.per_point = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width))
        self.cls = nn.Linear(width, classes)

    def forward(self, pts):
        return self.cls(self.per_point(pts).amax(dim=1))


def make_clouds(clouds, points, batch):
    kind = torch.arange(clouds) % 4
    xyz = torch.randn(clouds, points, 3)
    xyz[..., 0] *= (1 + kind)[:, None]
    for sel in torch.randperm(clouds).split(batch):
        yield xyz[sel], kind[sel]


def main(cfg):
    torch.manual_seed(4)
    net = TinyPointNet(**cfg["model"])
    opt = torch.optim.AdamW(net.parameters(), **cfg["optim"])
    amp_dtype = getattr(torch, cfg["amp"]["dtype"])
    grad_scaler = torch.amp.GradScaler("cpu", enabled=cfg["amp"]["enabled"], **cfg["amp"]["scaler"])
    net.train()
    for epoch in range(cfg["max_epochs"]):
        correct = count = 0
        for n, (pts, kind) in enumerate(make_clouds(**cfg["data"])):
            with torch.autocast("cpu", dtype=amp_dtype, enabled=cfg["amp"]["enabled"]):
                scores = net(pts)
                loss = nn.functional.cross_entropy(scores, kind)
            opt.zero_grad()
            grad_scaler.scale(loss / cfg["accumulate"]).backward()
            if n % cfg["accumulate"] == cfg["accumulate"] - 1:
                grad_scaler.unscale_(opt)
                nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
                grad_scaler.step(opt)
                grad_scaler.update()
            correct += int((scores.argmax(-1) == kind).sum())
            count += kind.numel()
        print(f"epoch {epoch} acc {correct / count:.3f} scale {grad_scaler.get_scale()}")


main(CONFIG)
