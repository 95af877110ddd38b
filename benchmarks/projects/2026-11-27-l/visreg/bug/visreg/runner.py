import torch
import torch.nn.functional as F

from .registry import HOOKS, MODELS


class Runner:
    def __init__(self, spec):
        self.model = MODELS.build(spec["model"])
        options = dict(spec["optimizer"])
        self.optimizer = getattr(torch.optim, options.pop("type"))(self.model.parameters(), **options)
        self.scaler = torch.amp.GradScaler("cpu")
        self.hooks = [HOOKS.build(h) for h in spec["hooks"]]
        self.epochs, self.iteration = spec["epochs"], 0

    def call(self, stage):
        for hook in self.hooks:
            getattr(hook, stage)(self)

    def run(self, loader):
        self.call("before_run")
        for _ in range(self.epochs):
            self.model.train()
            for patches, labels in loader:
                self.optimizer.zero_grad()
                with torch.autocast("cpu", dtype=torch.float16):
                    logits = self.model(patches)
                self.loss = F.cross_entropy(logits.float(), labels)
                self.scaler.scale(self.loss).backward()
                self.call("after_backward")
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.call("after_update")
                self.iteration += 1
