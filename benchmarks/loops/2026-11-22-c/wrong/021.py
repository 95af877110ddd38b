import torch
from torch import nn
from torch.amp import GradScaler, autocast


class AccumulatingLearner:
    def __init__(self, net: nn.Module, lr: float, window: int):
        self.net = net
        self.window = window
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.scaler = GradScaler("cuda")
        self.loss_fn = nn.CrossEntropyLoss()
        self.pending = 0

    def feed(self, x, y):
        with autocast("cuda"):
            loss = self.loss_fn(self.net(x), y)
        self.scaler.scale(loss / self.window).backward()
        self.pending += 1
        if self.pending == self.window:
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.optimizer.zero_grad()
            self.pending = 0
        return loss.detach()

    def flush(self):
        if self.pending:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.pending = 0

    def epoch(self, loader):
        self.net.train()
        losses = [self.feed(x.cuda(), y.cuda()) for x, y in loader]
        self.flush()
        return torch.stack(losses).mean().item()


def train(net, loader, epochs=30, lr=0.05, window=8):
    learner = AccumulatingLearner(net, lr, window)
    decay = torch.optim.lr_scheduler.MultiStepLR(learner.optimizer, [15, 25])
    for epoch in range(epochs):
        print(epoch, learner.epoch(loader))
        decay.step()
