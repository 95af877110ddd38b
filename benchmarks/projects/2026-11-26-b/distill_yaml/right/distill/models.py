from torch import nn


def mlp(features, hidden, classes, dropout):
    return nn.Sequential(
        nn.Linear(features, hidden),
        nn.BatchNorm1d(hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, classes),
    )


def make_teacher(features, classes):
    teacher = mlp(features, 64, classes, dropout=0.0)
    for parameter in teacher.parameters():
        parameter.requires_grad_(False)
    return teacher


def make_student(features, classes):
    return mlp(features, 24, classes, dropout=0.2)
