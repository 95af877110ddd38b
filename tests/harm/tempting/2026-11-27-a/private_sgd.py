import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


@torch.no_grad()
def add_into(buffers, parameters):
    for buffer, p in zip(buffers, parameters):
        buffer.add_(p.grad)


def noisy_mean(buffers, count, bound, sigma):
    return [(b + sigma * bound * torch.randn_like(b)) / count for b in buffers]


def train(record):
    torch.manual_seed(108)
    features = torch.randn(40, 6)
    labels = (features[:, :2].sum(1) > 0).long()
    model = nn.Sequential(nn.Linear(6, 8), nn.Sigmoid(), nn.Linear(8, 2))
    weights = list(model.parameters())
    optimizer = torch.optim.SGD(weights, lr=0.5, momentum=0.5)
    criterion = nn.CrossEntropyLoss()
    bound, sigma = 0.4, 0.05

    for epoch in range(2):
        for lot in torch.randperm(40).split(8):
            buffers = [torch.zeros_like(p) for p in weights]
            for sample in lot:
                optimizer.zero_grad()
                loss = criterion(model(features[sample].unsqueeze(0)), labels[sample].unsqueeze(0))
                loss.backward()
                clip_grad_norm_(weights, bound)
                add_into(buffers, weights)
            for p, grad in zip(weights, noisy_mean(buffers, len(lot), bound, sigma)):
                p.grad = grad
            optimizer.step()
            record(weights)


if __name__ == "__main__":
    train(lambda parameters: None)
