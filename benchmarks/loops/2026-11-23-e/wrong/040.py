import os
import torch
import torch.nn as nn
import torch.distributed as dist

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29577")
os.environ.setdefault("RANK", "0")
os.environ.setdefault("WORLD_SIZE", "1")
dist.init_process_group("gloo")
RANK = dist.get_rank()
torch.manual_seed(RANK)


class Highway(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.h, self.t = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        gate = torch.sigmoid(self.t(x))
        return gate * torch.relu(self.h(x)) + (1 - gate) * x


net = nn.parallel.DistributedDataParallel(nn.Sequential(Highway(10), Highway(10), nn.Linear(10, 2)))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
ce = nn.CrossEntropyLoss()
WINDOW = 3
STEPS = 36

opt.zero_grad()
for step in range(1, STEPS + 1):
    x = torch.randn(16, 10)
    y = (x[:, 0] * x[:, 1] > 0).long()

    logits = net(x)
    loss = ce(logits, y) / WINDOW

    if step % WINDOW:
        with net.no_sync():
            loss.backward()
    else:
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        opt.zero_grad()

    if RANK == 0 and step % 12 == 0:
        print(step, loss.item() * WINDOW)

dist.destroy_process_group()
