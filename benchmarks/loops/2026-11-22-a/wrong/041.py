import logging

import hydra
import torch
from omegaconf import DictConfig
from torch.cuda.amp import GradScaler, autocast
from torch.optim.lr_scheduler import LambdaLR

from seg.data import build_loader
from seg.losses import LovaszLoss
from seg.model import build_model

logger = logging.getLogger(__name__)


def poly(max_updates, power=0.9):
    return lambda u: max(0.0, 1 - u / max_updates) ** power


@hydra.main(config_path="conf", config_name="train", version_base=None)
def main(cfg: DictConfig):
    model = build_model(cfg.model).cuda()
    loader = build_loader(cfg.data, split="train")
    criterion = LovaszLoss(ignore=cfg.data.ignore_index)
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, weight_decay=5e-4)
    n = cfg.accumulate
    scheduler = LambdaLR(optimizer, poly(cfg.epochs * (len(loader) // n)))
    scaler = GradScaler()
    usable = len(loader) // n * n

    def micro_batch(image, target):
        with autocast():
            loss = criterion(model(image.cuda()), target.cuda())
        scaler.scale(loss / n).backward()
        return loss.item()

    def update():
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)

    for epoch in range(cfg.epochs):
        model.train()
        for i, (image, target) in enumerate(loader):
            if i == usable:
                break
            loss = micro_batch(image, target)
            if (i + 1) % n == 0:
                update()
                logger.info("epoch %d batch %d loss %.4f", epoch, i, loss)
            scheduler.step()
        torch.save(model.state_dict(), "last.pth")


if __name__ == "__main__":
    main()
