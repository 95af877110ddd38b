import torch

from precision import cast, make_scaler


class Engine:
    def __init__(self, net, diffusion, cfg, callbacks=()):
        self.net, self.diffusion, self.cfg = net, diffusion, cfg
        self.opt = torch.optim.SGD(net.parameters(), lr=cfg.lr * 25, momentum=0.9)
        self.scaler = make_scaler(cfg)
        self.callbacks = list(callbacks)

    def fire(self, hook):
        for cb in self.callbacks:
            getattr(cb, hook)(self)

    def update(self, x0):
        self.opt.zero_grad(set_to_none=True)
        with cast(self.cfg):
            loss = self.diffusion.loss(self.net, x0)
        self.scaler.scale(loss).backward()
        self.fire("before_step")
        self.scaler.step(self.opt)
        self.scaler.update()
        self.fire("after_step")
        return loss.item()
