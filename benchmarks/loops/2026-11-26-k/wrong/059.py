import torch
from torch import nn
from torch.nn import functional as F


class SemiSupervised:
    def __init__(self, net, lr=0.05, weight=0.5):
        self.net, self.weight = net, weight
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)

    def augment(self, x):
        return x + 0.3 * torch.randn_like(x)

    def step(self, labelled, unlabelled):
        x, y = labelled
        self.opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            supervised = F.cross_entropy(self.net(x).float(), y)
            weak = self.net(self.augment(unlabelled)).float().softmax(1)
            strong = self.net(self.augment(self.augment(unlabelled))).float().log_softmax(1)
        consistency = self.weight * F.kl_div(strong, weak.detach(), reduction="batchmean")
        self.scaler.scale(supervised).backward()
        consistency.backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return supervised.item(), consistency.item()


torch.manual_seed(51)
centers = torch.randn(4, 9) * 2
net = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Linear(32, 4))
algo = SemiSupervised(net)
for it in range(50):
    y = torch.randint(0, 4, (8,))
    x = centers[y] + torch.randn(8, 9)
    u = centers[torch.randint(0, 4, (40,))] + torch.randn(40, 9)
    out = algo.step((x, y), u)
    if it % 10 == 0:
        print(it, out)
