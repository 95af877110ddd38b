import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 5), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(512, 10)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


def decay_gradients(parameters, beta):
    """Heavy-ball momentum without a second buffer: p.grad holds the velocity."""
    for p in parameters:
        if p.grad is not None:
            p.grad.mul_(beta)


def main(beta=0.9, lr=0.01, epochs=10):
    loader = DataLoader(
        datasets.MNIST("data", transform=transforms.ToTensor()), batch_size=128, shuffle=True, num_workers=2
    )
    model = LeNet()
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            decay_gradients(params, beta)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
