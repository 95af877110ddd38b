import torch
from torch.nn.functional import cross_entropy


class Runner:
    def __init__(self, net, batches, settings):
        self.net, self.batches, self.window = net, batches, settings["window"]
        wanted = settings["optimizer"]
        self.optimizer = torch.optim.SGD(net.parameters(), lr=wanted["rate"], momentum=wanted["momentum"])
        updates = settings["epochs"] * len(batches) // self.window
        self.schedule = torch.optim.lr_scheduler.LinearLR(self.optimizer, 1.0, 0.1, total_iters=updates)
        self.hooks = []

    def emit(self, event):
        for one in self.hooks:
            getattr(one, event)(self)

    def run(self, epochs):
        for epoch in range(epochs):
            seen = 0.0
            for index, (spectrum, grade) in enumerate(self.batches):
                self.emit("before_batch")
                loss = cross_entropy(self.net(spectrum), grade)
                (loss / self.window).backward()
                seen += loss.item()
                self.emit("after_batch")
                if (index + 1) % self.window == 0 or index + 1 == len(self.batches):
                    self.emit("before_update")
                    self.optimizer.step()
                    self.emit("after_update")
            print(epoch, round(seen / len(self.batches), 4), self.schedule.get_last_lr())
