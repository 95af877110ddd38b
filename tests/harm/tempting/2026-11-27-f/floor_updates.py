import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

CONFIG = {"epochs": 3, "accum": 4, "batch": 6, "peak": 0.3}


def data(n=84):
    x = torch.randn(n, 5)
    return TensorDataset(x, (x[:, :2].pow(2).sum(1) < 1.4).long())


def train(record):
    torch.manual_seed(612)
    loader = DataLoader(data(), batch_size=CONFIG["batch"], shuffle=True)
    net = nn.Sequential(nn.Linear(5, 16), nn.SiLU(), nn.Linear(16, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    updates_per_epoch = len(loader) // CONFIG["accum"]
    cycle = OneCycleLR(opt, max_lr=CONFIG["peak"], total_steps=CONFIG["epochs"] * updates_per_epoch)
    for epoch in range(CONFIG["epochs"]):
        opt.zero_grad()
        hits = 0
        for i, (x, y) in enumerate(loader):
            logits = net(x)
            loss = nn.functional.cross_entropy(logits, y)
            (loss / CONFIG["accum"]).backward()
            hits += (logits.argmax(1) == y).sum().item()
            if (i + 1) % CONFIG["accum"] == 0:
                opt.step()
                cycle.step()
                opt.zero_grad()
                record(list(net.parameters()))
        print(epoch, hits / 84, cycle.get_last_lr())


if __name__ == "__main__":
    train(lambda parameters: None)
