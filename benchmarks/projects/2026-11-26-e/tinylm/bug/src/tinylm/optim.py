import torch


class Stepper:
    def __init__(self, cfg, params, updates):
        self.opt = getattr(torch.optim, cfg.name)(params, lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.SequentialLR(
            self.opt,
            [
                torch.optim.lr_scheduler.LinearLR(self.opt, 0.1, total_iters=cfg.warmup),
                torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=max(1, updates - cfg.warmup)),
            ],
            [cfg.warmup],
        )

    def apply(self):
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)

    def tick(self):
        self.sched.step()
        return self.lr

    @property
    def lr(self):
        return self.opt.param_groups[0]["lr"]
