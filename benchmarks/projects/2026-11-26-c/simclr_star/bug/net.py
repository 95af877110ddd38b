from torch import nn


class SimCLR(nn.Module):
    def __init__(self, dim=10, hidden=32, out=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.projector = nn.Sequential(nn.ReLU(), nn.Dropout(0.05), nn.Linear(hidden, out))

    def forward(self, x):
        return self.projector(self.encoder(x))
