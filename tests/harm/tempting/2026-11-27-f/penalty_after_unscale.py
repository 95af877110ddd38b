import torch
from torch import nn
from torch.amp import GradScaler


def smoothness(net):
    return sum((w[:, 1:] - w[:, :-1]).pow(2).mean() for w in net.parameters() if w.dim() == 2)


def finish(scaler, optimizer, net, strength, limit):
    scaler.unscale_(optimizer)
    if strength > 0:
        penalty = strength * smoothness(net)
        penalty.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), limit)
    scaler.step(optimizer)
    scaler.update()
    return norm.item()


def train(record):
    torch.manual_seed(616)
    x = torch.randn(64, 10).cumsum(1)
    y = x.mean(1, keepdim=True)
    net = nn.Sequential(nn.Linear(10, 10), nn.Softplus(), nn.Linear(10, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
    scaler = GradScaler("cpu", init_scale=2.0**15)
    for epoch in range(3):
        for inputs, targets in zip(x.split(8), y.split(8)):
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                out = net(inputs)
            loss = nn.functional.huber_loss(out.float(), targets)
            scaler.scale(loss).backward()
            norm = finish(scaler, optimizer, net, strength=0.02, limit=1.0)
            record(list(net.parameters()))
        print(epoch, loss.item(), norm)


if __name__ == "__main__":
    train(lambda parameters: None)
