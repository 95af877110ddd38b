import torch
from torch import nn


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 24), nn.ReLU())
        self.out = nn.Linear(24, 6)

    def forward(self, x):
        return self.out(self.body(x))


class Distiller:
    def __init__(self, teacher, student, lr):
        self.teacher, self.student = teacher.eval().requires_grad_(False), student
        self.optimizer = torch.optim.SGD(student.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**13)

    @torch.no_grad()
    def targets(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.teacher(x).float()

    def update(self, x, record):
        wanted = self.targets(x)
        self.optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            found = self.student(x)
            loss = nn.functional.mse_loss(found, wanted.to(found.dtype)) * 1e-4
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        record(list(self.student.parameters()))
        return loss.item()


def train(record):
    torch.manual_seed(607)
    teacher = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 6))
    distiller = Distiller(teacher, Student(), lr=500.0)
    data = torch.randn(64, 10)
    for epoch in range(3):
        losses = [distiller.update(x, record) for x in data.split(8)]
        print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    train(lambda parameters: None)
