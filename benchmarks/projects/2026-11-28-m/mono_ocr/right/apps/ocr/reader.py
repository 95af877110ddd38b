from torch import nn


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Dropout(0.1))
        self.char = nn.Linear(48, 10)
        self.width = nn.Linear(48, 1)

    def classify(self, ink):
        return self.char(self.trunk(ink))

    def measure(self, ink):
        return self.width(self.trunk(ink))
