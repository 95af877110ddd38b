from torch import nn


class Spotter(nn.Module):
    def __init__(self, words=4):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 12, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten()
        )
        self.out = nn.Sequential(nn.Dropout(0.1), nn.Linear(48, words))

    def forward(self, wave):
        return self.out(self.net(wave))
