import torch
from torch import nn


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.users = nn.Sequential(nn.Embedding(12, 8), nn.Tanh())
        self.items = nn.Sequential(nn.Embedding(15, 8), nn.Tanh())

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


def train(record):
    torch.manual_seed(656)
    tower = TwoTower()
    optimizers = [
        torch.optim.SGD(tower.users.parameters(), lr=0.5),
        torch.optim.SGD(tower.items.parameters(), lr=0.5),
    ]
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**5, growth_interval=3)
    taste = torch.randn(12, 15).sign()
    for epoch in range(3):
        for _ in range(6):
            user, item = torch.randint(0, 12, (16,)), torch.randint(0, 15, (16,))
            tower.zero_grad()
            loss = nn.functional.mse_loss(tower(user, item), taste[user, item])
            scaler.scale(loss).backward()
            for optimizer in optimizers:
                scaler.step(optimizer)
                scaler.update()
                record(list(tower.parameters()))
        print(epoch, loss.item(), scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
