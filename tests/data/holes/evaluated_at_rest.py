# === right: a network whose parameters are detached keeps no graph
import torch


def test(net, loader):
    net.eval()
    total = 0
    for x, y in loader:
        total += (net(x) - y).abs().sum().item()
    return total


def main(Net, loader, held):
    student, teacher = Net(), Net()
    for p in teacher.parameters():
        p.detach_()
    opt = torch.optim.Adam(student.parameters())
    for epoch in range(9):
        student.train()
        teacher.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(student(x), teacher(x)).backward()
            opt.step()
        test(teacher, held)
# === the one that is trained does
import torch


def test(net, loader):
    net.eval()
    total = 0
    for x, y in loader:
        total += (net(x) - y).abs().sum().item()  # <- validation-without-no-grad
    return total


def main(Net, loader, held):
    student, teacher = Net(), Net()
    for p in teacher.parameters():
        p.requires_grad = False
    opt = torch.optim.Adam(student.parameters())
    for epoch in range(9):
        student.train()
        teacher.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(student(x), teacher(x)).backward()
            opt.step()
        test(student, held)
# === a frozen network has got another head since
import torch
from torch import nn
from torchvision import models


def test(net, loader):
    net.eval()
    total = 0
    for x, y in loader:
        total += (net(x) - y).abs().sum().item()  # <- validation-without-no-grad
    return total


def main(loader, held):
    net = models.resnet18(pretrained=True)
    for p in net.parameters():
        p.requires_grad = False
    net.fc = nn.Linear(512, 2)
    opt = torch.optim.Adam(net.fc.parameters())
    for epoch in range(9):
        net.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        test(net, held)
