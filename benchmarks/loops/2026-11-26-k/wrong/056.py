import torch
from torch import nn
import torch.nn.functional as F


def make(width):
    return nn.Sequential(nn.Linear(12, width), nn.ReLU(), nn.Linear(width, 5))


def kd_loss(student, teacher, T=3.0):
    return F.kl_div((student / T).log_softmax(1), (teacher / T).softmax(1), reduction="batchmean") * T * T


def distill(teacher, student, batches, epochs):
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.3)
    teacher.eval()
    for epoch in range(epochs):
        scheduler.step()
        student.train()
        for x in batches:
            with torch.no_grad():
                soft = teacher(x)
            loss = kd_loss(student(x), soft)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, optimizer.param_groups[0]["lr"], loss.item())


torch.manual_seed(48)
distill(make(64), make(8), [torch.randn(32, 12) for _ in range(6)], epochs=5)
