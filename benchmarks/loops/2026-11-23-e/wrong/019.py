import torch
from torch import nn


class Engine:
    """Runs mixed precision training; falls back to float32 where there is no GPU."""

    def __init__(self, model, lr=1e-3, amp=torch.cuda.is_available()):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.amp = amp
        self.model = model.to(self.device)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler(self.device, enabled=amp)
        self.step_count = 0

    def training_step(self, batch):
        x, y = (t.to(self.device) for t in batch)
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.amp):
            return nn.functional.mse_loss(self.model(x), y)

    def optimizer_step(self, loss):
        self.opt.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.opt)
        self.step_count += 1

    def fit(self, data, epochs):
        for epoch in range(epochs):
            self.model.train()
            acc = 0.0
            for batch in data:
                loss = self.training_step(batch)
                self.optimizer_step(loss)
                acc += loss.item()
            print(f"{epoch=} loss={acc / len(data):.4f} steps={self.step_count}")


def toy_data(n=12, bs=16):
    w = torch.randn(7, 2)
    out = []
    for _ in range(n):
        x = torch.randn(bs, 7)
        out.append((x, x @ w + 0.01 * torch.randn(bs, 2)))
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    Engine(nn.Sequential(nn.Linear(7, 32), nn.Mish(), nn.Linear(32, 2))).fit(toy_data(), 3)
