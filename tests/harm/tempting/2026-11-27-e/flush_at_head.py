import torch
from torch import nn

ACCUM = 4


def samples(n, seed):
    rng = torch.Generator().manual_seed(seed)
    xs = torch.randn(n, 6, 5, generator=rng)
    return [(x, x.square().mean(1, keepdim=True)) for x in xs]


def apply(optimizer, net, record):
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    record(list(net.parameters()))


def window_length(i, total):
    start = i - i % ACCUM
    return min(ACCUM, total - start)


def run_epoch(net, optimizer, data, record):
    running = 0.0
    for i, (x, y) in enumerate(data):
        if i > 0 and i % ACCUM == 0:
            apply(optimizer, net, record)
        loss = nn.functional.huber_loss(net(x), y)
        (loss / window_length(i, len(data))).backward()
        running += loss.item()
    apply(optimizer, net, record)
    return running / len(data)


def train(record):
    torch.manual_seed(51)
    net = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    optimizer.zero_grad()
    for epoch in range(3):
        data = samples(10, seed=epoch)
        print(epoch, f"{run_epoch(net, optimizer, data, record):.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
