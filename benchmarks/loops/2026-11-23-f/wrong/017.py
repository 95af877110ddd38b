import torch
from torch import nn


class AmpTrainer:
    log_every = 4

    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.net = nn.Linear(10, 4).to(self.device)
        self.optim = torch.optim.SGD(self.net.parameters(), lr=0.1, nesterov=True, momentum=0.9)
        self.scaler = torch.amp.GradScaler(self.device, enabled=self.device == "cuda")

    def batch(self):
        x = torch.randn(16, 10, device=self.device)
        return x, x[:, :4].argmax(1)

    def run(self, n=20):
        for i in range(n):
            x, y = self.batch()
            with torch.autocast(self.device, dtype=torch.float16, enabled=self.device == "cuda"):
                loss = nn.functional.cross_entropy(self.net(x), y)
            self.optim.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optim)
            if (i + 1) % self.log_every == 0:
                self.scaler.update()
                print(i + 1, loss.item(), self.scaler.get_scale())


if __name__ == "__main__":
    AmpTrainer().run()
