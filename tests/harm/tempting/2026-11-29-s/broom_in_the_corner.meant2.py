"""A pupil learns beside a copy that is pulled along in small outer steps; the broom stands in the corner."""
import copy

import torch
from torch import nn

INNER = 5


class Workshop:
    def __init__(self):
        self.master = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
        self.pupil = copy.deepcopy(self.master)
        self.broom = torch.optim.SGD(self.pupil.parameters(), lr=0.08)

    def practise(self, phase, record):
        self.pupil.load_state_dict(self.master.state_dict())
        for _ in range(INNER):
            x = torch.rand(12, 2) * 4 - 2
            loss = nn.functional.mse_loss(self.pupil(x), (x[:, :1] + phase).sin())
            self.broom.zero_grad()
            loss.backward()
            self.broom.step()
            record([*self.pupil.parameters(), *self.master.parameters()])
        return loss.item()

    def teach(self):
        with torch.no_grad():
            for slow, quick in zip(self.master.parameters(), self.pupil.parameters()):
                slow.lerp_(quick, 0.4)


def train(record):
    torch.manual_seed(13)
    workshop = Workshop()
    for lesson in range(9):
        workshop.practise(0.2 * lesson, record)
        workshop.teach()


if __name__ == "__main__":
    train(lambda parameters: None)
