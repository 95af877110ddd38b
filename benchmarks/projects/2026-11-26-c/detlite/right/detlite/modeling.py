import torch.nn as nn
import torch.nn.functional as F


class BoxHead(nn.Module):
    def __init__(self, in_dim, hidden, num_classes):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(in_dim, hidden), nn.ReLU(), nn.Dropout(0.1))
        self.cls_score = nn.Linear(hidden, num_classes)
        self.bbox_pred = nn.Linear(hidden, 4)

    def forward(self, batch):
        x, labels, boxes = batch
        h = self.trunk(x)
        scores, deltas = self.cls_score(h), self.bbox_pred(h)
        if not self.training:
            return scores, deltas
        return {"loss_cls": F.cross_entropy(scores, labels),
                "loss_box_reg": F.smooth_l1_loss(deltas, boxes)}
