# === what is counted rises only where the optimizer steps, behind a checkpoint that may be read
import torch


class Learner:
    def __init__(self, net, every):
        self.net, self.every = net, every
        self.updates = 0

    def fit(self, optimizer, loader, epochs, path):
        held = {"net": self.net, "optimizer": optimizer}
        if path is not None:
            held.update(self.read(held, path))
        for _ in range(epochs):
            for x, y in loader:
                due = self.updates % self.every == 0
                loss = torch.nn.functional.mse_loss(self.net(x), y) / self.every
                loss.backward()
                if due:  # <- accumulation-off-by-one
                    optimizer.step()
                    optimizer.zero_grad()
                self.updates += int(due)

    def read(self, held, path):
        restore(held, path)
        self.updates = held.pop("updates")
        return held


def restore(held, path):
    kept = torch.load(path)
    held["net"].load_state_dict(kept["net"])
    held["updates"] = kept["updates"]
# === the same with the way backward in both branches
import torch


def fit(net, optimizer, loader, epochs, accum):
    updates = 0
    for _ in range(epochs):
        for x, y in loader:
            if updates % accum == 0:  # <- accumulation-off-by-one
                (torch.nn.functional.mse_loss(net(x), y) / accum).backward()
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
            else:
                (torch.nn.functional.mse_loss(net(x), y) / accum).backward()
# === micro-batches are counted, and updates beside them
import torch


def fit(net, optimizer, loader, epochs, every, log):
    seen, updates = 0, 0
    for _ in range(epochs):
        for x, y in loader:
            (torch.nn.functional.mse_loss(net(x), y) / every).backward()
            seen += 1
            due = seen % every == 0
            if due:
                optimizer.step()
                optimizer.zero_grad()
            updates += int(due)
            if updates % every == 0:
                log(updates)
# === updates are counted, and each batch makes one
import torch


def fit(net, optimizer, loader, epochs, every, log):
    updates = 0
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            if updates % every == 0:
                log(updates)
            optimizer.step()
            updates += 1
# === a checkpoint says how many micro-batches there were
import torch


class Learner:
    def __init__(self, net, every):
        self.net, self.every = net, every
        self.seen = 0

    def fit(self, optimizer, loader, epochs, path):
        held = {"net": self.net, "optimizer": optimizer}
        if path is not None:
            self.read(held, path)
        for _ in range(epochs):
            for x, y in loader:
                (torch.nn.functional.mse_loss(self.net(x), y) / self.every).backward()
                self.seen += 1
                if self.seen % self.every == 0:
                    optimizer.step()
                    optimizer.zero_grad()

    def read(self, held, path):
        restore(held, path)
        self.seen = held.pop("seen")


def restore(held, path):
    kept = torch.load(path)
    held["net"].load_state_dict(kept["net"])
    held["seen"] = kept["seen"]
# === a scaler that a checkpoint brings goes on as the one that was made
import torch


class Learner:
    def __init__(self, net, amp):
        self.net = net
        self.scaler = torch.cuda.amp.GradScaler(enabled=amp)

    def fit(self, optimizer, loader, path):
        held = {"net": self.net, "scaler": self.scaler}
        if path is not None:
            self.read(held, path)
        for x, y in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.mse_loss(self.net(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(optimizer)
            self.scaler.update()
            optimizer.zero_grad()

    def read(self, held, path):
        kept = torch.load(path)
        held.update({"scaler": kept["scaler"]})
        self.scaler = held.pop("scaler")
# === the same of what nobody sees in the dictionary
import torch


class Learner:
    def __init__(self, net, amp):
        self.net = net
        self.scaler = torch.cuda.amp.GradScaler(enabled=amp)

    def fit(self, optimizer, loader, path):
        held = {"net": self.net}
        if path is not None:
            restore(held, path)
            self.scaler = held.pop("scaler")
        for x, y in loader:
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.mse_loss(self.net(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.scaler.step(optimizer)
            self.scaler.update()
            optimizer.zero_grad()
