import torch
from torch import nn


class Trainer:
    def __init__(self, hidden=24):
        torch.manual_seed(2)
        self.model = nn.Sequential(nn.Linear(8, hidden), nn.GELU(), nn.Linear(hidden, 8))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, gamma=0.5)
        self.step_count = 0

    def train_step(self, batch):
        self.optimizer.zero_grad()
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            pred = self.model(batch)
            loss = nn.functional.mse_loss(pred.float(), batch.flip(1))
            loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step_count += 1
        return loss.item()

    def train(self, epochs=4, per_epoch=6):
        for e in range(epochs):
            mean = sum(self.train_step(torch.randn(16, 8)) for _ in range(per_epoch)) / per_epoch
            self.scheduler.step()
            print(e, mean, self.step_count)


if __name__ == "__main__":
    Trainer().train()
