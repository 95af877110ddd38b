import torch
from torch import nn


def big_batch_step(model, opt, inputs, targets, max_piece):
    opt.zero_grad()
    total = 0.0
    for x, y in zip(inputs.split(max_piece), targets.split(max_piece)):
        loss = nn.functional.l1_loss(model(x), y, reduction="sum") / inputs.shape[0]
        loss.backward()
        total += loss.item()
    opt.step()
    return total


torch.manual_seed(128)
model = nn.Sequential(nn.Linear(13, 26), nn.ReLU(), nn.Linear(26, 1))
opt = torch.optim.ASGD(model.parameters(), lr=0.05)
for step in range(25):
    price = torch.randn(70, 13)
    value = big_batch_step(model, opt, price, price[:, :2].sum(1, keepdim=True), max_piece=16)
    if step % 5 == 0:
        print(step, value)
