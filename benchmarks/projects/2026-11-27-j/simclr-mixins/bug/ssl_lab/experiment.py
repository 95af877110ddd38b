import torch
from torch import nn

from ssl_lab.simclr import SimCLR
from ssl_lab.views import two_views


def main():
    torch.manual_seed(0)
    encoder = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.3, momentum=0.9)
    SimCLR(encoder, optimizer, window=4).fit(two_views(), epochs=5)


if __name__ == "__main__":
    main()
