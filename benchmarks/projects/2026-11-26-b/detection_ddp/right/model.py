from torch import nn
from torch.nn import functional as F


class TinyDetector(nn.Module):
    def __init__(self, num_classes, width=12):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(3, width, 3, stride=2, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride=2, padding=1),
            nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            nn.Dropout(0.1),
        )
        self.cls_head = nn.Linear(width, num_classes)
        self.box_head = nn.Linear(width, 4)

    def forward(self, images, targets):
        features = self.backbone(images)
        return {
            "cls": F.cross_entropy(self.cls_head(features), targets["labels"]),
            "box": F.l1_loss(self.box_head(features).sigmoid(), targets["boxes"]),
        }
