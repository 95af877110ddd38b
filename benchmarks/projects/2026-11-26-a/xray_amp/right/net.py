from torch import nn


class XrayNet(nn.Module):
    def __init__(self, findings=3):
        super().__init__()
        self.features = nn.Sequential(
            nn.Flatten(), nn.Linear(144, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.2)
        )
        self.head = nn.Linear(48, findings)

    def forward(self, x):
        return self.head(self.features(x))
