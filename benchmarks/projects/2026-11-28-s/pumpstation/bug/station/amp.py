import torch


class AmpMixin:
    def setup_amp(self):
        self.on_gpu = torch.cuda.is_available()
        self.scaler = torch.amp.GradScaler("cuda", enabled=self.on_gpu)
        self.norms = []

    def autocast(self):
        return torch.autocast("cuda", enabled=self.on_gpu)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def note_norm(self):
        self.scaler.unscale_(self.optimizer)
        grads = [p.grad for p in self.model.parameters() if p.grad is not None]
        self.norms.append(torch.nn.utils.get_total_norm(grads).item())

    def apply(self):
        self.note_norm()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def mean_norm(self):
        return sum(self.norms) / len(self.norms)
