import torch
from torch import nn

ACCUM = 3
EPOCHS = 2


class Denoiser(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width + 1, 16), nn.SiLU(), nn.Linear(16, width))

    def forward(self, x, level):
        return self.net(torch.cat([x, level.expand(len(x), 1)], 1))


torch.manual_seed(77)
levels = torch.linspace(0.1, 1.0, 9)
batches = list(torch.randn(9, 16, 6) * torch.tensor([1.0, 0.5, 0.2, 0.1, 2.0, 1.0]))


def train(record):
    torch.manual_seed(78)
    model = Denoiser()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    optimizer.zero_grad()
    for epoch in range(EPOCHS):
        per_level = {}
        for i, x in enumerate(batches):
            level = levels[i]
            noise = torch.randn_like(x)
            loss = nn.functional.mse_loss(model(x + level * noise, level), noise)
            (loss / ACCUM).backward()
            per_level[round(level.item(), 3)] = loss.item()
            if i % ACCUM == 0 or i == len(batches) - 1:
                optimizer.step()
                record(list(model.parameters()))
                optimizer.zero_grad()
        print(epoch, per_level)


if __name__ == "__main__":
    train(lambda parameters: None)
