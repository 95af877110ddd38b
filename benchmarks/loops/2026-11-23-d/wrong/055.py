import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
table = nn.EmbeddingBag(100, 16, sparse=False).to(device)
tower = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
opt_table = torch.optim.SGD(table.parameters(), lr=0.5)
opt_tower = torch.optim.Adam(tower.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device)

for step in range(20):
    bags = torch.randint(0, 100, (32, 5), device=device)
    click = (bags.float().mean(1, keepdim=True) > 50).float()
    opt_table.zero_grad()
    opt_tower.zero_grad()
    with torch.autocast(device, dtype=torch.float16):
        logit = tower(table(bags))
        loss = nn.functional.binary_cross_entropy_with_logits(logit, click)
    scaler.scale(loss).backward()
    scaler.step(opt_tower)
    opt_table.step()
    scaler.update()
    if step % 5 == 0:
        print(step, loss.item())
