"""Whoever asks the trainer for its true weights gets them with true gradients."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, net, lr, most):
        self.net, self.most = net, most
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.7)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4096.0, growth_interval=11)
        self.longest = 0.0

    @property
    def true_weights(self):
        self.scaler.unscale_(self.optimizer)
        return [p for p in self.net.parameters() if p.grad is not None]

    def turn(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        self.scaler.scale(loss).backward()
        norm = clip_grad_norm_(self.true_weights, self.most)
        self.longest = max(0.95 * self.longest, norm.item())
        self.most = 0.5 * self.most + 0.25 * self.longest
        self.scaler.step(self.optimizer)
        self.scaler.update()


def train(record):
    torch.manual_seed(640)
    trainer = Trainer(nn.Sequential(nn.Linear(4, 15), nn.ReLU(), nn.Linear(15, 1)), lr=0.2, most=0.3)
    for _ in range(36):
        x = torch.randn(10, 4)
        trainer.turn(x, (x[:, :1] * x[:, 1:2]).clamp(-2, 2))
        record(list(trainer.net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
