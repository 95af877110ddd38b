import torch


class Updating:
    net: torch.nn.Module

    def use_adam(self, lr):
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def advance(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
