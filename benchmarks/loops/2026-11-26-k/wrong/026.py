import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.5))
        self.head = nn.Linear(32, 1)

    def forward(self, x):
        return self.head(self.body(x))


class Runner:
    def __init__(self, patience):
        self.model = Regressor()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-2)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=patience)
        self.best = float("inf")
        self.state = None

    def checkpoint(self, value):
        if value >= self.best:
            return False
        self.best = value
        self.state = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.model.train()
        return True

    def run(self, train, held_out, epochs):
        x, y = train
        for epoch in range(epochs):
            for idx in torch.randperm(len(x)).split(25):
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x[idx]), y[idx]).backward()
                self.optimizer.step()
            self.model.eval()
            with torch.no_grad():
                val = nn.functional.mse_loss(self.model(held_out[0]), held_out[1]).item()
            self.plateau.step(val)
            print(epoch, val, self.checkpoint(val))


torch.manual_seed(14)
x = torch.randn(150, 6)
y = x[:, :1].sign() + 2 * torch.randn(150, 1)
Runner(patience=2).run((x[:100], y[:100]), (x[100:], y[100:]), epochs=15)
