import os
import random

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import BatchSampler, DataLoader, Dataset, DistributedSampler


class CurriculumText(Dataset):
    """Samples sorted from short to long; the order itself is the curriculum."""

    def __init__(self, n=64):
        rng = random.Random(0)
        self.items = sorted(([rng.randrange(1, 30) for _ in range(rng.randrange(2, 12))] for _ in range(n)), key=len)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return torch.tensor(self.items[i]), len(self.items[i]) % 2


def pad(batch):
    seqs, labels = zip(*batch)
    return torch.nn.utils.rnn.pad_sequence(list(seqs), batch_first=True), torch.tensor(labels)


class Bag(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.e = torch.nn.Embedding(30, 8, padding_idx=0)
        self.f = torch.nn.Linear(8, 2)

    def forward(self, t):
        return self.f(self.e(t).sum(1))


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29711")
    dist.init_process_group("gloo", rank=int(os.getenv("RANK", 0)), world_size=int(os.getenv("WORLD_SIZE", 1)))
    torch.manual_seed(0)
    data = CurriculumText()
    order = DistributedSampler(data, shuffle=False, drop_last=True)
    loader = DataLoader(data, batch_sampler=BatchSampler(order, batch_size=8, drop_last=False), collate_fn=pad)
    model = DDP(Bag())
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        model.train()
        for toks, lab in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(toks), lab)
            loss.backward()
            opt.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch} loss {loss.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
