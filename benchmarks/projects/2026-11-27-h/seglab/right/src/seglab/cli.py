import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from seglab import parallel
from seglab.settings import Settings
from seglab.trainer import SegTrainer


def shapes(n, seed):
    g = torch.Generator().manual_seed(seed)
    mask = torch.zeros(n, 1, 12, 12)
    for i in range(n):
        r, c = torch.randint(0, 7, (2,), generator=g).tolist()
        mask[i, 0, r : r + 5, c : c + 5] = 1.0
    return TensorDataset(mask + 0.4 * torch.randn(mask.shape, generator=g), mask)


def main():
    cfg = Settings()
    torch.manual_seed(2)
    parallel.setup()
    net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
    train = DataLoader(shapes(cfg.samples, 1), batch_size=cfg.batch)
    val = DataLoader(shapes(32, 9), batch_size=cfg.batch)
    SegTrainer(net, train, val, cfg).fit()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
