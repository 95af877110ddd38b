"""A curriculum of crops: who reads the small ones well is given more of them."""
import torch
from torch import nn


class Course:
    def __init__(self, good_enough):
        self.good_enough, self.level = good_enough, 1

    @property
    def crops(self):
        return 2 * self.level

    def judge(self, worst):
        if worst < self.good_enough and self.level < 4:
            self.level += 1

    def cut(self, wave):
        for start in torch.randint(0, 32 - 8, (self.crops,)).tolist():
            yield wave[:, start : start + 8]


def train(record):
    torch.manual_seed(176)
    net = nn.Sequential(nn.Linear(8, 20), nn.Tanh(), nn.Linear(20, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.02)
    course = Course(good_enough=0.12)
    for _ in range(40):
        speed = 0.3 + torch.rand(24, 1)
        wave = torch.sin(speed * torch.arange(32.0) + 6 * torch.rand(24, 1))
        opt.zero_grad()
        worst = 0.0
        for crop in course.cut(wave):
            loss = nn.functional.mse_loss(net(crop), speed)
            loss.backward()
            worst = max(worst, loss.item())
        opt.step()
        record(list(net.parameters()))
        course.judge(worst)
    return course.level


if __name__ == "__main__":
    train(lambda parameters: None)
