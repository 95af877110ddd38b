import torch
from torch import nn

torch.manual_seed(139)
EPOCHS = 5
pairs = torch.randn(64, 6)
scores = pairs[:, 0] - pairs[:, 3]
ranker = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(ranker.parameters(), lr=0.1)
step_lr = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.5)
rates = []

for epoch in range(EPOCHS):
    if epoch > 0:
        step_lr.step()
    rates.append(opt.param_groups[0]["lr"])
    for rows in torch.randperm(64).split(16):
        a, b = pairs[rows, :3], pairs[rows, 3:]
        better = torch.where(scores[rows] > 0, 1.0, -1.0)
        loss = nn.functional.margin_ranking_loss(ranker(a).squeeze(1), ranker(b).squeeze(1), better, margin=0.1)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, rates[-1], loss.item())
