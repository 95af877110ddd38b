"""A network whose own `forward` keeps gradients out is trained by nothing, and needs no mode; any other does."""

# === right: features without gradients, put to sleep by the evaluation
import torch
from torch import nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def forward(self, x):
        with torch.inference_mode():
            found = self.backbone(x)
        return found


def measure(model, probe, held):
    model.eval()
    with torch.no_grad():
        for x, y in held:
            print(F.cross_entropy(probe(model(x)), y))


def main(backbone, probe, opt, loader, held):
    features = Features(backbone)
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.cross_entropy(probe(features(x)), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(features, probe, held)
# === features that learn, put to sleep by the evaluation
import torch
from torch import nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def forward(self, x):
        with torch.autocast("cuda"):
            found = self.backbone(x)
        return found


def measure(model, probe, held):
    model.eval()
    with torch.no_grad():
        for x, y in held:
            print(F.cross_entropy(probe(model(x)), y))


def main(backbone, probe, opt, loader, held):
    features = Features(backbone)
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.cross_entropy(probe(features(x)), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(features, probe, held)  # <- missing-train-mode
# === only a part is kept out: what stands behind it learns
import torch
from torch import nn
import torch.nn.functional as F


class Classifier(nn.Module):
    def __init__(self, backbone, size):
        super().__init__()
        self.backbone, self.drop, self.line = backbone, nn.Dropout(0.5), nn.Linear(size, 10)

    def forward(self, x):
        with torch.no_grad():
            found = self.backbone(x)
        return self.line(self.drop(found))


def measure(model, held):
    model.eval()
    with torch.no_grad():
        for x, y in held:
            print(F.cross_entropy(model(x), y))


def main(backbone, probe, opt, loader, held):
    model = Classifier(backbone, 64)
    model.train()
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.cross_entropy(model(x), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(model, held)  # <- missing-train-mode
# === gradients are kept out on one way only
import torch
from torch import nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self, backbone, frozen):
        super().__init__()
        self.backbone, self.frozen = backbone, frozen

    def forward(self, x):
        if self.frozen:
            with torch.no_grad():
                found = self.backbone(x)
        else:
            found = self.backbone(x)
        return found


def measure(model, probe, held):
    model.eval()
    with torch.no_grad():
        for x, y in held:
            print(F.cross_entropy(probe(model(x)), y))


def main(backbone, probe, opt, loader, held):
    features = Features(backbone, False)
    for step, (x, y) in enumerate(loader):
        opt.zero_grad()
        F.cross_entropy(probe(features(x)), y).backward()
        opt.step()
        if step % 100 == 0:
            measure(features, probe, held)  # <- missing-train-mode
# === right: a decorated teacher gives what a student learns from
import torch
from torch import nn
import torch.nn.functional as F


class Teacher(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    @torch.no_grad()
    def forward(self, x):
        return self.net(x).softmax(1)


def fit(net, student, loader, held, epochs):
    teacher = Teacher(net)
    opt = torch.optim.SGD(student.parameters(), lr=0.1)
    for _ in range(epochs):
        student.train()
        for x in loader:
            opt.zero_grad()
            F.kl_div(student(x), teacher(x)).backward()
            opt.step()
        student.eval()
        teacher.eval()
        with torch.no_grad():
            print(sum(F.kl_div(student(x), teacher(x)) for x in held))
