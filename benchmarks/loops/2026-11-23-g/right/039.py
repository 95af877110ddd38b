import itertools

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(5)


def net(width):
    return nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 4))


class Distill:
    def __init__(self, micro_per_update, temperature=3.0):
        self.teacher = net(64)
        self.student = net(6)
        self.temperature = temperature
        self.micro = micro_per_update
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1, momentum=0.9)
        self.share = torch.tensor(1.0 / micro_per_update)

    @torch.no_grad()
    def soft(self, x):
        return F.softmax(self.teacher(x) / self.temperature, -1)

    def kd_loss(self, x):
        log_p = F.log_softmax(self.student(x) / self.temperature, -1)
        return F.kl_div(log_p, self.soft(x), reduction="batchmean") * self.temperature ** 2

    def update(self, stream):
        seen = []
        self.optimizer.zero_grad()
        for x in itertools.islice(stream, self.micro):
            loss = self.kd_loss(x)
            loss.backward(self.share)
            seen.append(loss.detach())
        self.optimizer.step()
        return torch.stack(seen).mean().item()


def unlabeled():
    while True:
        yield torch.randn(8, 6)


distill, stream = Distill(5), unlabeled()
curve = [distill.update(stream) for _ in range(12)]
print("first", curve[0], "last", curve[-1])
