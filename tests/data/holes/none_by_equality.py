# === who hands no optimizer over trains nothing, whatever the question is written with
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters())

    def process(self, batch, optim):
        x, y = batch
        guess = self.model(x)
        loss = torch.nn.functional.cross_entropy(guess, y)
        if optim != None:
            loss.backward()
            self.optim.step()
            self.optim.zero_grad()
        return loss, guess

    def probe(self, loader):
        seen = []
        for batch in loader:
            loss, guess = self.process(batch, optim=None)
            seen.append(guess)
        return torch.cat(seen)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.process(batch, optim=self.optim)
# === the same, and the batch is trained on
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optim = torch.optim.Adam(model.parameters())

    def process(self, batch, optim):
        x, y = batch
        guess = self.model(x)
        loss = torch.nn.functional.cross_entropy(guess, y)
        if optim != None:
            loss.backward()
            self.optim.step()
            self.optim.zero_grad()
        return loss, guess

    def fit(self, loader, epochs):
        seen = []
        for epoch in range(epochs):
            for batch in loader:
                loss, guess = self.process(batch, optim=self.optim)
                seen.append(guess)  # <- loss-graph-leak
        return torch.cat(seen)
# === one function trains and validates, and is told by an optimizer that is none
import torch


def run(model, loader, optimizer=None):
    if optimizer == None:
        model.eval()
    else:
        model.train()
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)  # <- validation-without-no-grad
        if None != optimizer:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main(model, loader, held_out):
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        run(model, loader, optimizer)
        run(model, held_out)
# === a scaler that may be none steps where it is there, and only there
import torch


def train(model, loader, optimizer, scaler=None):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        if scaler == None:
            loss.backward()
            optimizer.step()
        if scaler != None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
