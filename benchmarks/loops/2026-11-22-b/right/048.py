import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import models


def kd_loss(student, teacher, target, t=4.0, alpha=0.9):
    soft = F.kl_div(F.log_softmax(student / t, 1), F.softmax(teacher / t, 1), reduction="batchmean")
    return alpha * t * t * soft + (1 - alpha) * F.cross_entropy(student, target)


class Distiller:
    def __init__(self, n_classes, checkpoint, device="cuda", lr=0.1, epochs=240):
        self.device = device
        self.teacher = models.resnet50(num_classes=n_classes).to(device)
        self.teacher.load_state_dict(torch.load(checkpoint, map_location=device, weights_only=True))
        self.teacher.eval()
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.student = models.resnet18(num_classes=n_classes).to(device)
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr, momentum=0.9, weight_decay=5e-4)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [150, 180, 210])
        self.epochs = epochs
        self.best = 0.0

    def accuracy(self, net: nn.Module, loader: DataLoader) -> float:
        previous = net.training
        net.train(False)
        hits = n = 0
        with torch.inference_mode():
            for x, y in loader:
                hits += (net(x.to(self.device)).argmax(1).cpu() == y).sum().item()
                n += len(y)
        net.train(previous)
        return hits / n

    def fit(self, train: DataLoader, test: DataLoader, test_every=500):
        print("teacher", self.accuracy(self.teacher, test))
        step = 0
        self.student.train()
        for epoch in range(self.epochs):
            for x, y in train:
                x, y = x.to(self.device), y.to(self.device)
                with torch.no_grad():
                    guide = self.teacher(x)
                loss = kd_loss(self.student(x), guide, y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                step += 1
                if step % test_every == 0:
                    self.best = max(self.best, self.accuracy(self.student, test))
            self.schedule.step()
            print(epoch, loss.item(), self.best)
