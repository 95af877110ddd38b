# === right: what the loss is, is said elsewhere; it is divided in a helper
class Trainer:
    def __init__(self, args, model, optimizer, scaler):
        self.args, self.model = args, model
        self.optimizer, self.scaler = optimizer, scaler

    def train_step(self, batch):
        ...

    def train(self, loader):
        for step, batch in enumerate(loader, 1):
            loss = self.train_step(batch)
            self.backward(loss)
            if step % self.args.update_steps == 0 or step == len(loader):
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()

    def backward(self, loss, **kwargs):
        loss /= self.args.update_steps
        if hasattr(self, "scaler"):
            self.scaler.scale(loss).backward(**kwargs)
        else:
            loss.backward(**kwargs)
# === right: the same, with nothing but a text, and what it gives
import torch


class Trainer:
    def __init__(self, model, optimizer, scaler, accum):
        self.model, self.accum = model, accum
        self.optimizer, self.scaler = optimizer, scaler

    def loss_of(self, batch) -> torch.Tensor:
        """The loss of a batch."""

    def train(self, loader):
        for step, batch in enumerate(loader, 1):
            loss = self.loss_of(batch)
            self.scaler.scale(loss / self.accum).backward()
            if step % self.accum == 0 or step == len(loader):
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
# === right: whoever writes it may divide it
class Trainer:
    def __init__(self, model, optimizer, scaler, accum):
        self.model, self.accum = model, accum
        self.optimizer, self.scaler = optimizer, scaler

    def loss_of(self, batch):
        ...

    def train(self, loader):
        for step, batch in enumerate(loader, 1):
            self.scaler.scale(self.loss_of(batch)).backward()
            if step % self.accum == 0 or step == len(loader):
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
# === a class that writes it does not divide it
class Trainer:
    def __init__(self, model, optimizer, accum):
        self.model, self.accum = model, accum
        self.optimizer = optimizer

    def loss_of(self, batch):
        ...

    def train(self, loader):
        for step, batch in enumerate(loader, 1):
            self.loss_of(batch).backward()  # <- unscaled-accumulation-loss
            if step % self.accum == 0 or step == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()


class Classifier(Trainer):
    def loss_of(self, batch):
        return self.model(batch).mean()


def main(model, optimizer, loader, accum):
    Classifier(model, optimizer, accum).train(loader)
# === a hook without a body changes nothing
class Trainer:
    def __init__(self, model, optimizer, accum):
        self.model, self.accum = model, accum
        self.optimizer = optimizer

    def on_step(self) -> None:
        ...

    def on_batch(self):
        pass

    def train(self, loader):
        for step, batch in enumerate(loader, 1):
            self.on_batch()
            self.model(batch).mean().backward()  # <- unscaled-accumulation-loss
            if step % self.accum == 0 or step == len(loader):
                self.on_step()
                self.optimizer.step()
                self.optimizer.zero_grad()
# === the tail is dropped, whoever says what the loss is
class Trainer:
    def __init__(self, model, optimizer, scaler, accum):
        self.model, self.accum = model, accum
        self.optimizer, self.scaler = optimizer, scaler

    def loss_of(self, batch):
        ...

    def train(self, loader, epochs):
        for epoch in range(epochs):
            for step, batch in enumerate(loader, 1):
                loss = self.loss_of(batch) / self.accum
                self.scaler.scale(loss).backward()
                if step % self.accum == 0:  # <- dropped-accumulation-tail
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
                    self.optimizer.zero_grad()
