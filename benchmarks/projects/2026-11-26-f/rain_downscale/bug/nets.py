from torch import nn


class Refine(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.GELU(), nn.Dropout2d(0.05),
            nn.Conv2d(width, width, 3, padding=1), nn.GELU(), nn.Conv2d(width, 1, 3, padding=1),
        )

    def forward(self, coarse):
        return coarse + self.body(coarse)
