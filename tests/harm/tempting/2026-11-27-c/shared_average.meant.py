import torch
from torch import nn


def average_and_apply(params, optimizer, count, record):
    for p in params:
        if p.grad is not None:
            p.grad.div_(count)
    nn.utils.clip_grad_norm_(params, 0.8)
    optimizer.step()
    record(params)
    optimizer.zero_grad()


def pretrain(net, batches, optimizer, count, record):
    params = list(net.parameters())
    for i, (x, _) in enumerate(batches):
        noisy = x + 0.3 * torch.randn_like(x)
        loss = nn.functional.mse_loss(net[1](net[0](noisy)), x)
        loss.backward()
        if (i + 1) % count == 0 or i + 1 == len(batches):
            average_and_apply(params, optimizer, count, record)


def finetune(net, batches, optimizer, count, record):
    params = list(net.parameters())
    for i, (x, y) in enumerate(batches):
        loss = nn.functional.cross_entropy(net[2](net[0](x)), y)
        loss.backward()
        if (i + 1) % count == 0 or i + 1 == len(batches):
            average_and_apply(params, optimizer, count, record)


def train(record):
    torch.manual_seed(66)
    net = nn.ModuleList([nn.Sequential(nn.Linear(7, 14), nn.Tanh()), nn.Linear(14, 7), nn.Linear(14, 3)])
    batches = [(torch.randn(9, 7), torch.randint(0, 3, (9,))) for _ in range(8)]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    for epoch in range(2):
        pretrain(net, batches, optimizer, 4, record)
    for epoch in range(2):
        finetune(net, batches, optimizer, 4, record)


if __name__ == "__main__":
    train(lambda parameters: None)
