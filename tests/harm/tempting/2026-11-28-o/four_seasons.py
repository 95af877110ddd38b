import torch
from torch import nn

SEASONS = ("winter", "spring", "summer", "autumn")
HOURS = torch.tensor([300.0, 500.0, 820.0, 380.0])


class Station:
    """One season of sun readings after the other, for ever."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self, season, size=10):
        x = torch.randn(size, 4, generator=self.gen) + SEASONS.index(season)
        return x, x.sin().sum(1, keepdim=True)


def mean_error(net, station, season):
    x, y = station.sample(season)
    return nn.functional.huber_loss(net(x), y)


def train(record):
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(4, 16), nn.GELU(), nn.Linear(16, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.8)
    station = Station(seed=9)
    # a season counts as long as its sun shines
    shares = HOURS / HOURS.sum()
    history = {season: [] for season in SEASONS}
    for update in range(30):
        opt.zero_grad(set_to_none=True)
        for season, share in zip(SEASONS, shares):
            loss = mean_error(net, station, season)
            (share * loss).backward()
            history[season].append(loss.item())
        opt.step()
        record(list(net.parameters()))
    return history


if __name__ == "__main__":
    train(lambda parameters: None)
