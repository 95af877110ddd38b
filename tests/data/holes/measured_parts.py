# === each part is timed: every micro-batch is reduced
import torch
import kappaprofiler as kp
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, steps, rank):
    net = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            with kp.named_profile_async("forward"):
                loss = F.mse_loss(net(x), y) / steps
            with kp.named_profile_async("backward"):
                loss.backward()  # <- missing-no-sync
            if (i + 1) % steps == 0 or i + 1 == len(loader):
                optimizer.step()
                optimizer.zero_grad()
# === right: somebody else's context may keep ranks from waiting for each other
import torch
import pieces
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(net, loader, steps, rank):
    net = DDP(net, device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for i, (x, y) in enumerate(loader):
            ends = (i + 1) % steps == 0 or i + 1 == len(loader)
            with pieces.maybe_sync(net, ends):
                loss = F.mse_loss(net(x), y) / steps
                loss.backward()
            if ends:
                optimizer.step()
                optimizer.zero_grad()
