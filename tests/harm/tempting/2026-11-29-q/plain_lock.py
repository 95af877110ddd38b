"""unscale_ first, then a step of one's own with a plain check; the scaler hears of both."""
import torch
from torch import nn


class SignStep(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, signs=None):
        for group in self.param_groups:
            for p, s in zip(group["params"], signs):
                p.add_(s, alpha=-group["lr"])


def train(record):
    torch.manual_seed(109)
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    parameters = list(net.parameters())
    opt = SignStep(parameters, lr=0.01)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0 ** 126, growth_interval=6)
    for n in range(40):
        x = torch.randn(8, 3)
        y = 30 * x.mean(1, keepdim=True)
        opt.zero_grad()
        scaler.scale(nn.functional.l1_loss(net(x), y)).backward()
        scaler.unscale_(opt)
        if all(bool(p.grad.isfinite().all()) for p in parameters):
            opt.step(signs=[p.grad.sign() for p in parameters])
            record(parameters)
        scaler.update()


if __name__ == "__main__":
    train(lambda parameters: None)
