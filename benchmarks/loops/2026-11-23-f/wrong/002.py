from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Opts:
    lr: float = 3e-3
    micro: int = 4
    updates: int = 12
    width: int = 16


class Learner:
    def __init__(self, o: Opts):
        self.o = o
        self.net = torch.nn.Sequential(
            torch.nn.Linear(5, o.width), torch.nn.Tanh(), torch.nn.Linear(o.width, 1)
        )
        self.adam = torch.optim.Adam(self.net.parameters(), lr=o.lr)
        self.gen = torch.Generator().manual_seed(0)

    def sample(self, n=16):
        x = torch.rand(n, 5, generator=self.gen)
        return x, x.prod(1, keepdim=True)

    def loss(self):
        x, y = self.sample()
        return F.smooth_l1_loss(self.net(x), y)

    def update(self):
        self.adam.zero_grad(set_to_none=True)
        acc = 0.0
        for _ in range(self.o.micro):
            l = self.loss()
            l.backward()
            acc += l.item() / self.o.micro
        self.adam.step()
        return acc

    def run(self):
        for k in range(self.o.updates):
            v = self.update()
            if k % 4 == 0:
                print("update", k, round(v, 5))


if __name__ == "__main__":
    Learner(Opts()).run()
