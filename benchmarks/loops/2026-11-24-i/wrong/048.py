import torch
from torch import nn


class Stepper:
    def __init__(self, params, lr):
        self.opt = torch.optim.AdamW(params, lr=lr)

    def __call__(self, loss):
        loss.backward()
        self.reset()
        self.opt.step()

    def reset(self):
        self.opt.zero_grad()


torch.manual_seed(181)
table = nn.Embedding(12, 4)
stepper = Stepper(table.parameters(), 0.05)
for it in range(20):
    i, j = torch.randint(0, 12, (2, 16))
    rating = ((i + j) % 5).float()
    loss = ((table(i) * table(j)).sum(1) - rating).pow(2).mean()
    stepper(loss)
print(loss.item())
