import torch
from torch import nn
from torch.nn.utils import clip_grad_value_, clip_grad_norm_


def train_one_epoch(model, pairs, opt, every, limit):
    for number, (src, dst) in enumerate(pairs, start=1):
        loss = nn.functional.mse_loss(model(src), dst) / every
        loss.backward()
        clip_grad_norm_(model.parameters(), limit)
        if number % every == 0:
            opt.step()
            opt.zero_grad()


torch.manual_seed(31)
model = nn.Sequential(nn.Linear(4, 9), nn.Softplus(), nn.Linear(9, 4))
opt = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.8)
pairs = [(torch.randn(6, 4), torch.randn(6, 4)) for _ in range(12)]
for e in range(2):
    train_one_epoch(model, pairs, opt, every=3, limit=0.05)
    print(e, sum(p.abs().sum().item() for p in model.parameters()))
