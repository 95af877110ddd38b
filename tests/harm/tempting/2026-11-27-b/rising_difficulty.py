import torch
from torch import nn
from torch.nn import functional as F

SETTINGS = {"window": 4, "rate": 0.08, "enough": 0.6, "epochs": 3}


class Curriculum:
    def __init__(self, enough):
        self.enough, self.level, self.recent = enough, 1, []

    def tell(self, value):
        self.recent.append(value)
        last = self.recent[-4:]
        if len(last) == 4 and sum(last) / 4 < self.enough:
            self.level += 1
            self.recent.clear()

    def sample(self, n):
        x = self.level * torch.randn(n, 3)
        return x, (x.sum(1) > 0).long()


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 10), nn.Linear(10, 2)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def train(record):
    torch.manual_seed(30)
    student = Student()
    school = Curriculum(SETTINGS["enough"])
    opt = torch.optim.SGD(student.parameters(), lr=SETTINGS["rate"])
    for epoch in range(SETTINGS["epochs"]):
        for micro in range(1, 13):
            x, y = school.sample(10)
            loss = F.cross_entropy(student(x), y)
            loss.backward()
            if micro % SETTINGS["window"] == 0:
                opt.step()
                record(list(student.parameters()))
                opt.zero_grad()
            school.tell(loss.item())
        print(epoch, school.level, loss.item())


if __name__ == "__main__":
    train(lambda parameters: None)
