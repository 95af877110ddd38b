import tempfile
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def setup():
    store = tempfile.mktemp()
    dist.init_process_group("gloo", init_method="file://" + store, world_size=1, rank=0)


def main(epochs=3):
    setup()
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 2, (64,)))
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0, shuffle=True, seed=5)
    loader = DataLoader(dataset, batch_size=16, sampler=sampler)
    model = DistributedDataParallel(torch.nn.Linear(10, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        first = None
        for x, y in loader:
            first = x[0, 0].item() if first is None else first
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item(), first)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
