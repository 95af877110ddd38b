import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

RIDGE = 0.02


def ridge(net):
    return sum(p.square().sum() for name, p in net.named_parameters() if name.endswith("weight"))


def train(record):
    torch.manual_seed(17)
    x = torch.randn(64, 6)
    y = (x[:, :2].sum(1) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=8)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=5)
    history = []
    for epoch in range(2):
        for xb, yb in loader:
            opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                logits = net(xb)
            loss = F.cross_entropy(logits.float(), yb)
            scaler.scale(loss).backward()
            weight = RIDGE * scaler.get_scale()
            (weight * ridge(net)).backward()
            scaler.step(opt)
            record(list(net.parameters()))
            scaler.update()
            history.append(loss.item())
    return history


if __name__ == "__main__":
    train(lambda parameters: None)
