import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, opt, accum, max_norm):
    growth = []
    opt.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / accum
        loss.backward()
        growth.append(float(clip_grad_norm_(model.parameters(), float("inf"))))
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            clip_grad_norm_(model.parameters(), max_norm)
            opt.step()
            opt.zero_grad()
    return growth


torch.manual_seed(116)
notes = torch.randint(0, 12, (150, 8))
key = notes[:, 0]
model = nn.Sequential(nn.Embedding(12, 6), nn.Flatten(), nn.Linear(48, 12))
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
loader = DataLoader(TensorDataset(notes, key), batch_size=15, shuffle=True)
for epoch in range(3):
    print(epoch, [round(g, 3) for g in train(model, loader, opt, accum=4, max_norm=0.5)])
