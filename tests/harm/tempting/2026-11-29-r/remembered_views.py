"""The frozen stem looks at each batch once; later epochs ask for its features by the batch's number."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

EPOCHS = 6


class Memory:
    def __init__(self, stem):
        self.stem, self.pages = stem.requires_grad_(False), {}

    def features(self, number, x):
        if number not in self.pages:
            self.pages[number] = self.stem(x)
        return self.pages[number]


def train(record):
    torch.manual_seed(28)
    x = torch.randn(56, 5)
    data = TensorDataset(x, (x[:, :1] + x[:, 1:2] * x[:, 2:3]).tanh())
    order = DistributedSampler(data, num_replicas=1, rank=0, shuffle=True, seed=4)
    loader = DataLoader(data, batch_size=8, sampler=order)
    memory = Memory(nn.Sequential(nn.Linear(5, 40), nn.Tanh()))
    head = nn.Sequential(nn.Linear(40, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(head.parameters(), lr=0.2, momentum=0.5)
    for _ in range(EPOCHS):
        for number, (inputs, targets) in enumerate(loader):
            optimizer.zero_grad()
            guess = head(memory.features(number, inputs))
            nn.functional.mse_loss(guess, targets).backward()
            optimizer.step()
            record(list(head.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
