import torch
from torch.nn import functional as F

from quarry.meters import Mean


class Runner:
    def __init__(self, net, opt, hooks):
        self.net, self.opt, self.hooks = net, opt, hooks
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        self.mean = Mean()

    def fire(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def run(self, batches, rounds):
        for _ in range(rounds):
            self.mean.clear()
            for x, y in batches:
                self.opt.zero_grad(set_to_none=True)
                with torch.autocast("cpu", dtype=torch.float16):
                    out = self.net(x)
                loss = F.mse_loss(out.float(), y)
                self.scaler.scale(loss).backward()
                self.fire("before_step")
                self.scaler.step(self.opt)
                self.scaler.update()
                self.mean.add(loss)
            self.fire("after_round")
