import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR


def advance(schedule):
    schedule.step()
    return schedule.get_last_lr()[0]


@torch.no_grad()
def add_noise(params, rate, temperature):
    for p in params:
        p.grad.add_(torch.randn_like(p), alpha=(2 * temperature / rate) ** 0.5)


def negative_log_posterior(net, x, y, prior):
    likelihood = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
    return likelihood + prior * sum(p.pow(2).sum() for p in net.parameters())


def sample_posterior(record, epochs=3, temperature=1e-5):
    torch.manual_seed(50)
    net = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 1))
    params = list(net.parameters())
    optimizer = torch.optim.SGD(params, lr=0.3)
    schedule = ExponentialLR(optimizer, gamma=0.8)
    data = [(x, (x.sum(1) > 0).float()) for x in torch.randn(5, 16, 3)]
    samples = []
    for epoch in range(epochs):
        for x, y in data:
            optimizer.zero_grad()
            negative_log_posterior(net, x, y, 1e-3).backward()
            rate = advance(schedule)
            add_noise(params, rate, temperature)
            optimizer.step()
            record(params)
        samples.append(torch.cat([p.detach().flatten() for p in params]))
    return samples


def train(record):
    samples = sample_posterior(record)
    print(torch.stack(samples).std(0).mean().item())


if __name__ == "__main__":
    train(lambda parameters: None)
