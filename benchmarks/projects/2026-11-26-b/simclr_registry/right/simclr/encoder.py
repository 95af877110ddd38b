from torch import nn


class Encoder(nn.Module):
    def __init__(self, inputs=24, width=48, embedding=16):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width))
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(width, embedding))

    def forward(self, x):
        return self.projector(self.backbone(x))
