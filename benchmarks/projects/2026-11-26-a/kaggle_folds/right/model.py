import torch.nn as nn

from config import CFG


class CustomModel(nn.Module):
    def __init__(self, cfg=CFG):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(cfg.n_features, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.3)
        )
        self.fc = nn.Linear(32, 1)

    def forward(self, x):
        return self.fc(self.backbone(x)).squeeze(-1)
