import torch
from torch import nn

ACCUM = 4


def river(source, longest=19):
    """An epoch ends when the gauge runs dry."""
    level = torch.randint(9, longest, (1,), generator=source).item()
    while level > 0:
        x = torch.randn(6, 3, generator=source)
        yield x, x.clamp(min=0).sum(1, keepdim=True)
        level -= 1 + int(torch.rand(1, generator=source) < 0.2)


def flow_epoch(net, opt, stream, record):
    total, pieces = 0.0, 0
    for i, (x, y) in enumerate(stream, 1):
        loss = nn.functional.smooth_l1_loss(net(x), y)
        (loss / ACCUM).backward()
        total, pieces = total + loss.item(), i
        if i % ACCUM == 0:
            opt.step()
            record(list(net.parameters()))
            opt.zero_grad()
    return total / max(pieces, 1), pieces


def train(record):
    torch.manual_seed(73)
    source = torch.Generator().manual_seed(1234)
    net = nn.Sequential(nn.Linear(3, 9), nn.LeakyReLU(), nn.Linear(9, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, nesterov=True, momentum=0.7)
    for epoch in range(3):
        mean, pieces = flow_epoch(net, opt, river(source), record)
        print(f"epoch {epoch}: {pieces} pieces, {mean:.4f}")


if __name__ == "__main__":
    train(lambda parameters: None)
