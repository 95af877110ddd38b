import torch


class AmpMixin:
    def setup_amp(self):
        self.scaler = torch.amp.GradScaler("cuda")

    def loss_of(self, batch):
        cars, trim = batch
        with torch.autocast("cuda", dtype=torch.float16):
            return torch.nn.functional.mse_loss(self.net(cars), trim)

    def backward(self, loss):
        self.scaler.scale(loss / self.accumulate).backward()

    def advance(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def finish(self):
        self.optimizer.zero_grad(set_to_none=True)
