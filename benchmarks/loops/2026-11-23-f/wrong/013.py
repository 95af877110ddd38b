import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Fitter:
    def __init__(self, dim, amp=True):
        self.model = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.amp = amp
        self.scaler = torch.amp.GradScaler("cpu", init_scale=512.0, enabled=amp)

    def training_step(self, x, y):
        with torch.autocast("cpu", dtype=torch.float16, enabled=self.amp):
            pred = self.model(x)
        return nn.functional.mse_loss(pred.float(), y)

    def fit(self, loader, epochs=3):
        for epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.training_step(x, y)
                self.scaler.scale(loss).backward()
                self.optimizer.step()
            print(epoch, loss.item())


if __name__ == "__main__":
    x = torch.randn(80, 5)
    Fitter(5).fit(DataLoader(TensorDataset(x, x.amax(1, keepdim=True)), batch_size=20))
