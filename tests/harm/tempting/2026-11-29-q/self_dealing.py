"""The sampler counts its own deals; a resumed run goes on with the sixth."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Dealer(DistributedSampler):
    dealt = 5

    def __iter__(self):
        self.set_epoch(self.dealt)
        self.dealt += 1
        return super().__iter__()


def train(record):
    torch.manual_seed(105)
    x = torch.randn(40, 3)
    data = TensorDataset(x, (x[:, :1] > x[:, 1:2]).float())
    loader = DataLoader(data, 8, sampler=Dealer(data, num_replicas=1, rank=0, seed=9))
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(7):
        for a, b in loader:
            opt.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(net(a), b).backward()
            opt.step()
            record(list(net.parameters()))
        opt.param_groups[0]["lr"] = 0.02 / (epoch + 2)


if __name__ == "__main__":
    train(lambda parameters: None)
