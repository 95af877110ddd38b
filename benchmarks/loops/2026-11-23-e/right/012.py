import torch
from lightning_fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ResMLP(nn.Module):
    def __init__(self, d=10, depth=3):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d) for _ in range(depth))
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.tanh(layer(x))
        return self.out(x)


@torch.no_grad()
def validate(fabric, model, loader):
    model.eval()
    losses = [nn.functional.mse_loss(model(x), y) for x, y in loader]
    model.train()
    return torch.stack(losses).mean().item()


def main(accumulate=3, epochs=3):
    fabric = Fabric(accelerator="cpu", devices=1, precision="32-true")
    fabric.launch()
    fabric.seed_everything(7)
    X = torch.randn(260, 10)
    Y = (X[:, :1] * X[:, 1:2]) + X[:, 2:3]
    train = DataLoader(TensorDataset(X[:200], Y[:200]), batch_size=10, shuffle=True)
    val = DataLoader(TensorDataset(X[200:], Y[200:]), batch_size=30)
    train, val = fabric.setup_dataloaders(train, val)

    model = ResMLP()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model, optimizer = fabric.setup(model, optimizer)

    for epoch in range(epochs):
        model.train()
        for i, (x, y) in enumerate(train, start=1):
            accumulating = i % accumulate != 0 and i != len(train)
            with fabric.no_backward_sync(model, enabled=accumulating):
                loss = nn.functional.mse_loss(model(x), y)
                fabric.backward(loss / accumulate)
            if accumulating:
                continue
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
        fabric.print(epoch, loss.item(), validate(fabric, model, val))


if __name__ == "__main__":
    main()
