from torch import nn


class SegNet(nn.Module):
    def __init__(self, classes, width=12):
        super().__init__()
        self.classes = classes
        self.net = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, classes, 1),
        )

    def forward(self, images):
        return self.net(images)
