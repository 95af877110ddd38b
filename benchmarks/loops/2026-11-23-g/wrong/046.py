import contextlib
import os
import socket

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


def setup():
    if "MASTER_PORT" not in os.environ:
        with socket.socket() as s:
            s.bind(("", 0))
            os.environ["MASTER_PORT"] = str(s.getsockname()[1])
    os.environ.setdefault("MASTER_ADDR", "localhost")
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    return rank


class SpeakerNet(nn.Module):
    def __init__(self, n_speakers=6):
        super().__init__()
        self.tdnn = nn.Conv1d(5, 12, 3)
        self.cls = nn.Linear(12, n_speakers)

    def forward(self, feats):
        return self.cls(F.relu(self.tdnn(feats)).mean(-1))


class Engine:
    def __init__(self, grad_acc_steps=4):
        self.k = grad_acc_steps
        self.net = nn.parallel.DistributedDataParallel(SpeakerNet())
        self.optim = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)

    def compute_loss(self, feats, spk):
        return F.cross_entropy(self.net(feats), spk) / self.k

    def sync_context(self, last):
        return contextlib.nullcontext() if last else self.net.no_sync()

    def update(self, micro_batches):
        total = 0.0
        for j, (feats, spk) in enumerate(micro_batches):
            loss = self.compute_loss(feats, spk)
            with self.sync_context(last=j == self.k - 1):
                loss.backward()
            total += loss.item()
        self.optim.step()
        self.optim.zero_grad(set_to_none=True)
        return total


def main():
    rank = setup()
    torch.manual_seed(100 + rank)
    engine = Engine()
    for update in range(6):
        group = [(torch.randn(3, 5, 16), torch.randint(0, 6, (3,))) for _ in range(engine.k)]
        value = engine.update(group)
        if rank == 0:
            print(f"update {update} loss {value:.3f}")
    dist.destroy_process_group()


main()
