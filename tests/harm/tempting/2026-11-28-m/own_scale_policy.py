"""Loss scaling whose policy is written out: the scaler only holds the number."""
import torch
from torch import nn


class Policy:
    """Halve on overflow, raise by a tenth after every clean update, stay within bounds."""

    def __init__(self, start=1024.0):
        self.scaler = torch.amp.GradScaler("cpu", init_scale=start)

    @torch.no_grad()
    def bring_down(self, params):
        scale = self.scaler.get_scale()
        for p in params:
            p.grad.div_(scale)
        return all(bool(p.grad.isfinite().all()) for p in params)

    def settle(self, clean):
        scale = self.scaler.get_scale() * (1.1 if clean else 0.5)
        self.scaler.update(min(max(scale, 1.0), 65536.0))


def train(record):
    torch.manual_seed(37)
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    params = list(net.parameters())
    opt = torch.optim.SGD(params, lr=0.1)
    policy = Policy()
    for _ in range(15):
        x = torch.randn(8, 4)
        opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(x)
        loss = nn.functional.mse_loss(out.float(), x[:, :1].abs())
        policy.scaler.scale(loss).backward()
        clean = policy.bring_down(params)
        if clean:
            opt.step()
            record(params)
        policy.settle(clean)


if __name__ == "__main__":
    train(lambda parameters: None)
