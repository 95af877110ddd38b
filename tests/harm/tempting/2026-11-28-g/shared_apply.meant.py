import torch
from torch import nn
from torch.nn import functional as F


def apply(opt):
    opt.step()
    opt.zero_grad(set_to_none=True)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 4))
        self.decoder = nn.Linear(4, 8)

    def forward(self, x):
        code = self.net(x)
        return code, self.decoder(code)


def train(record):
    torch.manual_seed(91)
    encoder, probe = Encoder(), nn.Linear(4, 3)
    encoder_opt = torch.optim.SGD(encoder.parameters(), lr=1e-3)
    probe_opt = torch.optim.SGD(probe.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=512.0)
    everything = [*encoder.parameters(), *probe.parameters()]
    xs = torch.randn(6, 16, 8)
    ys = torch.randint(0, 3, (6, 16))
    for epoch in range(2):
        hits = 0
        for x, y in zip(xs, ys):
            code, rebuilt = encoder(x)
            loss = F.mse_loss(rebuilt, x)
            scaler.scale(loss).backward()
            scaler.step(encoder_opt)
            scaler.update()
            encoder_opt.zero_grad(set_to_none=True)
            record(everything)
            guess = probe(code.detach())
            F.cross_entropy(guess, y).backward()
            apply(probe_opt)
            record(everything)
            hits += (guess.argmax(1) == y).sum().item()
        print(epoch, hits, loss.item())


if __name__ == "__main__":
    train(lambda parameters: None)
