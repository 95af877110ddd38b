import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"])

    def flush(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip"])
        self.opt.step()
        self.opt.zero_grad()

    def run_epoch(self, loader):
        k = self.cfg["accumulate"]
        total = 0.0
        for i, (x, y) in enumerate(loader, 1):
            loss = nn.functional.mse_loss(self.model(x), y)
            (loss / len(loader)).backward()
            total += loss.item()
            if i % k == 0 or i == len(loader):
                self.flush()
        return total / len(loader)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(90, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=9, shuffle=True)
    trainer = Trainer(nn.Linear(4, 1), {"lr": 0.05, "clip": 5.0, "accumulate": 4})
    for epoch in range(3):
        print(epoch, trainer.run_epoch(loader))
