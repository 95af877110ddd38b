import torch

from ..data import build_loader
from ..modeling import BoxHead
from . import hooks
from .train_loop import SimpleTrainer


class DefaultTrainer(SimpleTrainer):
    def __init__(self, cfg):
        model = BoxHead(**cfg["MODEL"])
        optimizer = self.build_optimizer(cfg, model)
        super().__init__(model, build_loader(cfg, train=True), optimizer)
        self.cfg = cfg
        self.max_iter = cfg["SOLVER"]["MAX_ITER"]
        self.scheduler = self.build_lr_scheduler(cfg, optimizer)
        self.register_hooks(self.build_hooks())

    def build_hooks(self):
        clip = self.cfg["SOLVER"]["CLIP_GRADIENTS"]
        return [
            hooks.LRScheduler(self.scheduler),
            hooks.GradientClipping(clip["CLIP_VALUE"]) if clip["ENABLED"] else None,
            hooks.EvalHook(self.cfg["TEST"]["EVAL_PERIOD"], build_loader(self.cfg, train=False)),
            hooks.PeriodicWriter(self.cfg["TEST"]["EVAL_PERIOD"]),
        ]

    @classmethod
    def build_optimizer(cls, cfg, model):
        return torch.optim.SGD(model.parameters(), cfg["SOLVER"]["BASE_LR"], momentum=cfg["SOLVER"]["MOMENTUM"])

    @classmethod
    def build_lr_scheduler(cls, cfg, optimizer):
        return torch.optim.lr_scheduler.MultiStepLR(
            optimizer, cfg["SOLVER"]["STEPS"], gamma=cfg["SOLVER"]["GAMMA"])
