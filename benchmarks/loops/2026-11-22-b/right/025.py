import torch
from torch import nn
from torch.utils.data import DataLoader

from weather.data import Trajectories
from weather.model import GraphForecaster


class RolloutTrainer:
    """Feeds the model its own forecast for a growing number of steps."""

    def __init__(self, net: nn.Module, lr: float = 1e-3, max_horizon: int = 12):
        self.net = net
        self.max_horizon = max_horizon
        self.horizon = 1
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.1)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=100)

    def rollout_loss(self, states):
        current, loss = states[:, 0], 0.0
        per_step = []
        for t in range(1, self.horizon + 1):
            current = current + self.net(current)
            error = (current - states[:, t]).square().mean()
            per_step.append(error)
            loss = loss + error
        return loss / self.horizon, [e.item() for e in per_step]

    def fit(self, loader: DataLoader, epochs: int):
        for epoch in range(epochs):
            self.net.train()
            self.horizon = min(self.max_horizon, 1 + epoch // 8)
            curve = torch.zeros(self.horizon)
            for states in loader:
                loss, errors = self.rollout_loss(states)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 32.0)
                self.optimizer.step()
                curve += torch.tensor(errors)
            self.schedule.step()
            print(epoch, self.horizon, (curve / len(loader)).tolist())


def main(root: str, epochs: int = 100):
    loader = DataLoader(Trajectories(root, length=13), batch_size=8, shuffle=True)
    RolloutTrainer(GraphForecaster()).fit(loader, epochs)


if __name__ == "__main__":
    main("data/era5")
