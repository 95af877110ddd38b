import torch
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, loss_fn):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()


def validate(model, loader, loss_fn):
    model.eval()
    total, correct = 0.0, 0
    for x, y in loader:
        out = model(x)
        total += loss_fn(out, y).item() * len(x)
        correct += (out.argmax(1) == y).sum().item()
    return total / len(loader.dataset), correct / len(loader.dataset)


torch.manual_seed(17)
X, Y = torch.randn(200, 11), torch.randint(0, 3, (200,))
tr = DataLoader(TensorDataset(X[:150], Y[:150]), batch_size=25, shuffle=True)
va = DataLoader(TensorDataset(X[150:], Y[150:]), batch_size=25)
net = torch.nn.Sequential(torch.nn.Linear(11, 30), torch.nn.ReLU(), torch.nn.Dropout(), torch.nn.Linear(30, 3))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
ce = torch.nn.CrossEntropyLoss()
for epoch in range(3):
    train(net, tr, opt, ce)
    print(epoch, *validate(net, va, ce))
