import torch
import torch.nn.functional as F

from .amp import AmpMixin
from .clipping import ClipMixin
from .scoring import agreement


class Distiller(AmpMixin, ClipMixin):
    def __init__(self, student, teacher, lr=5e-3, temperature=2.0):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.student, self.teacher = student.to(self.device), teacher.to(self.device)
        self.temperature = temperature
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=lr, momentum=0.9)
        self.setup_amp(self.device)

    def layer_norms(self):
        return [p.grad.norm().item() for p in self.student.parameters()]

    def train_batch(self, x):
        x = x.to(self.device)
        with torch.no_grad():
            target = F.softmax(self.teacher(x) / self.temperature, dim=1)
        self.optimizer.zero_grad()
        with self.forward_scope():
            logits = self.student(x)
        loss = F.kl_div(F.log_softmax(logits.float() / self.temperature, 1), target, reduction="batchmean")
        self.amp_backward(loss)
        self.scaler.unscale_(self.optimizer)
        self.peak = max(self.layer_norms())
        self.clip()
        self.amp_step()
        return loss.item()

    def fit(self, loader, held_out, epochs):
        self.student.train()
        for epoch in range(epochs):
            losses = [self.train_batch(x) for (x,) in loader]
            score = agreement(self.student, self.teacher, held_out)
            print(f"{epoch}: kl {sum(losses) / len(losses):.4f} peak {self.peak:.3f} agreement {score:.3f}")
