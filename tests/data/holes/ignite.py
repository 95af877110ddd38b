# === Ignite counts from 1, and the window is counted from 0
from ignite.engine import Engine


def create_trainer(model, criterion, optimizer, accum):
    def update(engine: Engine, batch):
        iteration = engine.state.iteration
        model.train()
        x, y = batch
        loss = criterion(model(x), y) / accum
        if iteration % accum == 0:
            optimizer.zero_grad()
        loss.backward()
        if (iteration + 1) % accum == 0:  # <- accumulation-off-by-one
            optimizer.step()
        return loss.item()

    return Engine(update)

# === right: the window is counted from 1
from ignite.engine import Engine


def create_trainer(model, criterion, optimizer, accum):
    def update(engine, batch):
        model.train()
        x, y = batch
        if (engine.state.iteration - 1) % accum == 0:
            optimizer.zero_grad()
        loss = criterion(model(x), y) / accum
        loss.backward()
        if engine.state.iteration % accum == 0:
            optimizer.step()
        return loss.item()

    return Engine(update)

# === a method that an engine is made of
import ignite.engine


class Run:
    def __init__(self, model, criterion, optimizer, accum):
        self.model, self.criterion, self.optimizer, self.accum = model, criterion, optimizer, accum
        self.trainer = ignite.engine.Engine(self.update)

    def update(self, trainer, batch):
        x, y = batch
        loss = self.criterion(self.model(x), y) / self.accum
        loss.backward()
        if (trainer.state.iteration + 1) % self.accum == 0:  # <- accumulation-off-by-one
            self.optimizer.step()
            self.optimizer.zero_grad()
        return loss.item()

# === right: an engine of another make may count from 0
from mine import Engine


def create_trainer(model, criterion, optimizer, accum):
    def update(engine, batch):
        model.train()
        x, y = batch
        loss = criterion(model(x), y) / accum
        loss.backward()
        if (engine.state.iteration + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
        return loss.item()

    return Engine(update)
