import statistics

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


def heavy_tailed(batches, generator):
    for _ in range(batches):
        x = torch.randn(12, 5, generator=generator)
        noise = torch.randn(12, 1, generator=generator)
        yield x, x.sum(1, keepdim=True) + 0.3 * noise.pow(3)


def train(record):
    torch.manual_seed(32)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    criterion = nn.MSELoss()
    generator = torch.Generator().manual_seed(0)
    sizes = [1.0]
    for epoch in range(3):
        for x, y in heavy_tailed(8, generator):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            record(list(model.parameters()))
            limit = 0.7 * statistics.median(sizes[-5:])
            norm = clip_grad_norm_(model.parameters(), limit)
            sizes.append(norm.item())
        print(f"epoch {epoch}: loss {loss.item():.3f}, limit {limit:.3f}")


if __name__ == "__main__":
    train(lambda parameters: None)
