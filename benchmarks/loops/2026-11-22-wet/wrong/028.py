import os

import torch
from torch.nn.parallel import DistributedDataParallel as DDP

import data
import models


def create(cfg):
    net = getattr(models, cfg.arch)(**cfg.arch_args).cuda()
    net = DDP(net, device_ids=[int(os.environ["LOCAL_RANK"])])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=cfg.milestones)
    return net, opt, sched


def total_loss(losses, weights):
    return sum(weights[name] * value for name, value in losses.items())


def train(cfg):
    torch.distributed.init_process_group("nccl")
    net, opt, sched = create(cfg)
    stream = data.infinite_loader(cfg)
    net.train()

    for update in range(1, cfg.updates + 1):
        for _ in range(3):
            image, flow = next(stream)
            losses = net(image, flow)
            loss = total_loss(losses, cfg.weights) / 3
            loss.backward()
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        if update % cfg.save_every == 0 and torch.distributed.get_rank() == 0:
            torch.save({"net": net.module.state_dict(), "opt": opt.state_dict()}, cfg.path)
