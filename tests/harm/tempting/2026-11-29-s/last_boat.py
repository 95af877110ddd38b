"""A ferry leaves when four are on board; the last boat of the day takes who is left, the last trip ends all."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SEATS = 4
TRIPS = 26


def train(record):
    torch.manual_seed(707)
    x = torch.randn(110, 3)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1, keepdim=True)), batch_size=10, shuffle=True)
    net = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.15, momentum=0.5)
    trips = 0

    def depart():
        nonlocal trips
        optimizer.step()
        record(list(net.parameters()))
        optimizer.zero_grad()
        trips += 1

    while True:
        for number, (passengers, fare) in enumerate(loader, 1):
            (nn.functional.mse_loss(net(passengers), fare) / SEATS).backward()
            if number % SEATS == 0:
                depart()
                if trips == TRIPS:
                    break
        else:
            if number % SEATS:
                depart()
            if trips < TRIPS:
                continue
        break


if __name__ == "__main__":
    train(lambda parameters: None)
