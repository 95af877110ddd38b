import math

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR

from acoustic import Acoustic
from callbacks import ClipGradients, MoveSchedule, Validate
from config import SpeechConfig
from corpus import loaders
from trainer import Trainer


def main(cfg=SpeechConfig()):
    torch.manual_seed(0)
    train_loader, dev_loader = loaders(cfg)
    model = Acoustic(cfg)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
    updates = cfg.epochs * math.ceil(len(train_loader) / cfg.accumulate)
    schedule = CosineAnnealingLR(optimizer, T_max=updates)
    callbacks = [ClipGradients(cfg.grad_clip), MoveSchedule(schedule), Validate(dev_loader)]
    Trainer(model, optimizer, cfg, callbacks).fit(train_loader)


main()
