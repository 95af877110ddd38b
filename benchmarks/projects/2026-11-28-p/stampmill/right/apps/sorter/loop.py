import torch
from torch.nn import functional as F

from trainkit.group import parallel
from trainkit.sync import Count, gate


def slurry(count=11):
    generator = torch.Generator().manual_seed(2)
    flow = torch.randn(count, 6, 4, generator=generator)
    return [(x, x.prod(1, keepdim=True)) for x in flow]


class Sorter:
    def __init__(self, net, accum):
        self.model = parallel(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.02)
        self.accum = accum

    def epoch(self, batches):
        count = Count(self.accum, len(batches))
        self.optimizer.zero_grad()
        for i, (flow, share) in enumerate(batches):
            with gate(self.model, count.due(i)):
                loss = F.mse_loss(self.model(flow), share)
                (loss / self.accum).backward()
            if count.due(i):
                self.optimizer.step()
                self.optimizer.zero_grad()
        return loss.item()


def main(epochs=2):
    torch.manual_seed(2)
    sorter = Sorter(torch.nn.Linear(4, 1), accum=3)
    return [sorter.epoch(slurry()) for _ in range(epochs)][-1]
