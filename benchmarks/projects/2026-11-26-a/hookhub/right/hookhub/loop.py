import torch


class Loop:
    def __init__(self, model, optimizer, criterion, hooks, device):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.hooks = hooks
        self.device = device
        self.fp16 = device == "cuda"
        self.scaler = torch.amp.GradScaler("cuda", enabled=self.fp16)
        self.epoch = self.iter = 0
        self.loss = None

    def emit(self, event):
        for hook in self.hooks:
            handler = getattr(hook, event, None)
            if handler is not None:
                handler(self)

    def every(self, n):
        return self.iter % n == 0

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            self.model.train()
            self.emit("before_epoch")
            for x, y in loader:
                with torch.autocast(self.device, dtype=torch.float16, enabled=self.fp16):
                    self.loss = self.criterion(self.model(x.to(self.device)), y.to(self.device))
                self.iter += 1
                self.emit("after_iter")
            self.emit("after_epoch")
