import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

EPOCHS = 3
RESUMED_PASSES = 5


class CountingSampler(DistributedSampler):
    def __init__(self, dataset, passes):
        super().__init__(dataset, num_replicas=1, rank=0, shuffle=True, seed=9)
        self.passes = passes

    def set_epoch(self, epoch):
        self.passes = epoch

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.seed + self.passes)
        self.passes += 1
        return iter(torch.randperm(len(self.dataset), generator=generator).tolist())


def build_loader(passes):
    x = torch.randn(36, 4)
    y = torch.sin(x).sum(1, keepdim=True)
    dataset = TensorDataset(x, y)
    sampler = CountingSampler(dataset, passes)
    return DataLoader(dataset, batch_size=9, sampler=sampler)


def train(record):
    torch.manual_seed(47)
    loader = build_loader(RESUMED_PASSES)
    mlp = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
    adam = torch.optim.Adam(mlp.parameters(), lr=0.02)
    for epoch in range(EPOCHS):
        losses = []
        for x, y in loader:
            adam.zero_grad()
            loss = nn.functional.mse_loss(mlp(x), y)
            loss.backward()
            adam.step()
            record(list(mlp.parameters()))
            losses.append(loss.item())
        print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    train(lambda parameters: None)
