# === a function that is handed over is run where it is called
import torch


def main(args, model, loader, val_loader, optimizer):
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [10, 20], gamma=0.5)
    for epoch in range(args.epochs):
        scheduler.step()  # <- scheduler-before-optimizer
        process(args, train_sample, "train", model, loader, optimizer)
        process(args, test_sample, "test", model, val_loader, optimizer)


def process(args, sample_function, tag, model, loader, optimizer):
    for batch in loader:
        print(tag, sample_function(args, model, batch, optimizer))


def train_sample(args, model, batch, optimizer):
    model.train()
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def test_sample(args, model, batch, optimizer):
    model.eval()
    with torch.no_grad():
        return model(batch).mean().item()


# === one that is handed over, with the schedule behind it
import torch


def main(args, model, loader, val_loader, optimizer):
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [10, 20], gamma=0.5)
    for epoch in range(args.epochs):
        process(args, train_sample, "train", model, loader, optimizer)
        process(args, test_sample, "test", model, val_loader, optimizer)
        scheduler.step()


def process(args, sample_function, tag, model, loader, optimizer):
    for batch in loader:
        print(tag, sample_function(args, model, batch, optimizer))


def train_sample(args, model, batch, optimizer):
    model.train()
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()
    optimizer.step()
    return loss.item()


def test_sample(args, model, batch, optimizer):
    model.eval()
    with torch.no_grad():
        return model(batch).mean().item()


# === a method that takes the step as a keyword
import torch


class Runner:
    def __init__(self, model, loader, accum):
        self.model, self.loader, self.accum = model, loader, accum
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def fit(self):
        for epoch in range(10):
            self.run(work=forward_backward)

    def run(self, work):
        for i, batch in enumerate(self.loader):
            work(self.model, batch, self.accum)
            if (i + 1) % self.accum == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        self.optimizer.step()
        self.optimizer.zero_grad()


def forward_backward(model, batch, accum):
    loss = model(batch).mean() / accum
    loss.backward()


# === one of two functions is handed over, as a switch says
import torch


def fit(step_fn, net, loader, opt, accum):
    for i, batch in enumerate(loader):
        step_fn(net, batch, accum)
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            opt.step()
            opt.zero_grad()


def plain(net, batch, accum):
    x, y = batch
    torch.nn.functional.cross_entropy(net(x), y).backward()  # <- unscaled-accumulation-loss


def divided(net, batch, accum):
    x, y = batch
    (torch.nn.functional.cross_entropy(net(x), y) / accum).backward()


def main(net, loader, accum, sums):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    fit(plain if sums else divided, net, loader, opt, accum)
