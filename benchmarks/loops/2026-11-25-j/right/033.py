import torch
import torch.nn.functional as F
from torch import nn


class KDTrainer:
    def __init__(self, teacher, student, temperature=2.0, alpha=0.7):
        self.teacher, self.student = teacher, student
        self.T, self.alpha = temperature, alpha
        self.opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)

    @torch.no_grad()
    def soft_targets(self, x):
        self.teacher.eval()
        return F.softmax(self.teacher(x) / self.T, dim=1)

    def train_step(self, x, y):
        soft = self.soft_targets(x)
        logits = self.student(x)
        hard = F.cross_entropy(logits, y)
        kd = F.kl_div(F.log_softmax(logits / self.T, dim=1), soft, reduction="batchmean") * self.T**2
        loss = self.alpha * kd + (1 - self.alpha) * hard
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def mlp(*sizes, p=0.3):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU(), nn.Dropout(p)]
    return nn.Sequential(*layers[:-2])


torch.manual_seed(133)
trainer = KDTrainer(mlp(8, 64, 64, 4), mlp(8, 12, 4))
trainer.student.train()
for step in range(15):
    x = torch.randn(20, 8)
    loss = trainer.train_step(x, x[:, :4].argmax(1))
print("distilled", loss, trainer.student.training)
