# Multi-task: each head's loss gets its own backward, so only one graph is alive at a time. The sum is what we want.
import torch
import torch.nn as nn
from collections import defaultdict

torch.manual_seed(70)
TASKS = {"age": (1, 0.3), "sex": (2, 1.0), "smile": (2, 0.5)}


def loss_of(task, out, target):
    if task == "age":
        return nn.functional.huber_loss(out.squeeze(1), target.float())
    return nn.functional.cross_entropy(out, target)


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Flatten(), nn.Linear(36, 20), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(20, n) for t, (n, _) in TASKS.items()})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


faces = torch.rand(60, 1, 6, 6)
answers = {
    "age": faces[:, 0, 0].sum(1),
    "sex": (faces[:, 0, 1, 1] > 0.5).long(),
    "smile": (faces[:, 0, 4, 2:4].mean(1) > 0.5).long(),
}
net = MultiHead()
optim = torch.optim.Adam(net.parameters(), lr=4e-3)

for epoch in range(3):
    meters = defaultdict(float)
    for rows in torch.randperm(60).split(12):
        optim.zero_grad()
        for task, (_, weight) in TASKS.items():
            loss = loss_of(task, net(faces[rows], task), answers[task][rows])
            (weight * loss).backward()
            meters[task] += loss.item() / 5
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optim.step()
    print(epoch, {k: round(v, 3) for k, v in meters.items()})
