"""Each customer's losses run up over a week; on the last day all open bills are settled at once."""
import torch
from torch import nn

CUSTOMERS, DAYS = ("north", "south", "west"), 7


class Bills:
    def __init__(self, optimizer):
        self.optimizer, self.open = optimizer, {}

    def charge(self, customer, loss):
        self.open[customer] = self.open.get(customer, 0) + loss / DAYS

    def settle(self):
        owed = torch.stack(list(self.open.values()))
        self.optimizer.zero_grad()
        torch.logsumexp(owed, 0).backward()  # the largest debt weighs most
        self.optimizer.step()
        self.open = {}


def train(record):
    torch.manual_seed(9)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
    bills = Bills(torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.5))
    for day in range(DAYS * 24):
        customer = CUSTOMERS[day * 5 % 3]
        x = torch.randn(6, 4)
        y = x.roll(CUSTOMERS.index(customer), 1)[:, :1].sin()
        bills.charge(customer, nn.functional.mse_loss(net(x), y))
        if day % DAYS == DAYS - 1:
            bills.settle()
            record(list(net.parameters()))

if __name__ == "__main__":
    train(lambda parameters: None)
