"""Dense tower and a sparse table, an optimizer for each, one clip over both."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_


class Recommender(nn.Module):
    def __init__(self, items=30, width=8):
        super().__init__()
        self.table = nn.Embedding(items, width)
        self.tower = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, basket):
        return self.tower(self.table(basket).mean(dim=1)).squeeze(1)


def train(record):
    torch.manual_seed(66)
    model = Recommender()
    everything = list(model.parameters())
    tower_opt = torch.optim.SGD(model.tower.parameters(), lr=0.3)
    table_opt = torch.optim.SGD(model.table.parameters(), lr=3.0)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    liked = torch.randn(30)
    norms = []
    for step in range(30):
        basket = torch.randint(0, 30, (20, 5))
        target = liked[basket].mean(dim=1)
        tower_opt.zero_grad()
        table_opt.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            guess = model(basket)
        loss = nn.functional.mse_loss(guess.float(), target)
        scaler.scale(loss).backward()
        scaler.unscale_(tower_opt)
        norms.append(clip_grad_norm_(everything, 1.0).item())
        scaler.step(tower_opt)
        scaler.step(table_opt)
        scaler.update()
        record(everything)
    return norms


if __name__ == "__main__":
    train(lambda parameters: None)
