import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run(net, train, val, epochs=4):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    record = {"train": [], "val": []}
    for epoch in range(epochs):
        net.train()
        for x, y in train:
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            record["train"].append(loss.item())

        net.eval()
        val_loss = 0.0
        for x, y in val:
            val_loss += nn.functional.mse_loss(net(x), y)
        record["val"].append(val_loss / len(val))
    return record


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    y = x.std(1, keepdim=True)
    train = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=12, shuffle=True)
    val = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    rec = run(nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 1)), train, val)
    print(rec["train"][-1], [v.item() for v in rec["val"]])
