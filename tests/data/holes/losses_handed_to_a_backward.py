# === right: nobody in sight hands over the loss
import torch


class Base:
    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        if self.limit:
            if self.scaler:
                self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.limit)
        if self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
# === right: whoever is in sight has scaled it
import torch


def update(scaler, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    scaler.step(optimizer)
    scaler.update()


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        update(scaler, optimizer, scaler.scale(torch.nn.functional.mse_loss(net(x), y)))
# === whoever is in sight has not
import torch


def update(scaler, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()  # <- unscaled-backward
    scaler.step(optimizer)
    scaler.update()


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        update(scaler, optimizer, torch.nn.functional.mse_loss(net(x), y))
