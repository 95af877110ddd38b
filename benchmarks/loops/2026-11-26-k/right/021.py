import torch
from torch import nn


class Engine:
    def __init__(self, model, lr=0.05, scaler=None, clip=1.0):
        self.model, self.scaler, self.clip = model, scaler, clip
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def backward(self, loss):
        if self.scaler is None:
            loss.backward()
        else:
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)

    def step(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        if self.scaler is None:
            self.optimizer.step()
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        self.optimizer.zero_grad()


def train(engine, steps):
    for _ in range(steps):
        x = torch.randn(20, 6)
        loss = nn.functional.mse_loss(engine.model(x), x[:, :2] ** 2)
        engine.backward(loss)
        engine.step()
    return loss.item()


torch.manual_seed(121)
for scaler in (None, torch.amp.GradScaler("cpu", init_scale=256.0)):
    net = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 2))
    print(scaler is not None, train(Engine(net, scaler=scaler), 40))
