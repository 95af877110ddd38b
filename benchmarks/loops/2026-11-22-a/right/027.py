import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from geo.data import StreetView
from geo.loss import haversine_smooth
from geo.model import GeoEncoder


class InfiniteLoader:
    def __init__(self, dataset, batch_size, workers=8):
        self.sampler = DistributedSampler(dataset, shuffle=True, drop_last=True)
        self.loader = DataLoader(dataset, batch_size=batch_size, sampler=self.sampler, num_workers=workers)
        self.epoch = 0

    def __iter__(self):
        while True:
            self.sampler.set_epoch(self.epoch)
            yield from self.loader
            self.epoch += 1


def main(total_steps=300_000, lr=3e-4):
    dist.init_process_group("nccl")
    rank = dist.get_rank() % torch.cuda.device_count()
    torch.cuda.set_device(rank)
    model = DistributedDataParallel(GeoEncoder("vit_l", cells=21_000).cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, fused=True)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, lr, total_steps=total_steps)
    batches = iter(InfiniteLoader(StreetView("sv.lmdb"), 96))
    model.train()
    for step in range(total_steps):
        image, cell, coordinates = next(batches)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(image.cuda(non_blocking=True))
        loss = haversine_smooth(logits.float(), cell.cuda(), coordinates.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 500 == 0 and rank == 0:
            print(step, round(loss.item(), 4))
            torch.save(model.module.state_dict(), "geo.pt")


if __name__ == "__main__":
    main()
