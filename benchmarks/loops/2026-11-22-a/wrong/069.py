import torch
from torch.amp import GradScaler, autocast
from torch.utils.data import DataLoader

from weather.era5 import Era5
from weather.model import SwinForecaster


def latitude_weighted(pred, target, weights):
    return ((pred - target).square() * weights[None, None, :, None]).mean()


class Train:
    def __init__(self, cfg, device="cuda"):
        self.cfg, self.device = cfg, device
        self.model = SwinForecaster(**cfg["model"]).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg["lr"], betas=(0.9, 0.95))
        self.scaler = GradScaler(device)
        self.weights = torch.cos(torch.deg2rad(torch.linspace(-90, 90, 721))).to(device)
        self.iteration = 0

    def grad_norm(self):
        self.scaler.unscale_(self.optimizer)
        grads = [p.grad.norm() for p in self.model.parameters() if p.grad is not None]
        return torch.stack(grads).norm().item()

    def step(self, x, y):
        with autocast(self.device, dtype=torch.bfloat16):
            pred = self.model(x)
        loss = latitude_weighted(pred.float(), y, self.weights)
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        norm = self.grad_norm()
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg["clip"])
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.iteration += 1
        return loss.item(), norm

    def run(self):
        loader = DataLoader(Era5(self.cfg["data"]), batch_size=self.cfg["batch"], shuffle=True, num_workers=16)
        for epoch in range(self.cfg["epochs"]):
            self.model.train()
            for x, y in loader:
                loss, norm = self.step(x.to(self.device), y.to(self.device))
                if self.iteration % 20 == 0:
                    print(f"{epoch} {self.iteration} {loss:.4f} |g|={norm:.3f}")
