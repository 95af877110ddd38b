from torch import nn


class FrameEncoder(nn.Module):
    def __init__(self, n_mels: int = 16, vocab: int = 6, width: int = 64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_mels, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, width), nn.GELU()
        )
        self.out = nn.Linear(width, vocab)

    def forward(self, feats):
        return self.out(self.net(feats))
