"""A recommender with three optimizers: sparse ids, dense layers, and the output bias."""
import torch
from torch import nn


class Clicks(nn.Module):
    def __init__(self, ids=40, width=6):
        super().__init__()
        self.table = nn.EmbeddingBag(ids, width, mode="mean")
        self.dense = nn.Sequential(nn.Linear(width, 12), nn.ReLU(), nn.Linear(12, 1, bias=False))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, bags):
        return self.dense(self.table(bags)) + self.bias


def optimizers(model):
    return {
        "ids": torch.optim.SGD(model.table.parameters(), lr=1.0),
        "dense": torch.optim.SGD(model.dense.parameters(), lr=0.1, momentum=0.9),
        "bias": torch.optim.SGD([model.bias], lr=0.02),
    }


def sessions(n=96):
    bags = torch.randint(0, 40, (n, 4))
    return bags, (bags.float().mean(1, keepdim=True) > 20).float()


def train(record):
    torch.manual_seed(10)
    model = Clicks()
    opts = optimizers(model)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0, growth_interval=4)
    bags, clicked = sessions()
    for epoch in range(4):
        for rows in torch.randperm(len(bags)).split(16):
            for opt in opts.values():
                opt.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(model(bags[rows]), clicked[rows])
            scaler.scale(loss).backward()
            for name, opt in opts.items():
                if name == "bias" and epoch == 0:
                    continue
                scaler.step(opt)
                record(list(model.parameters()))
            scaler.update()
        print(epoch, f"{loss.item():.4f}", scaler.get_scale())


if __name__ == "__main__":
    train(lambda parameters: None)
