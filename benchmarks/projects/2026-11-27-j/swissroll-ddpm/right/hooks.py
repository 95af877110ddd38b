import torch


class Hook:
    def after_micro_batch(self, engine):
        pass

    def after_window(self, engine):
        pass


class OptimizerHook(Hook):
    def after_window(self, engine):
        engine.scaler.step(engine.optimizer)
        engine.scaler.update()
        engine.optimizer.zero_grad(set_to_none=True)


class LrHook(Hook):
    def __init__(self, scheduler):
        self.scheduler = scheduler
        self.rates = []

    def after_window(self, engine):
        self.scheduler.step()
        self.rates.append(self.scheduler.get_last_lr()[0])


class EmaHook(Hook):
    def __init__(self, net, decay):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in net.state_dict().items()}

    @torch.no_grad()
    def after_window(self, engine):
        for k, v in engine.net.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.decay)
