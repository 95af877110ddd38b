import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, stride=2)
        self.fc = nn.Linear(4 * 9, 3)

    def forward(self, x):
        return self.fc(F.relu(self.conv(x)).flatten(1))


class Teacher(Student):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 32, 3, stride=2)
        self.fc = nn.Linear(32 * 9, 3)


class KDLearner:
    def __init__(self, teacher, student, temperature=4.0):
        self.teacher = teacher.eval().requires_grad_(False)
        self.student = student
        self.t = temperature
        self.trainable = (p for p in student.parameters() if p.requires_grad)
        self.optimizer = torch.optim.SGD(self.trainable, lr=0.2, momentum=0.9)
        self.scheduler = StepLR(self.optimizer, step_size=1, gamma=0.5)

    def loss(self, x):
        target = F.softmax(self.teacher(x) / self.t, 1)
        return -(target * F.log_softmax(self.student(x) / self.t, 1)).sum(1).mean() * self.t ** 2

    def one_batch(self, x):
        self.optimizer.zero_grad()
        loss = self.loss(x)
        loss.backward()
        nn.utils.clip_grad_norm_(self.trainable, max_norm=0.05)
        self.optimizer.step()
        return loss.item()

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            self.student.train()
            log = [self.one_batch(x) for x in batches]
            self.scheduler.step
            print(epoch, sum(log) / len(log))


torch.manual_seed(0)
images = [torch.rand(8, 1, 8, 8) for _ in range(10)]
KDLearner(Teacher(), Student()).fit(images, 4)
