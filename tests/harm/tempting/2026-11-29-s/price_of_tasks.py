"""Two tasks with learned prices: the network pays per batch, the prices are settled once a day."""
import torch
from torch import nn
from torch.nn.functional import l1_loss, mse_loss


class Market(nn.Module):
    def __init__(self):
        super().__init__()
        self.stall = nn.Sequential(nn.Linear(5, 10), nn.Tanh())
        self.fish, self.bread = nn.Linear(10, 1), nn.Linear(10, 1)

    def forward(self, x):
        goods = self.stall(x)
        return self.fish(goods), self.bread(goods)


def train(record):
    torch.manual_seed(12)
    market, prices = Market(), nn.Parameter(torch.zeros(2))
    trade = torch.optim.SGD(market.parameters(), lr=0.1)
    council = torch.optim.SGD([prices], lr=0.5)
    everything = [*market.parameters(), prices]
    x = torch.randn(60, 5)
    fish, bread = x.sum(1, keepdim=True).sin(), 4 * x[:, :1]
    for day in range(8):
        bills = []
        for rows in torch.randperm(60).split(12):
            trade.zero_grad()
            caught, baked = market(x[rows])
            errors = torch.stack([l1_loss(caught, fish[rows]), mse_loss(baked, bread[rows])])
            (errors * prices.detach().neg().exp()).sum().backward()
            trade.step()
            record(everything)
            bill = (errors.detach() * prices.neg().exp() + prices).sum()
            bills.append(bill)
        council.zero_grad()
        torch.stack(bills).mean().backward()
        council.step()
        record(everything)


if __name__ == "__main__":
    train(lambda parameters: None)
