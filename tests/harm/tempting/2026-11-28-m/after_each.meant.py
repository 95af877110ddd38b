"""Distillation in windows; the temperature falls with the batches, the rate with the updates."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR


class Course:
    def __init__(self, opt, total_updates):
        self.temperature = 4.0
        self.schedule = LambdaLR(opt, lambda update: max(0.0, 1 - update / total_updates))

    def after_each(self):
        self.temperature = max(1.0, 0.95 * self.temperature)


def distance(student, teacher, t):
    return F.kl_div((student / t).log_softmax(1), (teacher / t).softmax(1), reduction="batchmean") * t * t


def train(record, window=3):
    torch.manual_seed(127)
    teacher = nn.Linear(5, 4).requires_grad_(False)
    student = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 4))
    opt = torch.optim.SGD(student.parameters(), lr=0.3)
    data = torch.randn(24, 10, 5)
    course = Course(opt, total_updates=len(data) // window)
    for n, x in enumerate(data, start=1):
        loss = distance(student(x), teacher(x), course.temperature)
        (loss / window).backward()
        if n % window == 0:
            opt.step()
            record(list(student.parameters()))
            course.schedule.step()
            opt.zero_grad()
        course.after_each()


if __name__ == "__main__":
    train(lambda parameters: None)
