import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

LIMIT = 0.4


def limited(net, report, scaler=None, optimizer=None):
    if scaler is not None:
        scaler.unscale_(optimizer)
    norm = clip_grad_norm_(net.parameters(), LIMIT)
    report.append(norm.item())


def warm_up(net, optimizer, batches, record):
    report = []
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        limited(net, report)
        optimizer.step()
        record(list(net.parameters()))
    return max(report)


def main_phase(net, optimizer, scaler, batches, record):
    report = []
    for x, y in batches:
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            logits = net(x)
        loss = nn.functional.cross_entropy(logits.float(), y)
        scaler.scale(loss).backward()
        limited(net, report, scaler, optimizer)
        scaler.step(optimizer)
        scaler.update()
        record(list(net.parameters()))
    return max(report)


def train(record):
    torch.manual_seed(645)
    x = torch.randn(60, 8)
    y = x.view(60, 4, 2).sum(2).argmax(1)
    batches = list(zip(x.split(10), y.split(10)))
    net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    print("warm-up", warm_up(net, optimizer, batches, record))
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**8)
    for epoch in range(2):
        print(epoch, main_phase(net, optimizer, scaler, batches, record))


if __name__ == "__main__":
    train(lambda parameters: None)
