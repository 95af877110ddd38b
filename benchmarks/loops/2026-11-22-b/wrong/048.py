import logging
from typing import Any

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader

logger = logging.getLogger(__name__)


class Hook:
    priority = 50

    def before_run(self, runner: "Runner") -> None:
        pass

    def after_iter(self, runner: "Runner") -> None:
        pass


class OptimizerHook(Hook):
    priority = 30

    def after_iter(self, runner: "Runner") -> None:
        runner.optimizer.zero_grad(set_to_none=True)
        runner.outputs["loss"].backward()
        runner.optimizer.step()


class GradClipHook(Hook):
    priority = 40

    def __init__(self, max_norm: float = 35.0, norm_type: float = 2.0) -> None:
        self.max_norm = max_norm
        self.norm_type = norm_type

    def after_iter(self, runner: "Runner") -> None:
        runner.grad_norm = clip_grad_norm_(runner.model.parameters(), self.max_norm, self.norm_type)


class LogHook(Hook):
    priority = 90

    def after_iter(self, runner: "Runner") -> None:
        if runner.iter % 50 == 0:
            logger.info("iter %d loss %.4f", runner.iter, runner.outputs["loss"].item())


class Runner:
    def __init__(self, model: nn.Module, loader: DataLoader, lr: float, max_epochs: int) -> None:
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.max_epochs = max_epochs
        self.hooks: list[Hook] = []
        self.iter = 0
        self.outputs: dict[str, Any] = {}
        self.grad_norm = None

    def register_hook(self, hook: Hook) -> None:
        self.hooks.append(hook)
        self.hooks.sort(key=lambda h: h.priority)

    def call_hook(self, name: str) -> None:
        for hook in self.hooks:
            getattr(hook, name)(self)

    def run(self) -> None:
        self.call_hook("before_run")
        for _ in range(self.max_epochs):
            self.model.train()
            for data in self.loader:
                self.outputs = {"loss": self.model(**data)}
                self.call_hook("after_iter")
                self.iter += 1


def build_runner(model: nn.Module, loader: DataLoader) -> Runner:
    runner = Runner(model, loader, lr=0.02, max_epochs=12)
    for hook in (LogHook(), GradClipHook(), OptimizerHook()):
        runner.register_hook(hook)
    return runner
