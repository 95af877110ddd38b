from .registry import HOOKS, STRATEGIES


class Runner:
    def __init__(self, cfg, model, optimizer, criterion):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.strategy = STRATEGIES.build(cfg["strategy"])
        self.hooks = [HOOKS.build(h) for h in cfg["hooks"]]
        self.epoch = 0

    def fire(self, event, *args):
        for hook in self.hooks:
            getattr(hook, event)(self, *args)

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            self.fire("before_epoch")
            self.train(loader)
            self.fire("after_epoch")

    def train(self, loader):
        self.model.train()
        self.optimizer.zero_grad()
        for count, (x, y) in enumerate(loader, start=1):
            loss = self.criterion(self.model(x), y)
            self.strategy.backward(loss)
            if self.strategy.ready(count) or count == len(loader):
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.fire("after_iter", loss.detach())
