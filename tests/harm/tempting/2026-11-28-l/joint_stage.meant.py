"""First the encoder alone, then encoder and decoder together, through one `advance`."""
import torch
from torch import nn
from torch.nn import functional as F


class Trainer:
    def __init__(self, record):
        self.record = record
        self.encoder, self.decoder = nn.Linear(8, 3), nn.Linear(3, 8)
        self.opts = {
            "encoder": torch.optim.SGD(self.encoder.parameters(), lr=0.2),
            "decoder": torch.optim.SGD(self.decoder.parameters(), lr=0.2),
        }
        self.scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=1, growth_factor=1.5)

    def clear(self):
        for opt in self.opts.values():
            opt.zero_grad()

    def advance(self, part):
        opt = self.opts[part]
        self.scaler.step(opt)
        self.record(opt.param_groups[0]["params"])

    def alone(self, x):
        self.clear()
        code = self.encoder(x)
        loss = F.mse_loss(code, x[:, :3]) + 1e-2 * code.abs().mean()
        self.scaler.scale(loss).backward()
        self.advance("encoder")
        self.scaler.update()

    def together(self, x):
        self.clear()
        loss = F.mse_loss(self.decoder(torch.tanh(self.encoder(x))), x)
        self.scaler.scale(loss).backward()
        for part in self.opts:
            self.advance(part)
        self.scaler.update()


def train(record):
    torch.manual_seed(112)
    trainer = Trainer(record)
    for i, x in enumerate(torch.randn(20, 16, 8)):
        trainer.alone(x) if i < 8 else trainer.together(x)


if __name__ == "__main__":
    train(lambda parameters: None)
