"""Plates of 24 cells are too large for one pass: they go through the network slice by slice."""
import torch
from torch import nn

SLICE = 4


class Plates(torch.utils.data.Dataset):
    def __init__(self, count):
        self.cells = torch.randn(count, 24, 6)

    def __len__(self):
        return len(self.cells)

    def __getitem__(self, at):
        cells = self.cells[at]
        return cells, (cells.mean(1) > 0).long()


def update(net, optimizer, cells, labels):
    optimizer.zero_grad()
    seen = 0.0
    for x, y in zip(cells.split(SLICE), labels.split(SLICE)):
        loss = nn.functional.cross_entropy(net(x), y)
        (loss * len(x) / len(cells)).backward()
        seen += loss.item()
    optimizer.step()
    return seen


def train(record):
    torch.manual_seed(202)
    net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.5)
    plates = Plates(8)
    for _ in range(3):
        for cells, labels in plates_in_turn(plates):
            update(net, optimizer, cells, labels)
            record(list(net.parameters()))


def plates_in_turn(plates):
    for at in torch.randperm(len(plates)).tolist():
        yield plates[at]

if __name__ == "__main__":
    train(lambda parameters: None)
