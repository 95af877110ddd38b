# notebook export: small classifier with a probe every few batches
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# %% model
class Net(nn.Module):
    def __init__(self, d=6, h=20, k=3):
        super().__init__()
        self.enc = nn.Linear(d, h)
        self.norm = nn.BatchNorm1d(h)
        self.dec = nn.Linear(h, k)

    def forward(self, x):
        return self.dec(torch.relu(self.norm(self.enc(x))))


# %% data
def tables():
    x = 1 + 2 * torch.randn(120, 6)
    y = x[:, :3].argmax(1)
    return TensorDataset(x[:90], y[:90]), (x[90:], y[90:])


# %% loop
def train(record):
    torch.manual_seed(41)
    train_set, (px, py) = tables()
    net = Net()
    opt = torch.optim.AdamW(net.parameters(), lr=0.03)
    loader = DataLoader(train_set, batch_size=15, shuffle=True)
    best, step = 0.0, 0
    net.train()
    for epoch in range(3):
        for xb, yb in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(xb), yb)
            loss.backward()
            opt.step()
            record(list(net.parameters()))
            step += 1
            if step % 4 == 0:
                net.eval
                with torch.no_grad():
                    right = (net(px).argmax(1) == py).float().mean().item()
                opt.param_groups[0]["lr"] = 0.03 * (1.4 - right)
                best = max(best, right)
        print(epoch, best, opt.param_groups[0]["lr"])


if __name__ == "__main__":
    train(lambda parameters: None)
