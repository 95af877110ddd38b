"""Image regression (angle of a bar), data parallel over gloo. One process unless launched by torchrun."""
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Bars(Dataset):
    def __init__(self, n, size=9):
        g = torch.Generator().manual_seed(n)
        self.angle = torch.rand(n, generator=g) * 3.1415
        grid = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(grid, grid, indexing="ij")
        dist_to_line = xx * self.angle.sin()[:, None, None] - yy * self.angle.cos()[:, None, None]
        self.img = torch.exp(-20 * dist_to_line ** 2)[:, None]

    def __len__(self):
        return len(self.angle)

    def __getitem__(self, k):
        a = 2 * self.angle[k]
        return self.img[k], torch.stack([a.cos(), a.sin()])


def prepare(dataset, batch_size, train):
    sampler = DistributedSampler(dataset, shuffle=train, drop_last=train)
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    err = torch.zeros(2)
    for img, vec in loader:
        err += torch.tensor([(net(img) - vec).pow(2).mean().item(), 1.0])
    dist.all_reduce(err)
    return (err[0] / err[1]).item()


def main():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", init_method="file://" + os.path.join(tempfile.mkdtemp(), "s"), rank=0, world_size=1)
    torch.manual_seed(6)
    train_loader = prepare(Bars(60), 10, train=True)
    val_loader = prepare(Bars(20), 10, train=False)
    net = DDP(nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(196, 2)))
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    for epoch in range(3):
        net.train()
        for img, vec in train_loader:
            loss = nn.functional.mse_loss(net(img), vec)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        score = evaluate(net, val_loader)
        if dist.get_rank() == 0:
            print(f"epoch {epoch + 1} train {loss.item():.4f} val {score:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
