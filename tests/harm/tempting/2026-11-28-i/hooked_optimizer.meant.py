"""Everything around an update hangs on hooks of the optimizer, the loop only runs backward and step."""
import torch
from torch import nn


class Ema:
    def __init__(self, net, decay=0.8):
        self.net, self.decay = net, decay
        self.shadow = [p.detach().clone() for p in net.parameters()]

    def __call__(self, optimizer, args, kwargs):
        for s, p in zip(self.shadow, self.net.parameters()):
            s.lerp_(p.detach(), 1 - self.decay)


def limit(optimizer, args, kwargs):
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], group["max_norm"])


def clear(optimizer, args, kwargs):
    optimizer.zero_grad(set_to_none=False)


def equip(optimizer, net, record):
    ema = Ema(net)
    optimizer.register_step_pre_hook(limit)
    optimizer.register_step_post_hook(clear)
    optimizer.register_step_post_hook(ema)
    optimizer.register_step_post_hook(lambda *_: record(list(net.parameters())))
    return ema


def train(record):
    torch.manual_seed(15)
    net = nn.Sequential(nn.Linear(4, 10), nn.ELU(), nn.Linear(10, 4))
    optimizer = torch.optim.AdamW([{"params": net.parameters(), "max_norm": 1.0}], lr=1e-2, weight_decay=0.1)
    ema = equip(optimizer, net, record)
    for _ in range(20):
        x = torch.randn(16, 4)
        noisy = x + 0.3 * torch.randn_like(x)
        nn.functional.mse_loss(net(noisy), x).backward()
        optimizer.step()
    print(sum(s.norm().item() for s in ema.shadow))


if __name__ == "__main__":
    train(lambda parameters: None)
