"""Sparse autoencoder: a pretraining in full precision, then the joint phase with a scaler."""
import torch
from torch import nn


class Sparse(nn.Module):
    def __init__(self):
        super().__init__()
        self.code = nn.Linear(12, 24)
        self.decode = nn.Linear(24, 12)
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        h = torch.relu(self.code(x))
        return self.decode(h), self.head(h), h


def sparsity_backward(h, weight, scaler=None):
    """The penalty keeps the graph, as the loss of the task goes through it afterwards."""
    penalty = weight * h.abs().mean()
    scaled = penalty if scaler is None else scaler.scale(penalty)
    scaled.backward(retain_graph=True)
    return penalty.item()


def pretrain(net, x, record, weight):
    optimizer = torch.optim.SGD([*net.code.parameters(), *net.decode.parameters()], lr=0.2)
    for rows in torch.arange(len(x)).split(16):
        optimizer.zero_grad()
        rebuilt, _, h = net(x[rows])
        sparsity_backward(h, weight)
        nn.functional.mse_loss(rebuilt, x[rows]).backward()
        optimizer.step()
        record(list(net.parameters()))


def joint(net, x, y, record, weight, epochs=3):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(16):
            optimizer.zero_grad()
            rebuilt, logits, h = net(x[rows])
            penalty = sparsity_backward(h, weight, scaler)
            loss = nn.functional.cross_entropy(logits, y[rows]) + nn.functional.mse_loss(rebuilt, x[rows])
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            record(list(net.parameters()))
        print(epoch, f"{loss.item():.4f} {penalty:.4f}")


def train(record, weight=0.5):
    torch.manual_seed(11)
    x = torch.randn(64, 12)
    y = (x[:, 0] > x[:, 1]).long()
    net = Sparse()
    pretrain(net, x, record, weight)
    joint(net, x, y, record, weight)


if __name__ == "__main__":
    train(lambda parameters: None)
