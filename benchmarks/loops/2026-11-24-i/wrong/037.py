import torch
from torch import nn

torch.manual_seed(127)
model = nn.Linear(6, 1)
opt = torch.optim.LBFGS(model.parameters(), lr=0.3, max_iter=4)
x = torch.randn(60, 6)
y = x @ torch.arange(6.0).unsqueeze(1)


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    loss.backward()
    return loss


for i in range(5):
    print(i, opt.step(closure).item())
