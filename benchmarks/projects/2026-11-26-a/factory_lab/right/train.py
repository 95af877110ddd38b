import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

import factory
from config import Config
from loop import run_epoch, validate


def houses(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 20, generator=g)
    weights = torch.linspace(-1, 1, 20)
    return TensorDataset(x, x @ weights + 0.1 * torch.randn(n, generator=g))


def main(cfg: Config):
    torch.manual_seed(11)
    model = factory.wrap_model(factory.build_model(cfg), cfg)
    data = houses(96, 0)
    sampler = DistributedSampler(data) if cfg.distributed else None
    train = DataLoader(data, cfg.batch_size, shuffle=sampler is None, sampler=sampler)
    valid = DataLoader(houses(32, 1), cfg.batch_size)

    params = factory.trainable(model)
    optimizer = factory.build_optimizer(cfg, params)
    scheduler = factory.build_scheduler(cfg, optimizer, len(train))

    for epoch in range(cfg.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        loss = run_epoch(model, train, optimizer, scheduler, params, cfg)
        mae = validate(model, valid)
        print(f"{epoch}: loss {loss:.4f} mae {mae:.4f} lr {optimizer.param_groups[0]['lr']:.2e}")

    if cfg.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main(Config())
