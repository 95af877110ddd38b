import torch


class Duo:
    """Two optimizers that go hand in hand."""

    def __init__(self, mould, wick, rates, decay):
        self.optimizers = [
            torch.optim.AdamW(mould.parameters(), lr=rates["mould"], weight_decay=decay),
            torch.optim.AdamW(wick.parameters(), lr=rates["wick"], weight_decay=decay),
        ]

    def clear(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def settle(self):
        for optimizer in self.optimizers:
            optimizer.step()
        self.clear()
