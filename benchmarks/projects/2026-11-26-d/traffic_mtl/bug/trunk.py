import torch.nn.functional as F
from torch import nn


class TwoTask(nn.Module):
    width = 24

    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, self.width), nn.ReLU(), nn.Linear(self.width, self.width), nn.ReLU())
        self.heads = nn.ModuleDict({"flow": nn.Linear(self.width, 1), "jam": nn.Linear(self.width, 1)})

    def encode(self, x):
        return self.trunk(x)

    def loss(self, hidden, flow, jam):
        flow_hat = self.heads["flow"](hidden).squeeze(1).float()
        jam_hat = self.heads["jam"](hidden).squeeze(1).float()
        return F.huber_loss(flow_hat, flow) + 0.5 * F.binary_cross_entropy_with_logits(jam_hat, jam)
