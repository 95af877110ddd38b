import torch


class Engine:
    def __init__(self, net, diffusion, optimizer, accumulate, hooks=()):
        self.net, self.diffusion, self.optimizer = net, diffusion, optimizer
        self.accumulate = accumulate
        self.hooks = list(hooks)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
        self.losses = []

    def fire(self, event):
        for hook in self.hooks:
            getattr(hook, event)(self)

    def run(self, stream, updates):
        self.net.train()
        for _ in range(updates):
            window = 0.0
            for _ in range(self.accumulate):
                loss = self.diffusion.loss(self.net, next(stream)) / self.accumulate
                self.scaler.scale(loss).backward()
                window += loss.item()
                self.fire("after_micro_batch")
            self.fire("after_window")
            self.losses.append(window)
