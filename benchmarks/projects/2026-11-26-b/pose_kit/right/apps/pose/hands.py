import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class HandNet(nn.Module):
    def __init__(self, joints, width=12):
        super().__init__()
        self.joints = joints
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1),
            nn.GroupNorm(3, width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Dropout(0.1),
        )
        self.head = nn.Linear(width * 16, joints * 2)

    def forward(self, images):
        return self.head(self.features(images)).view(-1, self.joints, 2)


def keypoint_loss(predicted, target, sigma, weight=1.0):
    distance = (predicted - target).square().sum(-1)
    return weight * (1 - torch.exp(-distance / (2 * sigma**2))).mean()


def make_loaders(batch_size, joints=5):
    g = torch.Generator().manual_seed(0)
    loaders = []
    for count in (84, 24):
        images = torch.randn(count, 1, 16, 16, generator=g)
        points = images.mean((1, 2, 3)).view(-1, 1, 1) * 4 + torch.linspace(0, 0.5, joints).view(1, -1, 1)
        loaders.append(DataLoader(TensorDataset(images, points.expand(-1, -1, 2)), batch_size, shuffle=count == 84))
    return loaders
