import torch
from torch import nn


class AverageMeter:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def update(self, value, k=1):
        self.sum = self.sum + value * k
        self.n += k

    @property
    def avg(self):
        return self.sum / max(1, self.n)


torch.manual_seed(31)
embed = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
triplet = nn.TripletMarginLoss(margin=0.5)
opt = torch.optim.AdamW(embed.parameters(), lr=1e-3)
centers = torch.randn(5, 6) * 2
meter = AverageMeter()

for it in range(40):
    pos_cls, neg_cls = torch.randperm(5)[:2]
    anchor, positive = (centers[pos_cls] + torch.randn(10, 6) for _ in range(2))
    negative = centers[neg_cls] + torch.randn(10, 6)
    loss = triplet(embed(anchor), embed(positive), embed(negative))
    opt.zero_grad()
    loss.backward()
    opt.step()
    meter.update(loss, anchor.size(0))
    if it % 10 == 9:
        print(f"it {it + 1}: triplet {float(meter.avg):.4f}")
