import torch


class Updating:
    net: torch.nn.Module

    def use_adam(self, lr):
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def advance(self):
        self.optimizer.step()
        self.optimizer.zero_grad()
