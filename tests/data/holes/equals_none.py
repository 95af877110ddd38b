# === an optimizer that is asked for with !=, and left out where nothing is trained
import torch


class Trainer:
    def __init__(self, model, loss_func):
        self.model = model
        self.loss_func = loss_func
        self.optim = torch.optim.Adam(model.parameters())

    def process(self, batch, optim):
        loss = self.loss_func(self.model(batch))
        if optim != None:
            loss.backward()
            self.optim.step()
            self.optim.zero_grad()
        return loss.item()

    def predict(self, loader, optim=None):
        return sum(self.process(batch, optim) for batch in loader)

    def fit(self, loader, valid):
        for epoch in range(10):
            self.model.train()
            self.predict(loader, self.optim)
            self.model.eval()
            with torch.no_grad():
                self.predict(valid)

# === the same, and the last evaluation keeps graphs
import torch


class Trainer:
    def __init__(self, model, loss_func):
        self.model = model
        self.loss_func = loss_func
        self.optim = torch.optim.Adam(model.parameters())

    def process(self, batch, optim):
        loss = self.loss_func(self.model(batch))  # <- validation-without-no-grad
        if optim != None:
            loss.backward()
            self.optim.step()
            self.optim.zero_grad()
        return loss.item()

    def predict(self, loader, optim=None):
        total = 0.0
        for batch in loader:
            total += self.process(batch, optim)
        return total

    def fit(self, loader, valid):
        for epoch in range(10):
            self.model.train()
            self.predict(loader, self.optim)
            self.model.eval()
            with torch.no_grad():
                self.predict(valid)
        self.model.eval()
        return self.predict(valid)

# === a step that waits for an optimizer, asked with None in front
import torch


def run(model, loader, opt=None):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        if None != opt:
            loss.backward()
            opt.step()  # <- missing-zero-grad


def main(model, loader, valid):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        run(model, loader, opt)
        with torch.no_grad():
            run(model, valid)

# === a scaler that is there or not
import torch


def main(model, loader, amp):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if amp else None
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", enabled=amp):
            loss = torch.nn.functional.mse_loss(model(x), y)
        if scaler == None:
            loss.backward()
        else:
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if scaler == None:
            opt.step()
        else:
            scaler.step(opt)
            scaler.update()

# === a scaler that is there or not, and whose gradients are clipped as they are
import torch


def main(model, loader, amp):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda") if amp else None
    for x, y in loader:
        opt.zero_grad()
        with torch.autocast("cuda", enabled=amp):
            loss = torch.nn.functional.mse_loss(model(x), y)
        if scaler == None:
            loss.backward()
        else:
            scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # <- clip-scaled-gradients
        if scaler is None:
            opt.step()
        else:
            scaler.step(opt)
            scaler.update()
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
