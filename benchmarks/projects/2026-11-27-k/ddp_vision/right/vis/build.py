import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from vis.models import SmallCNN


def build_model(cfg):
    net = SmallCNN(**cfg["model"])
    return DistributedDataParallel(net)


def build_optimizer(cfg, params):
    return torch.optim.SGD(params, **cfg["optim"])


def quadrants(size, side, classes):
    y = torch.randint(classes, (size,))
    x = 0.3 * torch.randn(size, 1, side, side)
    h = side // 2
    for i, k in enumerate(y.tolist()):
        r, c = divmod(k % 4, 2)
        x[i, 0, r * h : (r + 1) * h, c * h : (c + 1) * h] += 1
    return TensorDataset(x, y)


def build_loader(cfg, rank, world):
    d = cfg["data"]
    dataset = quadrants(d["size"], d["side"], cfg["model"]["classes"])
    sampler = DistributedSampler(dataset, num_replicas=world, rank=rank, shuffle=d["shuffle"], seed=cfg["seed"])
    return DataLoader(dataset, batch_size=d["batch_size"], sampler=sampler, num_workers=d["workers"])
