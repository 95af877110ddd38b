import logging

import torch
import torch.nn as nn
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("resnet")


class BasicBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)
        self.conv2, self.bn2 = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.BatchNorm2d(c)

    def forward(self, x):
        out = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(x + self.bn2(self.conv2(out)))


class Engine:
    def __init__(self, net, train_dl, milestones=(1, 2), lr=0.1):
        self.net = net
        self.train_dl = train_dl
        self.loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
        self.optimizer = SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True, weight_decay=5e-4)
        self.scheduler = MultiStepLR(self.optimizer, milestones=list(milestones), gamma=0.2)
        self.epoch = 0

    @property
    def lr(self):
        return self.optimizer.param_groups[0]["lr"]

    def _train_step(self, img, lbl):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.net(img), lbl)
        loss.backward()
        self.optimizer.step()
        return loss

    def fit(self, n_epochs):
        for self.epoch in range(n_epochs):
            self.net.train()
            meter = [self._train_step(*b) for b in self.train_dl]
            log.info("epoch %d lr %.4f loss %.3f", self.epoch, self.lr, sum(meter) / len(meter))
            self.scheduler.step


if __name__ == "__main__":
    torch.manual_seed(0)
    dl = DataLoader(TensorDataset(torch.randn(64, 3, 8, 8), torch.randint(0, 4, (64,))), batch_size=16, shuffle=True)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), BasicBlock(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4))
    Engine(net, dl).fit(3)
