import torch
from torch import nn

torch.manual_seed(173)
backbone = nn.Linear(9, 9).requires_grad_(False)
head = nn.Linear(9, 3)
full = nn.Sequential(backbone, nn.ReLU(), head)
trainable = filter(lambda p: p.requires_grad, full.parameters())
opt = torch.optim.SGD(trainable, lr=0.1, momentum=0.9)
for i in range(20):
    x = torch.randn(10, 9)
    opt.zero_grad()
    loss = nn.functional.cross_entropy(full(x), x[:, :3].argmax(1))
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trainable, max_norm=1.0)
    opt.step()
print(loss.item())
