import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler

from corpus import TokenDataset
from lm import LanguageModel


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)

    dataset = TokenDataset("train.bin", block_size=1024)
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler, num_workers=4, drop_last=True)
    model = DDP(LanguageModel(vocab=50304).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)
    criterion = nn.CrossEntropyLoss()
    usable = len(loader) - len(loader) % 8

    for epoch in range(5):
        sampler.set_epoch(epoch)
        model.train()
        optimizer.zero_grad()
        for i, (x, y) in enumerate(loader):
            if i == usable:
                break
            logits = model(x.to(rank))
            loss = criterion(logits.flatten(0, 1), y.to(rank).flatten()) / 8
            loss.backward()
            if (i + 1) % 8 == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        if rank == 0:
            torch.save(model.module.state_dict(), f"epoch{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
