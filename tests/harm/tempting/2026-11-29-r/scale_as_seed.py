"""Two losses with weights of their own go back together; the weights carry the loss scale."""
import torch
from torch import nn


def seeds(scaler, *weights):
    return tuple(scaler.scale(torch.tensor(weight)) for weight in weights)


def views(rows=12):
    clean = torch.randn(rows, 5)
    return clean, clean + 0.2 * torch.randn(rows, 5), (clean[:, :1] - clean[:, 1:2].square()).tanh()


def train(record):
    torch.manual_seed(1201)
    trunk, head = nn.Sequential(nn.Linear(5, 20), nn.Tanh()), nn.Linear(20, 1)
    weights = [*trunk.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD(weights, lr=0.15, momentum=0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=12)
    for turn in range(40):
        optimizer.zero_grad()
        clean, noisy, y = views()
        features = trunk(clean)
        near = nn.functional.mse_loss(head(features), y)
        far = nn.functional.mse_loss(trunk(noisy), features.detach())
        torch.autograd.backward((near, far), seeds(scaler, 1.0, 0.3 if turn < 20 else 0.1))
        scaler.step(optimizer)
        record(weights)
        scaler.update()

if __name__ == "__main__":
    train(lambda parameters: None)
