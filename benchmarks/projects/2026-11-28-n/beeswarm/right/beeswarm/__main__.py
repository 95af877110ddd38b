import torch
from torch import nn

from .hive import HiveCampaign
from .precision import Half


def weights(count=60):
    generator = torch.Generator().manual_seed(4)
    x = torch.rand(count, 6, generator=generator)
    y = (x.sum(1, keepdim=True) > 3).float()
    return [(x[i : i + 10], y[i : i + 10]) for i in range(0, count, 10)]


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
    campaign = HiveCampaign(net, weights(), Half("cpu"), rounds=4)
    campaign.run(4)
