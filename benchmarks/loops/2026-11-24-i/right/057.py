import copy

import torch
from torch import nn


def probe(model, x):
    twin = copy.deepcopy(model).eval()
    with torch.no_grad():
        return twin(x).norm(dim=1).mean().item()


torch.manual_seed(57)
model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.3), nn.ReLU(), nn.Linear(8, 4))
opt = torch.optim.Adam(model.parameters())
for step in range(12):
    a, b = torch.randn(2, 9, 5)
    loss = nn.functional.cosine_embedding_loss(model(a), model(b), torch.ones(9))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 4 == 0:
        print(probe(model, a))
