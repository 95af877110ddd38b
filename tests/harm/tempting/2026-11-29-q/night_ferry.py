"""Two legs of a voyage, the epochs numbered on through both; the log names each."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

LEGS = {"out": 4, "home": 3}


def train(record):
    torch.manual_seed(58)
    x = torch.randn(48, 3)
    data = TensorDataset(x, x.sum(1, keepdim=True).sin())
    loader = DataLoader(data, batch_size=8, sampler=DistributedSampler(data, num_replicas=1, rank=0))
    net = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
    log, sailed = [], 0
    for leg, nights in LEGS.items():
        opt = torch.optim.SGD(net.parameters(), lr=0.2 if leg == "out" else 0.05)
        for night in range(nights):
            for a, b in loader:
                opt.zero_grad()
                loss = nn.functional.mse_loss(net(a), b)
                loss.backward()
                opt.step()
                record(list(net.parameters()))
            log.append((leg, night, sailed, loss.item()))
            sailed += 1
    return log


if __name__ == "__main__":
    train(lambda parameters: None)
