import torch
import torch.nn.functional as F
from data import build_loader
from models import Net

ACCUMULATE = 4
UPDATES = 6
model = Net()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
batches = iter(build_loader("train", infinite=True))

for update in range(UPDATES):
    opt.zero_grad()
    meter = 0.0
    for micro in range(1, ACCUMULATE):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y) / ACCUMULATE
        loss.backward()
        meter += loss.item()
    grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    print(f"update {update} | loss {meter:.4f} | grad norm {grad_norm:.3f}")
