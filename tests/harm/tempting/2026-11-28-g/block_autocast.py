import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, tokens=4, width=8):
        super().__init__()
        self.mix = nn.Linear(tokens, tokens)
        self.channel = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        x = x + self.mix(x.transpose(1, 2)).transpose(1, 2)
        x = x + self.channel(x)
        return self.out(x.mean(1))


def smooth(model, x, strength=0.05):
    noisy = x + strength * torch.randn_like(x)
    return (model(noisy) - model(x).detach()).float().pow(2).mean()


def train(record):
    torch.manual_seed(6)
    model = Mixer()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    xs = torch.randn(5, 10, 4, 8)
    ys = (xs.sum((2, 3)) > 0).long()
    for epoch in range(2):
        for x, y in zip(xs, ys):
            opt.zero_grad(set_to_none=True)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                loss = nn.functional.cross_entropy(model(x), y)
                loss.backward()
                extra = smooth(model, x)
            extra.backward()
            opt.step()
            record(list(model.parameters()))
        print(epoch, loss.item(), extra.item())


if __name__ == "__main__":
    train(lambda parameters: None)
