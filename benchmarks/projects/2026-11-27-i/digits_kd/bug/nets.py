from torch import nn


def teacher_net(dim=20, classes=4):
    return nn.Sequential(nn.Linear(dim, 128), nn.Tanh(), nn.Linear(128, classes))


def student_net(dim=20, classes=4):
    return nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, classes))
