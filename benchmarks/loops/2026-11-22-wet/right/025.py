import torch


class AmpFitter:
    def __init__(self, model, loss_fn, optimizer, scheduler, window):
        self.model, self.loss_fn = model, loss_fn
        self.optimizer, self.scheduler = optimizer, scheduler
        self.window = window
        self.scaler = torch.amp.GradScaler("cuda")
        self.micro = 0

    def feed(self, x, y):
        with torch.amp.autocast("cuda", dtype=torch.float16):
            loss = self.loss_fn(self.model(x), y)
        self.scaler.scale(loss / self.window).backward()
        self.micro += 1
        if self.micro % self.window == 0:
            self._update()
        return loss.detach()

    def _update(self):
        before = self.scaler.get_scale()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        if self.scaler.get_scale() >= before:
            self.scheduler.step()


def run(model, stream, total_micro_batches, window=3):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: 0.999**n)
    fitter = AmpFitter(model.cuda(), torch.nn.MSELoss(), optimizer, scheduler, window)
    model.train()
    for k in range(total_micro_batches):
        x, y = next(stream)
        loss = fitter.feed(x.cuda(), y.cuda())
        if k % 300 == 0:
            print(k, float(loss))
