from torch import nn


def teacher_net():
    return nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 6)).eval().requires_grad_(False)


def student_net():
    return nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 6))
