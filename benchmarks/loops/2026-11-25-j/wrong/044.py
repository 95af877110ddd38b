import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, criterion, accum_iter, epochs):
    model.train()
    optimizer.zero_grad()
    for epoch in range(epochs):
        for batch_idx, (inputs, labels) in enumerate(loader):
            outputs = model(inputs)
            loss = criterion(outputs, labels)
            loss = loss / accum_iter
            loss.backward()
            if (batch_idx + 1) % accum_iter == 0:
                optimizer.step()
                optimizer.zero_grad()
        print("epoch", epoch, "loss", loss.item() * accum_iter)


if __name__ == "__main__":
    torch.manual_seed(44)
    xs, ys = torch.rand(88, 3, 6, 6), torch.randint(0, 4, (88,))
    loader = DataLoader(TensorDataset(xs, ys), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Flatten(), nn.Linear(108, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    train(model, loader, optimizer, nn.CrossEntropyLoss(), accum_iter=4, epochs=3)
