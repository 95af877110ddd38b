from torch import nn


class ChangeNet(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(2, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1))
        self.decoder = nn.ModuleDict({
            "mask": nn.Sequential(nn.ReLU(), nn.Conv2d(width, 1, 1)),
            "share": nn.Sequential(nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 1)),
        })

    def forward(self, images):
        features = self.encoder(images)
        return self.decoder["mask"](features), self.decoder["share"](features).squeeze(1)
