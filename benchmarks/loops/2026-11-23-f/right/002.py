import torch
import torch.nn as nn


class Runner:
    def __init__(self, accumulate=4, total_updates=15):
        torch.manual_seed(0)
        self.net = nn.Linear(6, 2)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=1e-2)
        self.accumulate = accumulate
        self.total_updates = total_updates
        self.data = [(torch.randn(8, 6), torch.randint(0, 2, (8,))) for _ in range(10)]

    def batches(self):
        while True:
            for i in torch.randperm(len(self.data)).tolist():
                yield self.data[i]

    def run(self):
        source = self.batches()
        update = 0
        while update < self.total_updates:
            self.opt.zero_grad()
            losses = []
            for _ in range(self.accumulate):
                x, y = next(source)
                loss = nn.functional.cross_entropy(self.net(x), y) / self.accumulate
                loss.backward()
                losses.append(loss.detach())
            self.opt.step()
            update += 1
            if update % 5 == 0:
                print(update, torch.stack(losses).sum().item())


if __name__ == "__main__":
    Runner().run()
