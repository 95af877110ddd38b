"""Half-precision working weights beside float32 masters, as one did it before amp."""
import torch
from torch import nn


def make_masters(net):
    return [p.detach().clone().float().requires_grad_() for p in net.parameters()]


def pull(net, masters, scale):
    finite = True
    for p, m in zip(net.parameters(), masters):
        m.grad = p.grad.float() / scale
        finite = finite and bool(torch.isfinite(m.grad).all())
    return finite


@torch.no_grad()
def push(net, masters):
    for p, m in zip(net.parameters(), masters):
        p.copy_(m)


def train(record):
    torch.manual_seed(17)
    net = nn.Linear(6, 2).to(torch.bfloat16)
    masters = make_masters(net)
    master_opt = torch.optim.SGD(masters, lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10)
    skipped = 0
    for step in range(30):
        x = torch.randn(8, 6)
        y = x[:, :2] - x[:, 2:4]
        net.zero_grad()
        loss = nn.functional.mse_loss(net(x.to(torch.bfloat16)).float(), y)
        scaler.scale(loss).backward()
        scale = scaler.get_scale()
        if pull(net, masters, scale):
            master_opt.step()
            record(masters)
            push(net, masters)
            scaler.update(scale * 2 if step % 10 == 9 else scale)
        else:
            skipped += 1
            scaler.update(scale / 2)
    return skipped


if __name__ == "__main__":
    train(lambda parameters: None)
