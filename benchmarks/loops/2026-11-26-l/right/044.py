import tempfile
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class EpochIterator:
    def __init__(self, dataset, batch_size):
        self.sampler = DistributedSampler(dataset, shuffle=True)
        self.loader = DataLoader(dataset, batch_size=batch_size, sampler=self.sampler)

    def __call__(self, epoch):
        self.sampler.set_epoch(epoch)
        yield from self.loader


def main():
    dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)
    torch.manual_seed(0)
    batches = EpochIterator(TensorDataset(torch.randn(40, 3), torch.randn(40, 1)), 10)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(3, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for x, y in batches(epoch):
            opt.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            opt.step()
        print(epoch, loss.item(), x[0, 0].item())
    dist.destroy_process_group()


main()
