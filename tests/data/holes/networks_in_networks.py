# === a network that another is made around samples in evaluation mode, and stays there
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Objective(nn.Module):
    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.steps = steps

    def forward(self, x):
        t = torch.randint(self.steps, size=(x.shape[0],))
        return self.losses(x, t)

    def losses(self, x, t):
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(x + noise * t), noise)


class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        for _ in range(10):
            x = self.model(x)
        return x


def train(loader, epochs):
    def generate():
        with torch.no_grad():
            net.eval()
            print(Sampler(net)(torch.randn(4, 4)))

    net = Net()
    objective = Objective(net, 1000)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            objective(x).backward()
            optimizer.step()
        generate()  # <- missing-train-mode
# === right: it goes back
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Objective(nn.Module):
    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.steps = steps

    def forward(self, x):
        t = torch.randint(self.steps, size=(x.shape[0],))
        return self.losses(x, t)

    def losses(self, x, t):
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(x + noise * t), noise)


class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        for _ in range(10):
            x = self.model(x)
        return x


def train(loader, epochs):
    def generate():
        with torch.no_grad():
            net.eval()
            print(Sampler(net)(torch.randn(4, 4)))

    net = Net()
    objective = Objective(net, 1000)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        net.train()
        for x in loader:
            optimizer.zero_grad()
            objective(x).backward()
            optimizer.step()
        generate()
# === right: what was made around it goes back, and it with that
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Objective(nn.Module):
    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.steps = steps

    def forward(self, x):
        t = torch.randint(self.steps, size=(x.shape[0],))
        return self.losses(x, t)

    def losses(self, x, t):
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(x + noise * t), noise)


class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        for _ in range(10):
            x = self.model(x)
        return x


def train(loader, epochs):
    def generate():
        with torch.no_grad():
            net.eval()
            print(Sampler(net)(torch.randn(4, 4)))

    net = Net()
    objective = Objective(net, 1000)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        objective.train()
        for x in loader:
            optimizer.zero_grad()
            objective(x).backward()
            optimizer.step()
        generate()
# === gradients of such a network are never cleared
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Objective(nn.Module):
    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.steps = steps

    def forward(self, x):
        t = torch.randint(self.steps, size=(x.shape[0],))
        return self.losses(x, t)

    def losses(self, x, t):
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(x + noise * t), noise)


class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        for _ in range(10):
            x = self.model(x)
        return x


def train(loader, epochs):
    net = Net()
    objective = Objective(net, 1000)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x in loader:
            objective(x).backward()
            optimizer.step()  # <- missing-zero-grad
# === right: what was made around it clears them
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Objective(nn.Module):
    def __init__(self, model, steps):
        super().__init__()
        self.model = model
        self.steps = steps

    def forward(self, x):
        t = torch.randint(self.steps, size=(x.shape[0],))
        return self.losses(x, t)

    def losses(self, x, t):
        noise = torch.randn_like(x)
        return F.mse_loss(self.model(x + noise * t), noise)


class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, x):
        for _ in range(10):
            x = self.model(x)
        return x


def train(loader, epochs):
    net = Net()
    objective = Objective(net, 1000)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(epochs):
        for x in loader:
            objective(x).backward()
            torch.nn.utils.clip_grad_norm_(objective.parameters(), 1.0)
            optimizer.step()
            objective.zero_grad()
# === right: a teacher rests for good
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Distillation(nn.Module):
    def __init__(self, student, teacher):
        super().__init__()
        self.student = student
        self.teacher = teacher

    def forward(self, x):
        with torch.no_grad():
            target = self.teacher(x)
        return F.mse_loss(self.student(x), target)


def train(loader, held_out, epochs):
    student, teacher = Net(), Net()
    objective = Distillation(student, teacher)
    optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3)
    for epoch in range(epochs):
        student.train()
        for x in loader:
            optimizer.zero_grad()
            objective(x).backward()
            optimizer.step()
        with torch.no_grad():
            teacher.eval()
            print(sum(teacher(x).mean().item() for x in held_out))
# === right: the same, and its parameters are nobody's
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


class Distillation(nn.Module):
    def __init__(self, student, teacher):
        super().__init__()
        self.student = student
        self.teacher = teacher

    def forward(self, x):
        target = self.teacher(x)
        return F.mse_loss(self.student(x), target)


def train(loader, held_out, epochs):
    student, teacher = Net(), Net()
    objective = Distillation(student, teacher)
    optimizer = torch.optim.AdamW(student.parameters(), lr=1e-3)
    for epoch in range(epochs):
        student.train()
        for x in loader:
            optimizer.zero_grad()
            objective(x).backward()
            optimizer.step()
        with torch.no_grad():
            teacher.eval()
            print(sum(teacher(x).mean().item() for x in held_out))
# === right: the generator's loss asks the critic, which is cleared before it learns
import torch
import torch.nn.functional as F
from torch import nn


class Adversarial(nn.Module):
    def __init__(self, critic):
        super().__init__()
        self.critic = critic

    def forward(self, fake):
        return F.softplus(-self.critic(fake)).mean()


def train(generator, critic, loader):
    adversarial = Adversarial(critic)
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=1e-4)
    optimizer_d = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for real, z in loader:
        optimizer_g.zero_grad()
        loss_g = adversarial(generator(z))
        loss_g.backward()
        optimizer_g.step()
        optimizer_d.zero_grad()
        loss_d = F.softplus(-critic(real)).mean() + F.softplus(critic(generator(z).detach())).mean()
        loss_d.backward()
        optimizer_d.step()
