import copy

import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_


class MeanTeacher:
    def __init__(self, student, decay=0.9, limit=0.2):
        self.student = student
        self.teacher = copy.deepcopy(student).requires_grad_(False).eval()
        self.optimizer = optim.SGD(student.parameters(), lr=0.2)
        self.decay, self.limit = decay, limit

    def after_update(self):
        with torch.no_grad():
            for slow, fast in zip(self.teacher.parameters(), self.student.parameters()):
                slow.lerp_(fast, 1 - self.decay)

    def losses(self, x, y):
        out = self.student(x + 0.1 * torch.randn_like(x))
        with torch.no_grad():
            calm = self.teacher(x).softmax(1)
        known = y >= 0
        supervised = nn.functional.cross_entropy(out[known], y[known])
        return supervised + 0.5 * nn.functional.mse_loss(out.softmax(1), calm)

    def fit_batch(self, x, y):
        self.optimizer.zero_grad()
        loss = self.losses(x, y)
        loss.backward()
        clip_grad_norm_(self.student.parameters(), self.limit)
        self.optimizer.step()
        self.after_update()
        return loss.item()


def train(record):
    torch.manual_seed(642)
    x = torch.randn(72, 5)
    y = (x[:, 0] > 0).long() + (x[:, 1] > 0.5).long()
    y[torch.arange(72) % 3 == 2] = -1
    pair = MeanTeacher(nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3)))
    for epoch in range(3):
        for a, b in zip(x.split(9), y.split(9)):
            loss = pair.fit_batch(a, b)
            record([*pair.student.parameters(), *pair.teacher.parameters()])
        print(epoch, loss)


if __name__ == "__main__":
    train(lambda parameters: None)
