from torch import nn


class FrameEncoder(nn.Module):
    def __init__(self, mels=10, hidden=32, vocab=6):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(mels, hidden), nn.ReLU(), nn.Dropout(0.1),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(0.1),
        )
        self.out = nn.Linear(hidden, vocab)

    def forward(self, feats):
        return self.out(self.net(feats))
