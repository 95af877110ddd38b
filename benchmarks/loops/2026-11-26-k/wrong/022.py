import math

import torch
from torch import nn


class VisionTrainer:
    def __init__(self, model, train_set, epochs, batch_size, grad_accum):
        self.model, self.epochs, self.grad_accum = model, epochs, grad_accum
        self.loader = torch.utils.data.DataLoader(train_set, batch_size, shuffle=True)
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
        updates_per_epoch = math.ceil(len(self.loader) / grad_accum)
        self.lr_scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.opt, T_max=epochs * updates_per_epoch
        )

    def one_epoch(self):
        self.model.train()
        batches = len(self.loader)
        for idx, (img, cls) in enumerate(self.loader):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(self.model(img), cls, label_smoothing=0.1)
            (loss / self.grad_accum).backward()
            if (idx + 1) % self.grad_accum == 0 or idx == batches - 1:
                nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.opt.step()
                self.opt.zero_grad(set_to_none=True)
            self.lr_scheduler.step()
        return loss.item()

    def run(self):
        for e in range(self.epochs):
            print(e, self.one_epoch(), self.opt.param_groups[0]["lr"])


torch.manual_seed(0)
images = torch.randn(90, 3, 8, 8)
dataset = torch.utils.data.TensorDataset(images, (images[:, 0].mean((1, 2)) > 0).long())
model = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(72, 2))
VisionTrainer(model, dataset, epochs=3, batch_size=9, grad_accum=4).run()
