import torch


class WindField:
    """A turbine that is paid for standing in the wind."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def look(self):
        self.wind = torch.randn(4, generator=self.g)
        return self.wind

    def pay(self, action):
        return float(self.wind[action])
